#!/usr/bin/env python3
"""torch-fem, unmodified, on a GPU through libtessera_amgx.so: a clamped elastic cube of n^3 nodes that is pulled.

    pip install torch-fem==0.14.0
    AMGX_DLL=/path/libtessera_amgx.so torch_fem.py [--json FILE] [n ...]        (33 and 70: 10^5 and 10^6 unknowns)

Prints iterations and seconds of setup, resetup and solve, as torch-fem calls them, and the largest difference to torch-fem's own solver
on the CPU for at most --compare nodes an edge. torch-fem makes new handles instead of a resetup where it gives coordinates, so resetups are
timed without. Modules that torch-fem needs for pictures and files alone may be missing.
"""
import argparse
import importlib.abc
import importlib.util
import json
import sys
import time
from pathlib import Path
from unittest import mock


class Empty(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Empty modules, with all modules inside them, for those that are not installed."""

    def __init__(self, *names):
        self.names = {name for name in names if importlib.util.find_spec(name) is None}

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self, is_package=True) if name.split(".")[0] in self.names else None

    def exec_module(self, module):
        def attribute(name):
            if name.startswith("__"):  # that inspect asks for
                raise AttributeError(name)
            return mock.MagicMock
        module.__getattr__ = attribute


empty = Empty("pyvista", "matplotlib", "meshio", "pyamg")
sys.meta_path.append(empty)
import torch  # noqa: E402
import torchfem.amgx as amgx  # noqa: E402
from torchfem import Solid  # noqa: E402
from torchfem.materials import IsotropicElasticity3D  # noqa: E402
from torchfem.mesh import cube_hexa  # noqa: E402

TOLERANCE = 1e-10


def timed(work):
    torch.cuda.synchronize()
    start = time.perf_counter()
    result = work()
    torch.cuda.synchronize()
    return result, time.perf_counter() - start


def cube(n, device):
    torch.set_default_dtype(torch.float64)
    torch.set_default_device(device)
    nodes, elements = cube_hexa(n, n, n)
    model = Solid(nodes, elements, IsotropicElasticity3D(E=1000.0, nu=0.3))
    model.constraints[nodes[:, 0] == 0, :] = True
    model.forces[nodes[:, 0] == 1, 0] = 1.0 / (n * n)
    return model


class Recorder:
    """Times AmgXSolver's methods while torch-fem runs, and keeps its system."""

    def __init__(self):
        self.seconds, self.iterations, self.matrix, self.b, self.x = {}, None, None, None, None

    def __enter__(self):
        self.patches = [mock.patch.object(amgx.AmgXSolver, name, self.recorded(name, getattr(amgx.AmgXSolver, name))) for name in ("setup", "solve")]
        for patch in self.patches:
            patch.start()
        return self

    def __exit__(self, *_):
        for patch in self.patches:
            patch.stop()

    def recorded(self, name, method):
        def call(solver, argument):
            result, seconds = timed(lambda: method(solver, argument))
            self.seconds.setdefault(name, []).append(seconds)
            if name == "setup":
                self.matrix = argument
            else:
                self.b, self.x, self.iterations = argument, result, solver.iterations
            return result
        return call


def without_coordinates(matrix, b):
    """Iterations and seconds of a solver that has no coordinates: setup, resetup and solves."""
    solver = amgx.AmgXSolver(matrix.shape[0], TOLERANCE, 3, None, "PCG")
    result = {"setup": timed(lambda: solver.setup(matrix))[1]}
    result["first resetup"] = timed(lambda: solver.resetup(matrix))[1]
    result["resetup"] = timed(lambda: solver.resetup(matrix))[1]
    solver.solve(b)
    result["solve"] = timed(lambda: solver.solve(b))[1]
    result["iterations"] = solver.iterations
    solver.close()
    return result


def measure(n):
    """Figures, and the displacements on the CPU."""
    model = cube(n, "cuda")
    with Recorder() as warm:
        model.solve(method="cg", preconditioner="amg", stol=TOLERANCE)
    with Recorder() as recorder:
        (u, *_), seconds = timed(lambda: model.solve(method="cg", preconditioner="amg", stol=TOLERANCE))
    row = {"nodes an edge": n, "unknowns": 3 * n**3, "first setup": warm.seconds["setup"][0], "setup": recorder.seconds["setup"][0],
           "solve": recorder.seconds["solve"][0], "iterations": recorder.iterations, "torch-fem": seconds,
           "without coordinates": without_coordinates(recorder.matrix, recorder.b)}
    r = recorder.b - recorder.matrix @ recorder.x
    row["relative residual"] = (r.norm() / recorder.b.norm()).item()
    return row, u.cpu()


def add_comparison(row, u):
    """With torch-fem's own solver on the CPU."""
    host = cube(row["nodes an edge"], "cpu")
    start = time.perf_counter()
    v = host.solve(method="cg", preconditioner="jacobi" if "pyamg" in empty.names else "amg", stol=TOLERANCE)[0]
    row["torch-fem on the CPU"] = time.perf_counter() - start
    row["difference to the CPU"] = ((u - v).abs().max() / v.abs().max()).item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[33, 70], metavar="n")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--compare", type=int, default=40)
    options = parser.parse_args()
    rows = []

    def report():
        print(json.dumps(rows[-1], indent=2), flush=True)
        if options.json:
            options.json.write_text(json.dumps({"device": torch.cuda.get_device_name(), "rows": rows}, indent=2) + "\n")
    for n in options.sizes:
        row, u = measure(n)
        rows.append(row)
        report()
        if n <= options.compare:  # may take minutes
            add_comparison(row, u)
            report()
    wrong = [row for row in rows if row["relative residual"] > 2 * TOLERANCE or row.get("difference to the CPU", 0) > 1e-6]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
