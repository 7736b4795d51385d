#!/usr/bin/env python3
"""Two OpenMP threads beside one, on two cores that are idle or that two other processes want.

    benchmarks/busy.py [--turns 5] [--cores 0,1] [--tessera build/default/bin/tessera] [--xml FILE] [--wait GOMP_SPINCOUNT=0 ...] [--json FILE]

A small problem (14,400 rows) is solved by turns with one thread, with two, with two that wait as GCC's OpenMP lets them by default, and with
two and each --wait; setup + solve, medians over the turns. Busy: a process that only counts runs on each of the cores. The
exit status is 1 where, busy, two threads take more than 2 times as long as one, or, idle, more than 1.05 times as long as with GCC's default.
Let nothing else run.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = "solve --problem RotatedAnisotropy2D --nx 120 --ny 120 --theta 0.4 --quiet --xml".split()
GCC_DEFAULT = "GOMP_SPINCOUNT=300000"
CHOICES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "OMP_NUM_THREADS")
MOST_BUSY, MOST_IDLE = 2.0, 1.05


def seconds(arguments, cores, settings):
    environment = {name: value for name, value in os.environ.items() if name not in CHOICES}
    environment.update(setting.split("=", 1) for setting in settings)
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        done = subprocess.run([str(arguments.tessera), *COMMAND, str(arguments.xml), "--json", out.name], env=environment, capture_output=True, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, cores))
        text = pathlib.Path(out.name).read_text()
    if done.returncode != 0 or not text:
        raise RuntimeError(f"{arguments.tessera} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads(text)["total_seconds"]["min"]


def measured(arguments, kinds):
    cores = {int(core) for core in arguments.cores.split(",")}
    found = {name: [] for name in kinds}
    for _ in range(arguments.turns):
        for name, settings in kinds.items():
            found[name].append(seconds(arguments, cores, settings))
    return {name: statistics.median(values) for name, values in found.items()}


def counting(core):
    return subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.sched_setaffinity(0, {core}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--xml", type=pathlib.Path, default=ROOT / "xml_params/sa_amg.xml")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--cores", default="0,1", help="two, by number")
    parser.add_argument("--wait", action="append", default=[], help="another way to wait, as environment variables with commas between")
    parser.add_argument("--json", type=pathlib.Path, help="write the medians to this file")
    arguments = parser.parse_args()
    two = "OMP_NUM_THREADS=2"
    kinds = {"one thread": ["OMP_NUM_THREADS=1"], "two threads": [two], "GCC's default": [two, GCC_DEFAULT],
             **{wait: [two, *wait.split(",")] for wait in arguments.wait}}
    medians = {"idle": measured(arguments, kinds)}
    others = [counting(int(core)) for core in arguments.cores.split(",")]
    try:
        medians["busy"] = measured(arguments, kinds)
    finally:
        for other in others:
            other.kill()
    for name in kinds:
        print(f"{name:24} {medians['idle'][name]:8.3f} s idle {medians['busy'][name]:8.3f} s busy", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(medians, indent=1))
    busy = medians["busy"]["two threads"] / medians["busy"]["one thread"]
    idle = medians["idle"]["two threads"] / medians["idle"]["GCC's default"]
    print(f"busy: {busy:.2f} of one thread's time, at most {MOST_BUSY}; idle: {idle:.2f} of GCC's default, at most {MOST_IDLE}")
    return 1 if busy > MOST_BUSY or idle > MOST_IDLE else 0


if __name__ == "__main__":
    sys.exit(main())
