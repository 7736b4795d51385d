#!/usr/bin/env python3
"""Solves the problems of the papers' tables, for docs/papers.md.

    benchmarks/papers.py [--tessera build/default/bin/tessera] [--table TABLE] [--only CASE] [--json FILE]

Table 5.6 of Bell, Dalton, Olson, "Exposing fine-grained parallelism in algebraic multigrid methods" (2012): smoothed aggregation,
xml_params/sa_amg_jacobi.xml, their drop tolerance of 0.08 in 5a and 5b. Right-hand sides are random: with b = 1 rounding lets
true residuals of these sizes go no lower than 1e-10.

The V-cycle's iterations of Bernaschi, D'Ambra, Pasquini, "AMG based on compatible weighted matching for GPUs" (2019):
xml_params/matching_amg_paper.xml, b = 1, to 1e-6.

Reshaping, Algorithm 3 of Brannick, Chen, Hu, Zikatanov (2013), where couplings are anisotropic, which the paper does not measure:
xml_params/ua_amg_paper.xml with aggregates of at most 4 and 8, with and without reshaping, beside smoothed aggregation; b = 1, to 1e-6.
"""
import argparse
import csv
import json
import math
import pathlib
import sys
import tempfile

from figures import ROOT, run, with_parameters

LIST = ROOT / "xml_params/sa_amg_jacobi.xml"
PI_6 = "--theta 0.5235987755982988"

KEPT = ("problem", "rows", "ranks", "iterations", "converged", "status", "relative_residual", "operator_complexity")

# case, problem, drop tolerance; of the paper: rows, iterations of the host (greedy aggregates), of the GPU (MIS(2)), of ML
TABLE_5_6 = [
    ("1a", "Laplace2D --nx 1024 --ny 1024", 0.0, 1048576, 20, 51, 33),
    ("1b", "Star2D --nx 1024 --ny 1024", 0.0, 1048576, 16, 46, 22),
    ("2a", "Laplace3D --nx 101 --ny 101 --nz 101", 0.0, 1030301, 23, 27, 31),
    ("2b", "Brick3D --nx 101 --ny 101 --nz 101", 0.0, 1030301, 14, 24, 20),
    ("3a", "UnstructuredPoisson2D --refinements 6", 0.0, 550387, 42, 49, 53),
    ("3b", "Delaunay2D --nx 1087 --ny 1087", 0.0, 1182309, 47, 54, 68),
    ("3c", "UnstructuredPoisson2D --refinements 7", 0.0, 2185401, 53, 65, 65),
    ("4", "UnstructuredPoisson3D --refinements 5", 0.0, 1088958, 43, 50, 47),
    ("5a", f"HorseshoeAnisotropy2D --refinements 7 {PI_6}", 0.08, 853761, 397, 333, None),
    ("5b", f"UnstructuredAnisotropy2D --refinements 7 {PI_6}", 0.08, 832081, 369, 309, None),
]

# Bernaschi, D'Ambra, Pasquini 2019: case, problem, rows of ours, iterations with the V-cycle (None: none of this size)
BERNASCHI = [
    ("ANI1, 6", "UnstructuredAnisotropy2D --refinements 6 --theta 0", 167297, 192),
    ("ANI1, 7", "UnstructuredAnisotropy2D --refinements 7 --theta 0", 670465, 302),
    ("ANI1, 8", "UnstructuredAnisotropy2D --refinements 8 --theta 0", 2684417, 466),
    ("ANI2, 6", "UnstructuredAnisotropy2D --refinements 6", 167297, 194),
    ("ANI2, 7", "UnstructuredAnisotropy2D --refinements 7", 670465, 307),
    ("ANI2, 8", "UnstructuredAnisotropy2D --refinements 8", 2684417, 481),
    ("LE2D, 6", "Beam2D --refinements 6", 66560, None),
    ("LE2D, 7", "Beam2D --refinements 7", 264192, None),
    *((f"Parflow, sigma {sigma}, {side}^3", f"Darcy3D --nx {side} --ny {side} --nz {side} --sigma {sigma}", side**3, theirs if side == 100 else None)
      for side in (50, 100) for sigma, theirs in ((1, 91), (2, 82), (3, 125), (4, 87), (5, 604))),
]

RESHAPING_STEPS = 4


def reshaping(arguments, scratch):
    """RotatedAnisotropy2D, eps = 1e-3, by smoothed aggregation and by PAA of each size without and with reshaping."""
    for side in (300, 512, 1024):
        for angle, theta in (("0", 0.0), ("pi/8", math.pi / 8)):
            case = f"{side}^2, theta {angle}"
            if arguments.only not in ("", case) or arguments.table not in (None, "reshaping"):
                continue
            words = f"--problem RotatedAnisotropy2D --nx {side} --ny {side} --eps 1e-3 --theta {theta} --tol 1e-6 --max-iterations 3000".split()
            lists = {name: (name, {}) for name in ("sa_amg", "sa_amg_anisotropic")}
            for most in (4, 8):
                for name, steps in ((f"plain_{most}", 0), (f"reshaped_{most}", RESHAPING_STEPS)):
                    lists[name] = ("ua_amg_paper", {"aggregation: max agg size": most, "aggregation: reshaping steps": steps})
            solves = {}
            for name, (base, parameters) in lists.items():
                solve = run(arguments.tessera, 1, [*words, "--xml", str(with_parameters(ROOT / f"xml_params/{base}.xml", parameters, scratch))])
                solves[name] = {key: solve[key] for key in KEPT}
            print(f"{case:20} " + " ".join(f"{name} {solve['iterations']}{'' if solve['converged'] else '!'}" for name, solve in solves.items()), flush=True)
            yield {"case": case, "solves": solves}


def recursive_iterations(history, tolerance):
    """When the residual of the recurrence, which solvers commonly watch, first reached the tolerance."""
    with history.open() as lines:
        return next(int(line["iteration"]) for line in csv.DictReader(lines) if float(line["relative_residual"]) <= tolerance)


def bernaschi_2019(arguments, scratch):
    """Their list, to 1e-6 with b = 1, once by the recursive residual, as theirs, and once by the true one; the coarsest level has at most
    40 n^(1/3) unknowns."""
    for case, problem, rows, theirs in BERNASCHI:
        if arguments.only not in ("", case) or arguments.table not in (None, "bernaschi_2019"):
            continue
        words = ["--problem", *problem.split()]
        xml = with_parameters(ROOT / "xml_params/matching_amg_paper.xml", {"coarse: max size": round(40 * rows ** (1 / 3))}, scratch)
        history = scratch / "history.csv"
        solve = run(arguments.tessera, 1, [*words, "--tol", "1e-6", "--max-iterations", "3000", "--xml", str(xml), "--history", str(history)])
        solve["recursive_iterations"] = recursive_iterations(history, 1e-6)
        print(f"{case:24} {solve['rows']:8} {theirs or '-':>5} {solve['recursive_iterations']:5} {solve['iterations']:5} {solve['operator_complexity']:6.3f}"
              f"{'' if solve['converged'] else '   ' + solve['status']}", flush=True)
        yield {"case": case, "paper": theirs, "solve": {key: solve[key] for key in (*KEPT, "recursive_iterations")}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--only", default="", help="run this case alone")
    parser.add_argument("--table", choices=("bell_2012", "bernaschi_2019", "reshaping"), help="run this table alone")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    results, failed = [], 0
    print(f"{'case':4} {'rows':>8} {'theirs':>8} {'its':>5} {'host':>5} {'GPU':>5} {'ML':>5} {'op.c.':>6} {'setup':>7} {'solve':>7}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for case, problem, tolerance, rows, host, gpu, ml in TABLE_5_6:
            if arguments.only not in ("", case) or arguments.table not in (None, "bell_2012"):
                continue
            xml = with_parameters(LIST, {"aggregation: drop tol": tolerance}, pathlib.Path(scratch))
            solve = run(arguments.tessera, 2, ["--problem", *problem.split(), "--rhs-kind", "random", "--xml", str(xml)])
            results.append({"case": case, "paper": {"rows": rows, "host": host, "gpu": gpu, "ml": ml}, "solve": {key: solve[key] for key in KEPT}})
            failed += 0 if solve["converged"] else 1
            print(f"{case:4} {solve['rows']:8} {rows:8} {solve['iterations']:5} {host:5} {gpu:5} {ml or '-':>5} {solve['operator_complexity']:6.3f} "
                  f"{solve['setup_seconds']['min']:7.3f} {solve['solve_seconds']['min']:7.3f}{'' if solve['converged'] else '   ' + solve['status']}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        matchings = list(bernaschi_2019(arguments, pathlib.Path(scratch)))
        reshaped = list(reshaping(arguments, pathlib.Path(scratch)))
    failed += sum(not one["solve"]["converged"] for one in matchings)
    failed += sum(not solve["converged"] for one in reshaped for solve in one["solves"].values())
    if arguments.json:
        arguments.json.write_text(json.dumps({"table_5_6": results, "bernaschi_2019": matchings, "reshaping": reshaped}, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
