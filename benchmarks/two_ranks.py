#!/usr/bin/env python3
"""Compares the fastest preset with the faster of ML and MueLu on two ranks of a host, for docs/results/peers.md.

    benchmarks/two_ranks.py [--turns 60] [--tessera build/default/bin/tessera] [--only NAME] [--json FILE]

For each problem all ready lists but the papers' and Ifpack2's solve twice; those within 1.5 times the fastest of Tessera's, or of ML's and
MueLu's, take turns in one run of `tessera compare`, 5 to 60 as fit into --turns seconds, and the smallest setup + solve of each counts. Where
the bound is missed there are up to two such runs more, since the machine may have been busy. Two ranks of one thread, b = 1, to the true
relative residual 1e-8. The exit status is 1 where Tessera's fastest takes more than its bound of the others' fastest.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from figures import OPEN_MPI, ROOT

RANKS, NEAR, RUNS, OTHERS = "2", 1.5, 3, ("ml_", "muelu_")
LEFT_OUT = ("ifpack2_", "fsai")

# problem, options, largest part of the others' time
CASES = [
    ("TetrahedraBeam3D 144 x 18 x 18", "TetrahedraBeam3D --nx 144 --ny 18 --nz 18", 0.7),
    ("Laplace3D 64^3", "Laplace3D --nx 64 --ny 64 --nz 64", 0.5),
    ("Laplace2D 512^2", "Laplace2D --nx 512 --ny 512", 0.5),
]


def compared(tessera, problem, lists, *words):
    """The JSON of a comparison."""
    environment = dict(os.environ, **OPEN_MPI, OMP_NUM_THREADS="1")
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        line = ["mpirun", "--bind-to", "none", "-np", RANKS, str(tessera), "compare", "--problem", *problem.split(),
                *(word for name in lists for word in ("--xml", name)), *words, "--tol", "1e-8", "--quiet", "--json", out.name]
        done = subprocess.run(line, env=environment, capture_output=True, text=True)
        text = pathlib.Path(out.name).read_text()
    if not text:
        raise RuntimeError(f"{' '.join(line)} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads(text)


def figures_of(comparison):
    """Those that converged, by the name of the list."""
    return {pathlib.Path(run["xml"]).stem: {"iterations": run["iterations"], "operator_complexity": run["operator_complexity"],
                                            **{part: run[f"{part}_seconds"]["min"] for part in ("setup", "solve", "total")}}
            for run in comparison["runs"] if run["converged"]}


def fastest(lists, others):
    """Of Tessera's lists, or of the others'."""
    return min((name for name in lists if name.startswith(OTHERS) == others), key=lambda name: lists[name]["total"])


def ratio_of(lists):
    return lists[fastest(lists, False)]["total"] / lists[fastest(lists, True)]["total"]


def least(one, another):
    """Smallest times of two comparisons."""
    return {name: {key: min(value, one.get(name, its)[key]) for key, value in its.items()} for name, its in another.items()}


def measured(arguments, problem, largest):
    names = [xml.stem for xml in sorted((ROOT / "xml_params").glob("*.xml"))]
    names = [name for name in names if not name.startswith(LEFT_OUT) and not name.endswith(("_paper", "_bootstrap"))]
    once = figures_of(compared(arguments.tessera, problem, names, "--max-iterations", "300", "--repeat", "2"))
    bound = {others: NEAR * once[fastest(once, others)]["total"] for others in (False, True)}
    near = [name for name in once if once[name]["total"] <= bound[name.startswith(OTHERS)]]
    turns = max(5, min(60, int(arguments.turns / sum(once[name]["total"] for name in near))))
    lists, runs = {}, 0
    while runs == 0 or (runs < RUNS and ratio_of(lists) > largest):
        comparison = compared(arguments.tessera, problem, near, "--repeat", str(turns))
        lists, runs = least(lists, figures_of(comparison)), runs + 1
    return {"rows": comparison["rows"], "turns": runs * turns, "lists": lists}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--turns", type=float, default=60, help="seconds of a comparison")
    parser.add_argument("--only", default="", help="problems with this in their names alone")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    rows, missed = [], 0
    for name, problem, bound in CASES:
        if arguments.only not in name:
            continue
        row = {"problem": name, "bound": bound, **measured(arguments, problem, bound)}
        ours, theirs = (fastest(row["lists"], others) for others in (False, True))
        ratio = ratio_of(row["lists"])
        missed += ratio > bound
        print(f"{name:32} {ratio:5.2f}  at most {bound}  {ours} / {theirs}, {row['turns']} turns" + ("   <-- missed" if ratio > bound else ""), flush=True)
        rows.append(row)
        if arguments.json:
            arguments.json.write_text(json.dumps({"two_ranks": rows}, indent=1))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
