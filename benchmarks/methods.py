#!/usr/bin/env python3
"""Solves a few problems of the gallery by each multigrid method's list, and more problems and matrices by the lists of matchings, for
docs/results/papers.md and docs/results/method-comparison.md.

    benchmarks/methods.py [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME] [--json FILE]

One rank of two threads on the host, b = 1, to the true relative residual 1e-8. Times are not kept: an iteration of one method costs
what two of another do, and benchmarks/figures.py and `tessera compare` measure.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from figures import FILES, ROOT, matrix_file, run, with_parameters

# name, list, what it has otherwise
LISTS = [("sa_amg", "sa_amg", {}), ("ua_amg_kcycle", "ua_amg_kcycle", {}), ("ua_amg_kcycle_3", "ua_amg_kcycle", {"chebyshev: degree": 3}),
         ("ua_amg_paper", "ua_amg_paper", {}), ("matching_amg", "matching_amg", {}), ("matching_amg_plain", "matching_amg_plain", {})]
MATCHINGS = [("sa_amg", "sa_amg", {}), ("matching_amg", "matching_amg", {}), ("W", "matching_amg", {"cycle type": "W"}), ("K", "matching_amg", {"cycle type": "K"}),
             ("matching_amg_plain", "matching_amg_plain", {}), ("matching_amg_bootstrap", "matching_amg_bootstrap", {}), ("fsai", "fsai", {})]
ROBUST = [("sa_amg", "sa_amg", {}), ("rootnode_amg", "rootnode_amg", {}), ("robust", "robust", {})]
KEPT = ("rows", "preconditioner", "solver", "iterations", "converged", "status", "relative_residual", "operator_complexity")

PROBLEMS = [
    ("Laplace2D 300^2", "Laplace2D --nx 300 --ny 300"),
    ("Star2D 300^2", "Star2D --nx 300 --ny 300"),
    ("Laplace3D 50^3", "Laplace3D --nx 50 --ny 50 --nz 50"),
    ("RotatedAnisotropy2D 300^2, 0", "RotatedAnisotropy2D --nx 300 --ny 300 --eps 1e-3 --theta 0"),
    ("RotatedAnisotropy2D 300^2, pi/8", "RotatedAnisotropy2D --nx 300 --ny 300 --eps 1e-3 --theta 0.39269908169872414"),
    ("Darcy3D 30^3, sigma 1", "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 1"),
    ("Darcy3D 30^3, sigma 3", "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 3"),
    ("Laplace2D 1024^2, to 1e-6", "Laplace2D --nx 1024 --ny 1024 --tol 1e-6"),
]

MORE_PROBLEMS = [
    ("Brick3D 40^3", "Brick3D --nx 40 --ny 40 --nz 40"),
    ("Elasticity2D 128^2", "Elasticity2D --nx 128 --ny 128"),
    ("Elasticity3D 16^3", "Elasticity3D --nx 16 --ny 16 --nz 16"),
    ("UnstructuredPoisson2D, 5", "UnstructuredPoisson2D --refinements 5"),
    ("UnstructuredPoisson3D, 3", "UnstructuredPoisson3D --refinements 3"),
    ("Delaunay2D 256^2", "Delaunay2D --nx 256 --ny 256"),
    ("NeumannLaplace2D 256^2", "NeumannLaplace2D --nx 256 --ny 256"),
    ("Beam2D, 6", "Beam2D --refinements 6"),
    ("ANI1, 6", "UnstructuredAnisotropy2D --refinements 6 --theta 0"),
    ("ANI2, 6", "UnstructuredAnisotropy2D --refinements 6"),
]
MORE_FILES = [("diff_stump", ""), ("lap_4elt", ""), ("hypre_beam_hex_dof459", "--equations 3"), ("pyamg_bar", "--equations 3"),
              ("pyamg_local_disc_galerkin_diffusion", ""), ("pyamg_airfoil", ""), ("ginkgo_ani4", ""), ("bcsstk09", ""), ("nos3", ""),
              ("gr_30_30", ""), ("494_bus", ""), ("1138_bus", ""), ("sherman1_neg", ""), ("vem1", "")]
FSAI_BESIDE = ("bcsstk13", "bcsstk15", "bcsstk16", "bcsstk28")


def files(folder):
    """Pairs of a matrix' name and what tessera is told, for those that are there."""
    for name, words, *_ in [*FILES, *MORE_FILES]:
        found = [(option, matrix_file(folder, name + ending))
                 for option, ending in (("--matrix", ""), ("--rhs", "_b"), ("--nullspace", "_rbm"), ("--nullspace", "_B"))]
        if found[0][1] is None:
            print(f"{name}: skipped, since {folder} has no such matrix")
            continue
        yield name, [*words.split(), *(word for option, file in found if file for word in (option, file))]


def by_lists(arguments, scratch, lists):
    """All the problems by some lists."""
    of_gallery = [(problem, ["--problem", *words.split()]) for problem, words in PROBLEMS + MORE_PROBLEMS]
    for problem, told in [*of_gallery, *files(arguments.matrices)]:
        if arguments.only not in problem:
            continue
        solves = {}
        for name, base, otherwise in lists:
            if name == "fsai" and problem not in FSAI_BESIDE:
                continue
            xml = with_parameters(ROOT / f"xml_params/{base}.xml", otherwise, scratch)
            solve = run(arguments.tessera, 1, [*told, *([] if "--tol" in told else ["--tol", "1e-8"]), "--xml", str(xml)])
            solves[name] = {key: solve[key] for key in KEPT}
        print(f"{problem:36} " + " ".join(f"{name} {solve['iterations']}{'' if solve['converged'] else '!'}" for name, solve in solves.items()), flush=True)
        yield {"problem": problem, "solves": solves}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--only", default="", help="run problems with this in their names alone")
    parser.add_argument("--lists", default="", help="of the first table run these alone, and not the second, such as sa_amg,ua_amg_kcycle")
    parser.add_argument("--robust", action="store_true", help="run the table of robust.xml alone")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    results, failed = [], 0
    if arguments.robust:
        with tempfile.TemporaryDirectory() as scratch:
            found = {"robust": list(by_lists(arguments, pathlib.Path(scratch), ROBUST))}
        if arguments.json:
            arguments.json.write_text(json.dumps(found, indent=1))
        return 0
    for problem, words in PROBLEMS:
        if arguments.only not in problem:
            continue
        results.append({"problem": problem, "solves": {}})
        for name, base, otherwise in LISTS:
            if arguments.lists and name not in arguments.lists.split(","):
                continue
            with tempfile.TemporaryDirectory() as scratch:
                xml = with_parameters(ROOT / f"xml_params/{base}.xml", otherwise, pathlib.Path(scratch))
                tolerance = [] if "--tol" in words else ["--tol", "1e-8"]
                solve = run(arguments.tessera, 1, ["--problem", *words.split(), *tolerance, "--xml", str(xml)])
            results[-1]["solves"][name] = {key: solve[key] for key in KEPT}
            failed += 0 if solve["converged"] else 1
            print(f"{problem:34} {name:20} {solve['iterations']:5} {solve['operator_complexity']:6.3f} {solve['setup_seconds']['min']:7.3f} "
                  f"{solve['solve_seconds']['min']:7.3f}{'' if solve['converged'] else '   ' + solve['status']}", flush=True)
    found = {"methods": results}
    if not arguments.lists:
        with tempfile.TemporaryDirectory() as scratch:
            found["matchings"] = list(by_lists(arguments, pathlib.Path(scratch), MATCHINGS))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
