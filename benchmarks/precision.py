#!/usr/bin/env python3
"""Compares iterations with matrices in half with those in float: every ready list, problems of the gallery and matrices of a folder.

    benchmarks/precision.py [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME] [--lists NAME,NAME]
                            [--precision auto]

One rank on the host, to the relative residual 1e-8. Prints each pair of solves with different iterations. auto: levels of any size may be in
half. double: how much iterations vary by rounding alone. Exit status 1: the other precision costs more than one iteration somewhere.
"""
import argparse
import pathlib
import sys
import tempfile

from figures import ROOT, matrix_file, run, with_parameters

PROBLEMS = ["Laplace2D --nx 300 --ny 300", "Laplace3D --nx 40 --ny 40 --nz 40", "Star2D --nx 150 --ny 150", "Brick3D --nx 20 --ny 20 --nz 20",
            "RotatedAnisotropy2D --nx 150 --ny 150 --theta 0", "RotatedAnisotropy2D --nx 150 --ny 150 --theta 0.39269908169872414",
            "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 1", "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 3", "RandomNetwork2D",
            "Elasticity3D --nx 12 --ny 12 --nz 12", "Elasticity2D --nx 40 --ny 40"]


def cases(folder):
    """(name, arguments of tessera solve)"""
    for problem in PROBLEMS:
        yield problem, ["--problem", *problem.split()]
    for path in sorted(folder.glob("*.mtx.xz")):
        name = path.name[:-len(".mtx.xz")]
        if not name.endswith(("_b", "_B", "_rbm")):
            found = [(option, matrix_file(folder, name + ending)) for option, ending in (("--matrix", ""), ("--rhs", "_b"), ("--nullspace", "_rbm"))]
            yield name, [word for option, file in found if file for word in (option, file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--only", default="", help="run problems with this in their names alone")
    parser.add_argument("--lists", help="these lists alone, by name")
    parser.add_argument("--precision", choices=("half", "auto", "double"), default="half", help="compare float with this one")
    arguments = parser.parse_args()
    there = [path.stem for path in sorted((ROOT / "xml_params").glob("*.xml"))]
    lists = arguments.lists.split(",") if arguments.lists else [name for name in there if name.startswith(("sa_amg", "ua_", "matching_", "classical", "root", "robust"))]
    compared, worse = 0, 0
    for problem, told in cases(arguments.matrices):
        for name in lists if arguments.only in problem else []:
            found = []
            with tempfile.TemporaryDirectory() as scratch:
                for precision in ("float", arguments.precision):
                    own = {"precision: hierarchy": precision, **({"precision: half from": 0} if precision == "auto" else {})}
                    xml = with_parameters(ROOT / f"xml_params/{name}.xml", own, pathlib.Path(scratch))
                    try:
                        solve = run(arguments.tessera, 1, [*told, "--tol", "1e-8", "--max-iterations", "1000", "--xml", str(xml)])
                        found.append((solve["iterations"], solve["converged"]))
                    except RuntimeError:
                        found.append((0, False))  # the list is not for such a matrix
            compared += 1
            (before, was_solved), (after, is_solved) = found
            bad = after > before + 1 or is_solved != was_solved
            worse += bad
            if before != after or bad:
                print(f"{problem:60} {name:24} {before:5} {after:5}{'  MORE' if bad else ''}", flush=True)
    print(f"{compared} compared, {worse} with more than one further iteration")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
