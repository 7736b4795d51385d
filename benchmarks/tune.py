#!/usr/bin/env python3
"""Compares the list that `tessera tune` writes with every preset on small matrices, for docs/results/robust.md.

    benchmarks/tune.py [--time 30] [--turns 2] [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME,NAME] [--json FILE]

For each matrix: tune writes a list; all lists of xml_params solve once, in at most 1000 iterations; those within three times the fastest of Tessera's or of the others and
the list written take turns in one run of `tessera compare`, 7 to 60 as fit into --turns seconds, and the smallest setup +
solve of each counts; up to three such runs where the list seems slow, as on a busy machine. One rank of one thread on the host, b = 1 where the
matrix brings none, to the true relative residual 1e-8. The exit status is 1 where a list that was written does not converge or takes more than
1.3 times the fastest of Tessera's.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from figures import OPEN_MPI, ROOT
from methods import files

BOUND, NEAR = 1.3, 3.0
OTHERS = ("ml_", "muelu_", "ifpack2_")


def tessera(arguments, command, *words):
    """The JSON of a run."""
    environment = dict(os.environ, **OPEN_MPI, OMP_NUM_THREADS="1")
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        line = ["mpirun", "-np", "1", str(arguments.tessera), command, *words, "--tol", "1e-8", "--quiet", "--json", out.name]
        done = subprocess.run(line, env=environment, capture_output=True, text=True)
        text = pathlib.Path(out.name).read_text()
        if not text:
            raise RuntimeError(f"{' '.join(line)} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return json.loads(text)


def compared(arguments, told, lists, *words):
    """Seconds of those that converge, iterations besides, by the name of the list."""
    runs = tessera(arguments, "compare", *told, *(word for xml in lists for word in ("--xml", str(xml))), *words)["runs"]
    return {pathlib.Path(run["xml"]).stem: (run["total_seconds"]["min"], run["iterations"]) for run in runs if run["converged"]}


def fastest(times, names):
    return min((name for name in times if name in names), key=lambda name: times[name][0], default=None)


def measured(arguments, told, scratch):
    """The figures of one matrix."""
    written = scratch / "tuned.xml"
    search = tessera(arguments, "tune", *told, "--time", str(arguments.time), "--out", str(written))
    lists = {xml.stem: xml for xml in sorted((ROOT / "xml_params").glob("*.xml"))}
    once = compared(arguments, told, lists.values(), "--max-iterations", "1000")
    groups = [[name for name in once if name.startswith(OTHERS) == others] for others in (False, True)]
    near = [lists[name] for group in groups for name in group if once[name][0] <= NEAR * min(once[other][0] for other in group)]
    turns = max(7, min(60, int(arguments.turns / sum(once[xml.stem][0] for xml in near))))
    times = {}
    for _ in range(3):
        more = compared(arguments, told, [*([written] if search["best"] else []), *near], "--repeat", str(turns))
        times = {name: min(times.get(name, more[name]), more[name]) for name in more}
        ours, theirs = (fastest(times, group) for group in groups)
        if "tuned" in times and ours and times["tuned"][0] <= BOUND * times[ours][0]:
            break  # else the machine may have been busy
    tuned = times.get("tuned")
    row = {"rows": search["rows"], "best": search["best"], "converged": tuned is not None, "tried": len(search["trials"]), "fastest": ours, "other": theirs}
    for key, time in (("tuned", tuned), ("fastest", times.get(ours)), ("other", times.get(theirs))):
        row.update({f"{key}_seconds": time[0], f"{key}_iterations": time[1]} if time else {})
    if tuned and ours:
        row["ratio"] = tuned[0] / times[ours][0]
    if tuned and theirs:
        row["other_ratio"] = tuned[0] / times[theirs][0]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--time", type=float, default=30, help="seconds of a search")
    parser.add_argument("--turns", type=float, default=2, help="seconds of a comparison")
    parser.add_argument("--only", default="", help="matrices with one of these in their names alone")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    rows, bad = [], 0
    for name, told in sorted(files(arguments.matrices), key=lambda one: pathlib.Path(one[1][one[1].index("--matrix") + 1]).stat().st_size):
        if not any(part in name for part in arguments.only.split(",")):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            row = {"problem": name, **measured(arguments, [str(word) for word in told], pathlib.Path(scratch))}
        good = row["converged"] and row.get("ratio", 0) <= BOUND
        bad += not good
        print(f"{name:36} {row.get('ratio', 0):5.2f} {row.get('other_ratio', 0):5.2f}  {row['best']} / {row['fastest']} / {row['other']}"
              + ("" if good else "   <-- missed"), flush=True)
        rows.append(row)
        if arguments.json:
            arguments.json.write_text(json.dumps({"tune": rows}, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
