#!/usr/bin/env python3
"""Runs the solves whose figures the project promises, and prints each beside its bound.

    benchmarks/figures.py [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME] [--ranks 1,2]

Iterations are to the true relative residual 1e-8 with b = 1 where the problem brings no right-hand side. A row that misses
its bound is marked and makes the exit status 1. Matrices that are not there are skipped, saying so.
"""
import argparse
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SA, ANISOTROPIC = ROOT / "xml_params/sa_amg.xml", ROOT / "xml_params/sa_amg_anisotropic.xml"

# name, problem, list, largest number of iterations, largest operator complexity
GALLERY = [
    ("Laplace3D 101^3", "--problem Laplace3D --nx 101 --ny 101 --nz 101", SA, 13, 1.8),
    ("Laplace2D 1024^2", "--problem Laplace2D --nx 1024 --ny 1024", SA, 16, None),
    ("Star2D 1024^2", "--problem Star2D --nx 1024 --ny 1024", SA, 14, None),
    ("Brick3D 101^3", "--problem Brick3D --nx 101 --ny 101 --nz 101", SA, 10, None),
    ("Elasticity3D 40^3", "--problem Elasticity3D --nx 40 --ny 40 --nz 40", SA, 25, None),
    ("RotatedAnisotropy2D 300^2, 0", "--problem RotatedAnisotropy2D --nx 300 --ny 300 --eps 1e-3 --theta 0",
     ANISOTROPIC, 18, 1.6),
    ("RotatedAnisotropy2D 300^2, pi/8", "--problem RotatedAnisotropy2D --nx 300 --ny 300 --eps 1e-3 "
     "--theta 0.39269908169872414", ANISOTROPIC, 45, None),
    ("Laplace3D 64^3", "--problem Laplace3D --nx 64 --ny 64 --nz 64", SA, None, None),
    ("Laplace3D 160^3", "--problem Laplace3D --nx 160 --ny 160 --nz 160", SA, None, None),
]
# file, what else tessera is told, largest number of iterations; a file NAME_rbm is the near-nullspace
FILES = [
    ("ibmpg1", "", 30), ("lap_wing", "", 20), ("spe10_tarbert5", "", 60), ("surf_armadillo", "", 22),
    ("diff_cubecyl_jump", "", 20), ("elas_winkel", "--equations 3", 35),
    ("hypre_beam_tet_dof2475", "--equations 3 --with-translations", 80),  # the file holds the rotations only
    ("bcsstk13", "", None), ("bcsstk15", "", None), ("bcsstk16", "", None), ("bcsstk28", "", None),
]


def run(tessera, ranks, arguments):
    """The JSON of one solve."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", "1" if ranks > 1 else "2"))
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), str(tessera), "solve",
                   *arguments, "--quiet", "--json", out.name]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command)} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return json.load(open(out.name))


def unpacked(folder, name, into):
    source = folder / f"{name}.mtx.xz"
    if not source.exists():
        return None
    target = into / f"{name}.mtx"
    if not target.exists():
        target.write_bytes(lzma.decompress(source.read_bytes()))
    return str(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--only", default="", help="run the rows whose name contains this")
    parser.add_argument("--ranks", default="1,2,3,4", help="numbers of ranks for the first problem; the others take 2")
    parser.add_argument("--option", action="append", default=[], help="passed on to tessera solve")
    arguments = parser.parse_args()

    missed = 0
    print(f"{'problem':34} ranks {'rows':>9} {'its':>5} {'bound':>5} {'op.c.':>6} {'setup':>7} {'solve':>7} "
          f"{'true residual':>13}  level rows", flush=True)

    def row(name, ranks, problem, xml, bound, complexity):
        nonlocal missed
        r = run(arguments.tessera, ranks, [*problem, "--xml", str(xml), "--tol", "1e-8", *arguments.option])
        good = r["converged"] and (bound is None or r["iterations"] <= bound)
        good = good and (complexity is None or r["operator_complexity"] <= complexity)
        missed += 0 if good or bound is None else 1
        print(f"{name:34} {ranks:5} {r['rows']:9} {r['iterations']:5} {bound if bound else '-':>5} "
              f"{r['operator_complexity']:6.3f} {r['setup_seconds']['min']:7.3f} {r['solve_seconds']['min']:7.3f} "
              f"{r['relative_residual']:13.2e}  {' '.join(str(l['rows']) for l in r['levels'])}"
              f"{'' if good else '   <-- missed' if bound else '   (not converged)'}", flush=True)

    for k, (name, problem, xml, bound, complexity) in enumerate(GALLERY):
        if arguments.only in name:
            for ranks in [int(r) for r in arguments.ranks.split(",")] if k == 0 else [2]:
                row(name, ranks, problem.split(), xml, bound, complexity)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name, words, bound in FILES:
            if arguments.only not in name:
                continue
            matrix = unpacked(arguments.matrices, name, scratch)
            if matrix is None:
                print(f"{name:34} skipped: {arguments.matrices}/{name}.mtx.xz is not there")
                continue
            problem = ["--matrix", matrix]
            rhs = unpacked(arguments.matrices, name + "_b", scratch)
            problem += ["--rhs", rhs] if rhs else []
            modes = unpacked(arguments.matrices, name + "_rbm", scratch)
            problem += ["--nullspace", modes] if modes else []
            problem += words.split()
            row(name, 2, problem, SA, bound, None)
    print(f"{missed} bounds missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
