#!/usr/bin/env python3
"""Solves small systems that are hard for one method or another by every ready list of Tessera, for docs/results/hard.md.

    benchmarks/hard.py [--elastic] [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME] [--lists NAME,NAME] [--json FILE]

One rank on the host, b = 1 where the problem brings none, at most 1000 iterations to the true relative residual 1e-8. hard_matrices.py makes
the matrices. --elastic: elastic bodies by smoothed aggregation and with a K-cycle, and the processor's seconds of a setup and
a solve on one core, which other work on the machine does not lengthen.
"""
import argparse
import json
import os
import pathlib
import resource
import sys
import tempfile

import hard_matrices as make
from figures import ROOT, matrix_file, run

UNIFORM, PI_8 = (lambda cell: 1.0), "0.39269908169872414"
KEPT = ("rows", "nonzeros", "preconditioner", "iterations", "converged", "status", "relative_residual", "operator_complexity")

# problem, who has it, what makes it: options of the gallery or a function
CASES = [
    ("cells 30:1", "geology, boundary layers", lambda: make.layers(30)),
    ("cells 1000:1", "ice sheets, oceans", lambda: make.layers(1000)),
    ("cells 30:1, elastic", "ice sheets, laminates", lambda: make.ice_sheet(30)),
    ("cells 1 to 1e-4", "boundary layers", lambda: make.boundary_layers(1e-4)),
    ("inclusion, jump 1e8", "fuel cells, casting", lambda: make.inclusion(1e8)),
    ("channels, jump 1e8", "reservoirs, circuits", lambda: make.channels(1e8)),
    ("Darcy3D 20^3, sigma 5", "reservoirs", "Darcy3D --nx 20 --ny 20 --nz 20 --sigma 5"),
    ("RotatedAnisotropy2D 100^2", "fibres, plasmas", f"RotatedAnisotropy2D --nx 100 --ny 100 --eps 1e-3 --theta {PI_8}"),
    ("fourth-order stencil", "positive couplings", make.fourth_order),
    ("biharmonic, clamped", "plates, thin films", make.plate),
    ("mass on one side", "short time steps", lambda: make.mass_dominated(1e-1)),
    ("elastic, nu 0.4999", "rubber, tissue", lambda: make.beam(UNIFORM, 0.4999, (9, 9, 9))),
    ("elastic, 1 to 1000 in layers", "composites", lambda: make.beam(lambda cell: 1e3 if cell[0] // 4 % 2 else 1.0)),
    ("elastic, hard core", "composites, bones", lambda: make.beam(lambda cell: 1e4 if all(3 <= c < 7 for c in cell) else 1.0, counts=(10, 10, 10))),
    ("elastic, beam 80:3:3", "slender parts", lambda: make.beam(UNIFORM, counts=(80, 3, 3))),
    ("elastic, plate 24:24:0.4", "sheets", lambda: make.beam(UNIFORM, counts=(24, 24, 2), sides=(1.0, 1.0, 0.2))),
    ("elastic, tied by penalties of 1e5", "assemblies", lambda: make.tied(1e5)),
    ("elastic, frictionless by penalties of 1e5", "contact", lambda: make.tied(1e5, normal_only=True)),
]

ELASTIC = [("Elasticity3D 20^3", "Elasticity3D --nx 20 --ny 20 --nz 20"), ("Elasticity2D 128^2", "Elasticity2D --nx 128 --ny 128"),
           ("Beam2D, 6", "Beam2D --refinements 6"), ("elas_winkel", "--equations 3"),
           ("hypre_beam_tet_dof2475", "--equations 3 --with-translations"), *((name, what) for name, _, what in CASES if name.startswith("elastic,"))]
ELASTIC_LISTS = ("sa_amg", "ua_amg_kcycle")  # which has elasticity's parameters


def words(what, scratch):
    """What tessera is told of a problem."""
    if isinstance(what, str):
        return ["--problem", *what.split()]
    system = what()
    A, coordinates = system.write(scratch, "A")
    return ["--matrix", str(A)] + (["--equations", str(system.equations), "--coordinates", str(coordinates)] if system.equations > 1 else [])


def words_of_a_file(name, more, folder):
    """The same of a file and what belongs to it; None where it is not there."""
    found = [(option, matrix_file(folder, name + ending)) for option, ending in (("--matrix", ""), ("--rhs", "_b"), ("--nullspace", "_rbm"))]
    return None if found[0][1] is None else [*more.split(), *(str(word) for option, file in found if file for word in (option, file))]


def processor_seconds(tessera, told):
    """Of one setup and solve: what two more repeats take. The JSON besides."""
    os.environ["OMP_NUM_THREADS"] = "1"
    used = []
    for repeats in ("1", "3"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        solve = run(tessera, 1, [*told, "--repeat", repeats])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return solve, (used[1] - used[0]) / 2


def elastic(arguments):
    """Rows of the table of elastic bodies."""
    for problem, what in ELASTIC:
        if arguments.only not in problem:
            continue
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            is_file = isinstance(what, str) and what.startswith("--")
            told = words_of_a_file(problem, what, arguments.matrices) if is_file else words(what, scratch)
            if told is None:
                print(f"{problem}: skipped, since {arguments.matrices} has no such matrix")
                continue
            solves = {}
            for name in arguments.lists.split(",") if arguments.lists else ELASTIC_LISTS:
                xml = str(ROOT / f"xml_params/{name}.xml")
                solve, seconds = processor_seconds(arguments.tessera, [*told, "--tol", "1e-8", "--max-iterations", "1000", "--xml", xml])
                solves[name] = {**{key: solve[key] for key in KEPT}, "processor_seconds": seconds}
                print(f"{problem:30} {name:24} {solve['iterations']:5} {solve['operator_complexity']:.3f} {seconds:.3f} {solve['status']}", flush=True)
        yield {"problem": problem, "solves": solves}


def solved(tessera, told):
    try:
        solve = run(tessera, 1, told)
    except RuntimeError as error:
        print(error)
        return {"status": "refused", "converged": False}
    return {key: solve[key] for key in KEPT}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--elastic", action="store_true", help="the table of elastic bodies instead")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--only", default="", help="run problems with this in their names alone")
    parser.add_argument("--lists", help="these lists alone, by name")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    there = [path.stem for path in sorted((ROOT / "xml_params").glob("*.xml"))]
    ours = [name for name in there if not name.startswith(("ml_", "muelu_", "ifpack2_"))
            and name not in ("sa_amg_whole", "elasticity")]  # which are sa_amg and ua_amg_kcycle
    lists = arguments.lists.split(",") if arguments.lists else ours
    if arguments.elastic:
        bodies = list(elastic(arguments))
        if arguments.json:
            arguments.json.write_text(json.dumps({"elastic": bodies}, indent=1))
        return 0
    results = []
    for problem, whose, what in CASES:
        if arguments.only not in problem:
            continue
        solves = {}
        with tempfile.TemporaryDirectory() as scratch:
            told = words(what, scratch)
            for name in lists:
                solves[name] = solved(arguments.tessera, [*told, "--tol", "1e-8", "--max-iterations", "1000", "--xml", str(ROOT / f"xml_params/{name}.xml")])
                one = solves[name]
                print(f"{problem:30} {name:24} {one.get('iterations', ''):5} {one['status']}", flush=True)
        results.append({"problem": problem, "whose": whose, "solves": solves})
        if arguments.json:
            arguments.json.write_text(json.dumps({"hard": results}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
