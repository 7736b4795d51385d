#!/usr/bin/env python3
"""Runs the solves whose figures the project promises, and prints each beside its bound.

    benchmarks/figures.py [--tessera build/default/bin/tessera] [--matrices ../shared/matrices] [--only NAME] [--ranks 1,2]
                          [--json FILE]

Iterations are to the true relative residual 1e-8 with b = 1 where the problem brings no right-hand side. A row that misses
its bound is marked and makes the exit status 1. Matrices that are not there are skipped, saying so.

A second table has the factored sparse approximate inverse with b = A e: iterations over Jacobi's, the adaptive pattern's
over the static one's at the density that the static one has (the postfilter tolerance delta of the adaptive one is bisected, with the
tolerance of growth at delta^2 / 32 as in the list, until its density is at most that), and multigrid with FSAI beside Chebyshev(2) as smoother.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPEN_MPI = dict(line.split("=", 1) for line in (ROOT / "cmake/open-mpi.env").read_text().splitlines() if line[:1].isupper())
FSAI, ADAPTIVE, JACOBI, FSAI_SMOOTHER = (ROOT / f"xml_params/{name}.xml" for name in
                                         ("fsai", "fsai_adaptive", "ifpack2_jacobi", "sa_amg_fsai_smoother"))
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
# file, largest iterations of static FSAI over Jacobi's; density at most 2
FSAI_FILES = [("elas_winkel", 0.25), ("bcsstk28", 0.25), ("surf_armadillo", 0.30), ("spe10_tarbert5", 0.30), ("ibmpg1", 0.30),
              ("lap_wing", 0.30)]
FSAI_DENSITY, ADAPTIVE_RATIO, APACHE_RATIO = 2.0, 0.8, 0.35
# the paper's parameters of Apache2; densities before and after the postfilter and iterations of its tables 5 and 6
APACHE = {"fsai: pattern level": 9, "fsai: prefilter tolerance": 1e-2, "fsai: postfilter tolerance": 5e-2}
APACHE_PAPER = "paper's Apache2: 6.774 -> 0.998, 853 of 2834"
SMOOTHED_FILES = [("elas_winkel", "--equations 3"), ("spe10_tarbert5", "")]


def run(tessera, ranks, arguments):
    """The JSON of one solve."""
    environment = dict(os.environ, **OPEN_MPI,
                       OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", "1" if ranks > 1 else "2"))
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = ["mpirun", "-np", str(ranks), str(tessera), "solve", *arguments, "--quiet", "--json", out.name]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{' '.join(command)} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return json.load(open(out.name))


def with_parameters(xml, parameters, scratch):
    """A copy of a list in which these parameters (of the preconditioner) have other values."""
    text = xml.read_text()
    for name, value in parameters.items():
        text = re.sub(rf' *<Parameter name="{name}".*\n', "", text)
        kind = {int: "int", float: "double", str: "string"}[type(value)]
        line = f'      <Parameter name="{name}" type="{kind}" value="{value}"/>\n'
        text = re.sub(r'( *<Parameter name="multigrid algorithm".*\n)', lambda found: found[1] + line, text)
    target = scratch / f"{xml.stem}_{len(list(scratch.iterdir()))}.xml"
    target.write_text(text)
    return target


def sparse_inverses(arguments, scratch, results):
    """Prints the second table and adds its solves to the results; the number of bounds missed."""
    missed = 0

    def solved(problem, xml, iterations=20000):
        return run(arguments.tessera, 2, [*problem, "--xml", str(xml), "--tol", "1e-8", "--max-iterations", str(iterations),
                                          *arguments.option])

    def verdict(good):
        nonlocal missed
        missed += 0 if good else 1
        return "" if good else "   <-- missed"

    def compare(name, problem, xml, bound, density, note=""):
        jacobi, static = solved(problem, JACOBI), solved(problem, xml)
        ratio = static["iterations"] / jacobi["iterations"]
        figures = static["fsai"]
        good = static["converged"] and jacobi["converged"] and ratio <= bound and figures["density"] <= density
        print(f"{name:34} Jacobi {jacobi['iterations']:5}  FSAI {static['iterations']:5}  ratio {ratio:5.3f} (at most {bound:4.2f}) "
              f"density {figures['pattern_density']:6.3f} -> {figures['density']:5.3f}  rows to {figures['largest_row']:4}  setup "
              f"{static['setup_seconds']['min']:7.3f}{verdict(good)}{note}", flush=True)
        results["fsai"].append({"problem": name, "bound": bound, "jacobi": jacobi, "fsai": static})
        return static

    def adaptive(delta):
        """The adaptive list with this postfilter tolerance and the tolerance of growth that is to its square as in the list."""
        return with_parameters(ADAPTIVE, {"fsai: postfilter tolerance": delta, "fsai: adaptive tolerance": delta**2 / 32}, scratch)

    def at_density(problem, density):
        """The adaptive list with tolerances that make its factors no denser, and less dense by at most 1 % (or by little more)."""
        low, high = 0.03, 0.98
        for _ in range(10):
            middle = (low * high) ** 0.5
            found = solved(problem, adaptive(middle), 1)["fsai"]["density"]
            low, high = (low, middle) if found <= density else (middle, high)
            if 0.99 * density <= found <= density:
                break
        return solved(problem, adaptive(high)), high

    print("\nfactored sparse approximate inverse, b = A e", flush=True)
    if arguments.only in "ApacheLike3D":
        compare("ApacheLike3D, k 9", ["--problem", "ApacheLike3D", "--rhs-kind", "consistent"],
                with_parameters(FSAI, APACHE, scratch), APACHE_RATIO, float("inf"), f"   ({APACHE_PAPER})")
    for name, bound in FSAI_FILES:
        matrix = matrix_file(arguments.matrices, name) if arguments.only in name else None
        if matrix is None:
            continue
        problem = ["--matrix", matrix, "--rhs-kind", "consistent"]
        static = compare(name, problem, FSAI, bound, FSAI_DENSITY)
        grown, delta = at_density(problem, static["fsai"]["density"])
        results["fsai"][-1].update(adaptive=grown, postfilter=delta)
        ratio = grown["iterations"] / static["iterations"]
        print(f"{'':34} adaptive {grown['iterations']:5} at density {grown['fsai']['density']:5.3f} (postfilter {delta:5.3f}), of "
              f"static's {ratio:5.3f} (at most {ADAPTIVE_RATIO}){verdict(ratio <= ADAPTIVE_RATIO)}", flush=True)
    for name, words in SMOOTHED_FILES:
        matrix = matrix_file(arguments.matrices, name) if arguments.only in name else None
        if matrix is None:
            continue
        problem = ["--matrix", matrix, *words.split()]
        for option, suffix in (("--rhs", "_b"), ("--nullspace", "_rbm")):
            file = matrix_file(arguments.matrices, name + suffix)
            problem += [option, file] if file else []
        chebyshev, inverse = solved(problem, SA), solved(problem, FSAI_SMOOTHER)
        results["smoother"].append({"problem": name, "chebyshev": chebyshev, "fsai": inverse})
        good = inverse["converged"] and inverse["iterations"] < chebyshev["iterations"]
        print(f"{name:34} multigrid: Chebyshev(2) {chebyshev['iterations']:3}, FSAI {inverse['iterations']:3} iterations; solve "
              f"{chebyshev['solve_seconds']['min']:.3f} and {inverse['solve_seconds']['min']:.3f} s{verdict(good)}", flush=True)
    return missed


def matrix_file(folder, name):
    """Its path, which tessera reads as it is; None where it is not there."""
    file = folder / f"{name}.mtx.xz"
    return str(file) if file.exists() else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--matrices", type=pathlib.Path, default=ROOT.parent / "shared/matrices")
    parser.add_argument("--only", default="", help="run the rows whose name contains this")
    parser.add_argument("--ranks", default="1,2,3,4", help="numbers of ranks for the first problem; the others take 2")
    parser.add_argument("--option", action="append", default=[], help="passed on to tessera solve")
    parser.add_argument("--json", type=pathlib.Path, help="write all solves to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()

    missed, results = 0, {"multigrid": [], "fsai": [], "smoother": []}
    print(f"{'problem':34} ranks {'rows':>9} {'its':>5} {'bound':>5} {'op.c.':>6} {'setup':>7} {'solve':>7} "
          f"{'true residual':>13}  level rows", flush=True)

    def row(name, ranks, problem, xml, bound, complexity):
        nonlocal missed
        r = run(arguments.tessera, ranks, [*problem, "--xml", str(xml), "--tol", "1e-8", *arguments.option])
        results["multigrid"].append({"problem": name, "bound": bound, "solve": r})
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
            matrix = matrix_file(arguments.matrices, name)
            if matrix is None:
                print(f"{name:34} skipped: {arguments.matrices}/{name}.mtx.xz is not there")
                continue
            problem = ["--matrix", matrix]
            rhs = matrix_file(arguments.matrices, name + "_b")
            problem += ["--rhs", rhs] if rhs else []
            modes = matrix_file(arguments.matrices, name + "_rbm")
            problem += ["--nullspace", modes] if modes else []
            problem += words.split()
            row(name, 2, problem, SA, bound, None)
        missed += sparse_inverses(arguments, scratch, results)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    print(f"{missed} bounds missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
