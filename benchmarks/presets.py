#!/usr/bin/env python3
"""Compares sa_amg, robust and classical_amg on scalar problems, for docs/results/method-comparison.md; --others: also with ML and MueLu, for docs/results/peers.md.

    benchmarks/presets.py [--others] [--ranks 1] [--turns 5] [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME,NAME] [--json FILE]

Problems of the gallery, hard problems and matrices of files; with --others the files alone. One thread a rank, b = 1 where the problem has no
right-hand side, at most 500 iterations to the true relative residual 1e-8. Lists take turns in one run of `tessera compare`, and the median
setup + solve of --turns counts. Each problem also has figures of 2000 rows by which a rule could choose: of the largest coupling of a row over
the smallest, and of the largest quotient of its diagonal entry and a neighbour's, the median; and the share of rows whose quotient exceeds 10.
"""
import argparse
import gzip
import json
import lzma
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import hard
import methods
from figures import OPEN_MPI, ROOT

OURS = ("sa_amg", "robust", "classical_amg")
OTHERS = ("ml_sa", "ml_sa_chebyshev", "ml_sa_jacobi", "muelu_sa_chebyshev")
SCALAR = ("ibmpg1", "lap_wing", "spe10_tarbert5", "surf_armadillo", "diff_cubecyl_jump", "diff_stump", "lap_4elt", "pyamg_local_disc_galerkin_diffusion", "pyamg_airfoil",
          "ginkgo_ani4", "gr_30_30", "494_bus", "1138_bus", "sherman1_neg", "vem1")
MORE = [("Darcy3D 30^3, sigma 5", "Darcy3D --nx 30 --ny 30 --nz 30 --sigma 5"), ("RandomNetwork2D 200^2", "RandomNetwork2D --nx 200 --ny 200"),
        ("HorseshoeAnisotropy2D, 5", "HorseshoeAnisotropy2D --refinements 5")]
VECTORS = ("Elasticity", "Beam")
SAMPLE = 2000


def problems(arguments, scratch):
    """Names, and what tessera is told."""
    if not arguments.others:
        for name, words in [*methods.PROBLEMS, *methods.MORE_PROBLEMS, *MORE]:
            if not name.startswith(VECTORS) and "1e-6" not in name:
                yield name, ["--problem", *words.split()]
        for name, _, what in hard.CASES:
            if not name.startswith("elastic") and ", elastic" not in name:
                yield name, hard.words(what, scratch)
    for name, told in methods.files(arguments.matrices):
        if name in SCALAR:
            yield name, told


def entries(path):
    """Rows of a Matrix Market file."""
    opened = {".xz": lzma.open, ".gz": gzip.open}.get(path.suffix, open)(path, "rt")
    with opened as lines:
        symmetric = "symmetric" in next(lines)
        data = (line.split() for line in lines if line.strip() and not line.startswith("%"))
        rows = [{} for _ in range(int(next(data)[0]))]
        for i, j, a in data:
            rows[int(i) - 1][int(j) - 1] = float(a)
            if symmetric:
                rows[int(j) - 1][int(i) - 1] = float(a)
    return rows


def spreads(arguments, told, scratch):
    """Figures of a sample of rows."""
    if told[0] == "--problem":
        out = scratch / "A.mtx"
        subprocess.run([str(arguments.tessera), "gallery", *told, "--out", str(out)], check=True, capture_output=True, env={**os.environ, **OPEN_MPI})
        told = ["--matrix", str(out)]
    rows = entries(pathlib.Path(told[told.index("--matrix") + 1]))
    couplings, diagonals = [], []
    for i in range(0, len(rows), max(1, len(rows) // SAMPLE)):
        sizes = [-a for j, a in rows[i].items() if j != i and a < 0]
        if sizes:
            couplings.append(max(sizes) / min(sizes))
            diagonals.append(max(max(rows[i][i] / rows[j][j], rows[j][j] / rows[i][i]) for j in rows[i]))
    return {"couplings": statistics.median(couplings), "diagonals": statistics.median(diagonals), "jumps": sum(d > 10 for d in diagonals) / len(diagonals)}


def compared(arguments, told, lists):
    """The runs of a comparison, by list."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        line = ["mpirun", "--bind-to", "none", "-np", str(arguments.ranks), str(arguments.tessera), "compare", *told, *(word for name in lists for word in ("--xml", name)),
                "--tol", "1e-8", "--max-iterations", "500", "--repeat", str(arguments.turns), "--quiet", "--json", out.name]
        done = subprocess.run(line, env={**os.environ, **OPEN_MPI, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
        text = pathlib.Path(out.name).read_text()
    if not text:
        raise RuntimeError(f"{' '.join(line)} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return {pathlib.Path(run["xml"]).stem: {"total": run["total_seconds"]["median"], **{key: run[key] for key in ("iterations", "converged", "operator_complexity")}}
            for run in json.loads(text)["runs"] if "total_seconds" in run}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--others", action="store_true", help="with ML and MueLu, on files")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", default="", help="run problems with one of these in their names alone")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, told in problems(arguments, pathlib.Path(folder)):
            if not any(part in name for part in arguments.only.split(",")):
                continue
            with tempfile.TemporaryDirectory() as scratch:
                row = {"problem": name, "spread": spreads(arguments, told, pathlib.Path(scratch)),
                       "lists": compared(arguments, told, [*OURS, *(OTHERS if arguments.others else ())])}
            print(f"{name:36} {row['spread']['couplings']:9.3g} {row['spread']['diagonals']:9.3g} {row['spread']['jumps']:6.3f} " + "  ".join(
                f"{xml} {run['iterations']}{'' if run['converged'] else '!'} @{run['operator_complexity']:.2f} {1e3 * run['total']:.0f} ms"
                for xml, run in row["lists"].items()), flush=True)
            rows.append(row)
            if arguments.json:
                arguments.json.write_text(json.dumps({"presets": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
