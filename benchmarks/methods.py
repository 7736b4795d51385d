#!/usr/bin/env python3
"""Solves a few problems of the gallery by each multigrid method's list, for docs/papers.md.

    benchmarks/methods.py [--tessera build/default/bin/tessera] [--only NAME] [--json FILE]

One rank of two threads on the host, b = 1, to the true relative residual 1e-8. Times are not kept: an iteration of one method costs
what two of another do, and benchmarks/figures.py and `tessera compare` measure.
"""
import argparse
import json
import pathlib
import sys

from figures import ROOT, run

LISTS = ("sa_amg", "ua_amg_kcycle", "ua_amg_paper", "matching_amg", "matching_amg_paper")
KEPT = ("rows", "preconditioner", "solver", "iterations", "converged", "status", "relative_residual", "operator_complexity")

PROBLEMS = [
    ("Laplace2D 300^2", "Laplace2D --nx 300 --ny 300"),
    ("Star2D 300^2", "Star2D --nx 300 --ny 300"),
    ("Laplace3D 50^3", "Laplace3D --nx 50 --ny 50 --nz 50"),
    ("RotatedAnisotropy2D 300^2, 0", "RotatedAnisotropy2D --nx 300 --ny 300 --eps 1e-3 --theta 0"),
    ("RotatedAnisotropy2D 300^2, pi/8", "RotatedAnisotropy2D --nx 300 --ny 300 --eps 1e-3 --theta 0.39269908169872414"),
    ("Darcy3D 30^3, sigma 1", "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 1"),
    ("Darcy3D 30^3, sigma 3", "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 3"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--only", default="", help="run problems with this in their names alone")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    results, failed = [], 0
    for problem, words in PROBLEMS:
        if arguments.only not in problem:
            continue
        results.append({"problem": problem, "solves": {}})
        for name in LISTS:
            solve = run(arguments.tessera, 1, ["--problem", *words.split(), "--tol", "1e-8", "--xml", str(ROOT / f"xml_params/{name}.xml")])
            results[-1]["solves"][name] = {key: solve[key] for key in KEPT}
            failed += 0 if solve["converged"] else 1
            print(f"{problem:34} {name:20} {solve['iterations']:5} {solve['operator_complexity']:6.3f} {solve['setup_seconds']['min']:7.3f} "
                  f"{solve['solve_seconds']['min']:7.3f}{'' if solve['converged'] else '   ' + solve['status']}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
