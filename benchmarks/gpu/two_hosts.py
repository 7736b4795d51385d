#!/usr/bin/env python3
"""Two GPUs of one machine as two hosts (tests/hosts/hosts.py): compares results with those of one host, and measures each transport.

    two_hosts.py BUNDLE RESULTS [--side 101] [--seconds 150] [--backend cuda]

BUNDLE is a folder made by pack.sh. exchange_benchmark and weak_scaling run on one host and on two hosts with a rank and a GPU each, with
each transport. The tests of comm, krylov and multigrid then run on two hosts, and every preset by hosts_test.py if `tessera` is packed.
Levels, iterations and residuals must equal those of one host. Exit status 1: a program failed, or results differ. 77: the machine allows
no such hosts, so the tests ran on one host with NCCL over sockets, as their names report. The folder RESULTS receives all outputs.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(next(p for p in (HERE / "hosts", HERE.parent.parent / "tests" / "hosts") if p.exists())))
import hosts as hosts_module  # noqa: E402

NO_PEERS = {"TESSERA_PEER_GPUS": "0"}
BY_SOCKETS = {"NCCL_P2P_DISABLE": "1", "NCCL_SHM_DISABLE": "1"}
BY_MPI = {**NO_PEERS, "TESSERA_NCCL": "0", "TESSERA_GPU_AWARE_MPI": "0"}
PINNED = "0 of 1 pair .*MPI .through pinned memory"
NCCL = "0 of 1 pair .*NCCL"
# Name of the transport: environment, the line that exchange_benchmark prints.
ONE_HOST = {
    "peer memory": ({}, "1 of 1 pair "),
    "NCCL": (NO_PEERS, NCCL),
    "NCCL over sockets": ({**NO_PEERS, **BY_SOCKETS}, NCCL),
    "MPI through pinned memory": (BY_MPI, PINNED),
}
TWO_HOSTS = {
    "NCCL": ({}, NCCL),
    "NCCL over sockets": (BY_SOCKETS, NCCL),
    "MPI through pinned memory": (BY_MPI, PINNED),
}
TESTS = ("multigrid", "krylov", "comm")
TIMES = ("setup", "refresh", "solve")


class Machine:
    """Runs programs with two ranks, on one host or on two."""

    def __init__(self, bundle, results, seconds):
        self.bundle, self.results, self.two, self.failures = bundle, results, None, []
        self.end = time.monotonic() + seconds

    def left(self, seconds):
        """`seconds`, or the rest of the time limit if that is less."""
        return max(1, min(seconds, round(self.end - time.monotonic())))

    def run(self, name, program, two_hosts, seconds, environment=(), ranks=2):
        """Returns whether the program succeeded, and its output, which is also written to a file."""
        program = [str(word) for word in program]
        own = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), *program]
        command = self.two.command(program) if two_hosts else own
        process = subprocess.Popen(command, env=dict(os.environ, **dict(environment)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, start_new_session=True)
        start, seconds = time.monotonic(), self.left(seconds)
        try:
            output, status = process.communicate(timeout=seconds)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, status = process.communicate()[0], f"none after {seconds} s"
        (self.results / (re.sub(r"[^A-Za-z0-9]+", "-", name) + ".txt")).write_text(output)
        self.verdict(status == 0, f"{name} ({time.monotonic() - start:.0f} s)", f"status {status}: " + output[-600:])
        return status == 0, output

    def verdict(self, worked, name, why=""):
        print(("ok      " if worked else "FAILED  ") + name, flush=True)
        if not worked:
            self.failures.append(name)
            print(why, flush=True)


def make_hosts(gpus):
    """Returns two hosts, or None and the reason."""
    if reason := hosts_module.why_not():
        return None, reason
    reasons = []
    for delay in (None, 0):  # a bridge, or a relay where the kernel has none
        try:
            two = hosts_module.Hosts(2, delay=delay, gpus=gpus).__enter__()
            return two, "" if delay is None else "joined by a relay in Python, which slows messages down"
        except (subprocess.CalledProcessError, RuntimeError, OSError) as error:
            reasons.append(str(error))
    return None, "; ".join(reasons)


def run_tests(machine, backend):
    """Two at a time, because their times are not measured."""
    environment = {} if machine.two else {**NO_PEERS, **BY_SOCKETS}
    where = "on two hosts" if machine.two else "on one host, NCCL over sockets"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(run_presets, machine, backend)]
        waiting += [pool.submit(machine.run, f"test_{name}_gpu {where}", [machine.bundle / "bin" / f"test_{name}_gpu", "--gtest_brief=1"],
                                machine.two is not None, 90, environment) for name in TESTS]
        for future in waiting:
            future.result()


def run_presets(machine, backend):
    program, what = machine.bundle / "bin" / "tessera", "every preset on a scalar, an elastic and a singular problem, one host compared with two"
    if machine.two is None or not program.exists():
        print(f"NOT RUN: {what}: {'there are no two hosts' if program.exists() else 'tessera is not packed'}", flush=True)
        return
    environment = dict(os.environ, TESSERA=str(program), TESSERA_XML=str(machine.bundle / "xml_params"), TESSERA_BACKEND=backend,
                       TESSERA_MPIEXEC="mpirun;--allow-run-as-root;--oversubscribe;--bind-to;none;-np")
    test = pathlib.Path(hosts_module.__file__).with_name("hosts_test.py")
    start, seconds = time.monotonic(), machine.left(120)
    with open(machine.results / "presets.txt", "w+") as output:
        process = subprocess.Popen([sys.executable, "-B", str(test), "-v",
                                    "OnHosts.test_presets_give_the_levels_and_iterations_of_one_host"],
                                   env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # it removes its hosts
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
            status = f"none after {seconds} s"
        output.seek(0)
        text = output.read()
    machine.verdict(status == 0, f"{what} ({time.monotonic() - start:.0f} s)", f"status {status}: " + text[-2000:])


def channels_of_nccl(files):
    """The transports of NCCL's channels in its log: P2P/..., SHM/..., NET/Socket/..."""
    return sorted({transport for file in files for transport in re.findall(r" via ((?:P2P|SHM|NET)/[A-Za-z]+)", file.read_text())})


def figures(output):
    """The figures in the output of weak_scaling."""
    found = re.search(r"(\d+) iterations \((\S+)\) +setup +([\d.]+) +refresh +([\d.]+) +solve +([\d.]+) .*levels([ \d]+)", output)
    exact = re.search(r"residual (\S+),", output)
    if not found:
        return None
    return {"iterations": int(found[1]), "residual": exact[1] if exact else found[2], "levels": [int(word) for word in found[6].split()],
            **dict(zip(TIMES, map(float, found.groups()[2:5])))}


def measure(machine, side):
    rows = []
    binaries = machine.bundle / "bin"
    scaling = [binaries / "weak_scaling", "--side", side, "--repeat", "8"]
    alone = machine.run("weak_scaling on one GPU", scaling, False, 30, ranks=1)[1]
    rows.append({"hosts": 1, "ranks": 1, "messages": "", **(figures(alone) or {})})
    transports = [(False, name, *transport) for name, transport in ONE_HOST.items()]
    if machine.two:
        transports += [(True, name, *transport) for name, transport in TWO_HOSTS.items()]
    for two_hosts, name, environment, expected in transports:
        where = f"{2 if two_hosts else 1} hosts, {name}"
        row = {"hosts": 2 if two_hosts else 1, "ranks": 2, "messages": name}
        worked, output = machine.run(f"exchange_benchmark, {where}", [binaries / "exchange_benchmark"], two_hosts, 30,
                                   {**environment, "NCCL_DEBUG": "INFO",
                                    "NCCL_DEBUG_FILE": f"{machine.results}/nccl-{len(rows)}-%h-%p.txt"})
        if worked:
            row["channels"] = channels_of_nccl(machine.results.glob(f"nccl-{len(rows)}-*.txt"))
            row["exchange us"] = {int(n): [float(word) for word in rest.split()]
                                  for n, rest in re.findall(r"^ *(\d+) ((?: *[\d.]+){3})$", output, re.M)}
            machine.verdict(re.search(expected, output) is not None, f"the transport is {name}, {row['hosts']} hosts",
                            f"expected: {expected}\n{output[-800:]}")
        worked, output = machine.run(f"weak_scaling, {where}", scaling, two_hosts, 30, environment)
        row.update(figures(output) or {})
        rows.append(row)
    return rows


def require_equal(machine, rows):
    """Levels, iterations and residuals of all rows with two ranks."""
    results = [{key: row.get(key) for key in ("iterations", "residual", "levels")} for row in rows if row["ranks"] == 2]
    equal = all(result == results[0] and result["levels"] for result in results)
    machine.verdict(equal, "weak_scaling has the same levels, iterations and residuals with every transport", json.dumps(results))


def print_table(rows):
    print("| hosts | ranks | messages | NCCL's channels | iterations | setup ms | refresh ms | solve ms | exchange us (256) | "
          "exchange us (262144) |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        exchange = row.get("exchange us", {})
        cells = [row["hosts"], row["ranks"], row["messages"], " ".join(row.get("channels", [])), row.get("iterations", "-"),
                 *(row.get(phase, "-") for phase in TIMES), *(exchange.get(n, ["-"])[0] for n in (256, 262144))]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--side", type=int, default=101, help="of weak_scaling's cube on each rank")
    parser.add_argument("--seconds", type=int, default=150, help="time limit of all programs together")
    parser.add_argument("--backend", default="cuda", choices=["cuda", "host"], help="host: to try this without GPUs")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        parser.error("mpirun is missing")
    options.results.mkdir(parents=True, exist_ok=True)
    machine = Machine(options.bundle.resolve(), options.results.resolve(), options.seconds)
    machine.two, reason = make_hosts(options.backend == "cuda")
    print(f"NOT MEASURED: two hosts, which this machine does not allow: {reason}" if machine.two is None
          else f"two hosts {reason or 'joined by a bridge'}", flush=True)
    try:
        rows = measure(machine, options.side)
        require_equal(machine, rows)
        print_table(rows)
        (machine.results / "two-hosts.json").write_text(
            json.dumps({"two hosts": machine.two is not None, "note": reason, "rows": rows}, indent=1) + "\n")
        run_tests(machine, options.backend)
    finally:
        if machine.two:
            machine.two.__exit__()
    if machine.failures:
        print(f"{len(machine.failures)} FAILED: " + "; ".join(machine.failures))
        return 1
    return 0 if machine.two else 77


if __name__ == "__main__":
    sys.exit(main())
