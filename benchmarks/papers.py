#!/usr/bin/env python3
"""Solves the problems of the papers' tables, for docs/results/papers.md.

    benchmarks/papers.py [--tessera build/default/bin/tessera] [--backend host] [--table TABLE] [--only CASE] [--lists NAME,...] [--json FILE]

Table 5.6 of Bell, Dalton, Olson, "Exposing fine-grained parallelism in algebraic multigrid methods" (2012): smoothed aggregation as
the paper's GPU has it (xml_params/sa_amg_paper.xml), with our aggregates (sa_amg_jacobi.xml), and ML (ml_sa_jacobi.xml, on a host); their
drop tolerance of 0.08 in 5a and 5b. Its table "greedy" has the same list with the paper's CPU's aggregates (greedy_benchmark, on a host). Right-hand sides are random: with b = 1 rounding lets true residuals of these sizes go no lower
than 1e-10.

Iterations with V- and W-cycles of Bernaschi, D'Ambra, Pasquini, "AMG based on compatible weighted matching for GPUs" (2019):
xml_params/matching_amg_paper.xml, and matching_amg_plain.xml, b = 1, to 1e-6.

Table 5.9 of Brannick, Chen, Hu, Zikatanov (2013): unsmoothed aggregation with K-cycles (ua_amg_paper.xml) beside smoothed aggregation on
meshes of triangles, b = 1, to 1e-6.

Tables 4 to 6 of Bernaschi, Bisson, Fantozzi, Janna (2016): FSAI with the paper's parameters beside Jacobi on stand-ins, b = A e, to 1e-8.

Its table "bernaschi_2016_times" (alone, by name) has the times of the same solves on some of a host's cores (--threads) and on a GPU;
Jacobi is the factor that is the diagonal.

Reshaping, Algorithm 3 of Brannick, Chen, Hu, Zikatanov (2013), where couplings are anisotropic, which the paper does not measure:
xml_params/ua_amg_paper.xml with aggregates of at most 4 and 8, with and without reshaping, beside smoothed aggregation; b = 1, to 1e-6.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from figures import FSAI, JACOBI, ROOT, run, with_parameters

BELL = ("sa_amg_paper", "sa_amg_jacobi", "ml_sa_jacobi")
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

# Bernaschi, D'Ambra, Pasquini 2019: case, problem, rows of ours, iterations with the V- and the W-cycle, levels and coarsening ratio (None:
# not in the paper)
BERNASCHI = [
    ("ANI1, 6", "UnstructuredAnisotropy2D --refinements 6 --theta 0", 167297, 192, 123, 4, 3.43),
    ("ANI1, 7", "UnstructuredAnisotropy2D --refinements 7 --theta 0", 670465, 302, 161, 5, 3.11),
    ("ANI1, 8", "UnstructuredAnisotropy2D --refinements 8 --theta 0", 2684417, 466, 205, 6, 3.14),
    ("ANI2, 6", "UnstructuredAnisotropy2D --refinements 6", 167297, 194, 123, None, None),
    ("ANI2, 7", "UnstructuredAnisotropy2D --refinements 7", 670465, 307, 163, None, None),
    ("ANI2, 8", "UnstructuredAnisotropy2D --refinements 8", 2684417, 481, 209, None, None),
    ("LE2D, 6", "Beam2D --refinements 6", 66560, None, None, None, None),
    ("LE2D, 7", "Beam2D --refinements 7", 264192, None, None, None, None),
    ("LE2D, 8", "Beam2D --refinements 8", 1052672, None, None, None, None),
    *((f"Parflow, sigma {sigma}, {side}^3", f"Darcy3D --nx {side} --ny {side} --nz {side} --sigma {sigma}", side**3,
       *((V, W, 6) if side == 100 else (None, None, None)), None)
      for side in (50, 100) for sigma, V, W in ((1, 91, 26), (2, 82, 42), (3, 125, 107), (4, 87, 27), (5, 604, 584))),
]

# Brannick et al. 2013, table 5.9: problem, unknowns in millions where the paper has as many, iterations of its method and of CUSP's
BRANNICK = [
    ("Delaunay2D --nx 512 --ny 512", None, None, None),
    ("Delaunay2D --nx 1024 --ny 1024", 1, 19, 36),
    ("Delaunay2D --nx 2048 --ny 2048", 4, 19, 41),
    ("UnstructuredPoisson2D --refinements 6", None, None, None),
    ("UnstructuredPoisson2D --refinements 7", None, None, None),
]

# Bernaschi et al. 2016, tables 4 to 6: matrix, rows, entries a row, densities before and after the postfilter, iterations of FSAI and of
# Jacobi; k, tau, delta; the stand-in (None: there is none)
BERNASCHI_2016 = [
    ("Thermal2", 1228045, 6.99, 5.586, 1.737, 1221, 4056, (6, 2e-2, 7e-2), "RandomNetwork2D --nx 1108 --ny 1108 --decades 1.5"),
    ("G3_circuit", 1585478, 4.83, 4.207, 1.465, 390, 2054, (7, 2e-2, 7e-2), "RandomNetwork2D --nx 1259 --ny 1259 --decades 2"),
    ("Apache2", 715176, 6.74, 6.774, 0.998, 853, 2834, (9, 1e-2, 5e-2), "ApacheLike3D"),
    ("Apache2, densities", 715176, 6.74, 6.774, 0.998, 853, 2834, (9, 1e-2, 5e-2), "Darcy3D --nx 89 --ny 89 --nz 90 --sigma 7.8"),
    ("Cube3D", 190581, 39.52, 0.594, 0.284, 993, 2005, (6, 2.5e-2, 1e-2), None),
    ("PFlow_742", 742793, 50.00, 1.818, 1.168, 1529, None, (5, 5e-2, 3.5e-3), None),
]

RESHAPING_STEPS = 4


def bernaschi_2016(arguments, scratch):
    """FSAI beside Jacobi to 1e-8, b = A e, by the paper's parameters; the processor's seconds are those of one core with OMP_NUM_THREADS=1."""
    for matrix, rows, entries, before, after, fsai, jacobi, (k, tau, delta), problem in BERNASCHI_2016:
        if arguments.only not in ("", matrix) or arguments.table not in (None, "bernaschi_2016"):
            continue
        one = {"matrix": matrix, "paper": {"rows": rows, "entries": entries, "before": before, "after": after, "fsai": fsai, "jacobi": jacobi},
               "parameters": {"k": k, "tau": tau, "delta": delta}, "solves": {}}
        if problem:
            xml = with_parameters(FSAI, {"fsai: pattern level": k, "fsai: prefilter tolerance": tau, "fsai: postfilter tolerance": delta,
                                          "fsai: max row size": 1000}, scratch)  # the paper cuts none
            for name, list_ in (("jacobi", JACOBI), ("fsai", xml)):
                if name not in (arguments.lists or (name,)):
                    continue
                used = resource.getrusage(resource.RUSAGE_CHILDREN)
                solve = run(arguments.tessera, 1, ["--problem", *problem.split(), "--rhs-kind", "consistent", "--tol", "1e-8", "--max-iterations", "20000",
                                                   "--xml", str(list_), *(["--backend", arguments.backend] if name == "fsai" else [])])
                now = resource.getrusage(resource.RUSAGE_CHILDREN)
                one["solves"][name] = {key: solve[key] for key in (*KEPT, "nonzeros", "threads")}
                one["solves"][name]["processor_seconds"] = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
                if name == "fsai":
                    one["solves"][name]["fsai"] = {key: solve["fsai"][key] for key in ("pattern_density", "density", "largest_row")}
        print(f"{matrix:12} paper {before} -> {after}, FSAI {fsai} of {jacobi}   " + "   ".join(
            f"{name} {s['iterations']} in {s['processor_seconds']:.1f} s {s.get('fsai', '')}"
            for name, s in one["solves"].items()), flush=True)
        yield one


def bernaschi_2016_times(arguments, scratch):
    """Setups and solves of FSAI, and of its diagonal, on hosts' cores and on a GPU, in one run."""
    for matrix, *_, (k, tau, delta), problem in BERNASCHI_2016:
        if arguments.only not in ("", matrix) or arguments.table != "bernaschi_2016_times" or problem is None or "densities" in matrix:
            continue
        one = {"matrix": matrix, "solves": {}}
        for name, level in (("jacobi", 0), ("fsai", k)):
            if name not in (arguments.lists or (name,)):
                continue
            xml = with_parameters(FSAI, {"fsai: pattern level": level, "fsai: prefilter tolerance": tau, "fsai: postfilter tolerance": delta,
                                          "fsai: max row size": 1000}, scratch)
            for backend, threads in (*(("host", threads) for threads in arguments.threads), ("cuda", 8)):
                if name == "jacobi" and backend == "host" and threads < max(arguments.threads):
                    continue
                os.environ["OMP_NUM_THREADS"] = str(threads)
                solve = run(arguments.tessera, 1, ["--problem", *problem.split(), "--rhs-kind", "consistent", "--tol", "1e-8", "--max-iterations", "20000",
                                                   "--repeat", "3" if backend == "cuda" else "1", "--xml", str(xml), "--backend", backend])
                one["solves"][f"{name}_{backend}_{threads}" if backend == "host" else f"{name}_cuda"] = {
                    key: solve[key] for key in (*KEPT, "threads", "setup_seconds", "solve_seconds")}
        print(f"{matrix:12} " + "   ".join(f"{name} {s['iterations']} {1e3 * s['setup_seconds']['min']:.1f} + {1e3 * s['solve_seconds']['min']:.1f} ms"
                                           for name, s in one["solves"].items()), flush=True)
        yield one


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
    40 n^(1/3) unknowns, where coarsening does not end before."""
    for case, problem, rows, V, W, levels, ratio in BERNASCHI:
        if arguments.only not in ("", case) or arguments.table not in (None, "bernaschi_2019"):
            continue
        one = {"case": case, "paper": {"V": V, "W": W, "levels": levels, "ratio": ratio}, "limit": round(40 * rows ** (1 / 3)), "solves": {}}
        for name, base, cycle in (("V", "matching_amg_paper", "V"), ("W", "matching_amg_paper", "W"), ("plain", "matching_amg_plain", "V")):
            if name not in (arguments.lists or (name,)):
                continue
            xml = with_parameters(ROOT / f"xml_params/{base}.xml", {"coarse: max size": one["limit"], "cycle type": cycle}, scratch)
            history = scratch / "history.csv"
            solve = run(arguments.tessera, 1, ["--problem", *problem.split(), "--tol", "1e-6", "--max-iterations", "3000", "--xml", str(xml),
                                               "--history", str(history), "--backend", arguments.backend])
            kept = one["solves"][name] = {key: solve[key] for key in KEPT}
            kept["recursive_iterations"] = recursive_iterations(history, 1e-6)
            sizes = [level["rows"] for level in solve["levels"]]
            kept["levels"], kept["coarsest"] = len(sizes), sizes[-1]
            kept["ratio"] = sum(fine / coarse for fine, coarse in zip(sizes, sizes[1:])) / (len(sizes) - 1)
        print(f"{case:24} paper V {V or '-':>4} W {W or '-':>4}   " + "   ".join(
            f"{name} {kept['recursive_iterations']} {kept['iterations']}{'' if kept['converged'] else ' ' + kept['status']} {kept['operator_complexity']:.3f}"
            for name, kept in one["solves"].items()), flush=True)
        yield one


def brannick_2013(arguments):
    """Table 5.9: iterations and times to 1e-6, b = 1; CUSP's method is that of sa_amg_paper."""
    for problem, unknowns, theirs, cusp in BRANNICK:
        if arguments.only not in ("", problem) or arguments.table not in (None, "brannick_2013"):
            continue
        solves = {}
        for name in arguments.lists or ("ua_amg_paper", "ua_amg_kcycle", "sa_amg_paper", "sa_amg"):
            solve = run(arguments.tessera, 1, ["--problem", *problem.split(), "--tol", "1e-6", *(["--repeat", "3"] if arguments.backend == "cuda" else []), "--xml",
                                               str(ROOT / f"xml_params/{name}.xml"), "--backend", arguments.backend])
            solves[name] = {key: solve[key] for key in (*KEPT, "setup_seconds", "solve_seconds")}
        print(f"{problem:40} " + "   ".join(f"{name} {s['iterations']} {1e3 * s['setup_seconds']['min']:.1f} + {1e3 * s['solve_seconds']['min']:.1f} ms"
                                            for name, s in solves.items()), flush=True)
        yield {"problem": problem, "paper": {"millions": unknowns, "iterations": theirs, "cusp": cusp}, "backend": arguments.backend, "solves": solves}


def greedy(arguments, scratch):
    """Table 5.6 with the aggregates of the paper's CPU."""
    for case, problem, tolerance, *_ in TABLE_5_6:
        if arguments.only not in ("", case) or arguments.table not in (None, "greedy"):
            continue
        xml = with_parameters(ROOT / "xml_params/sa_amg_paper.xml", {"aggregation: drop tol": tolerance}, scratch)
        done = subprocess.run([arguments.tessera.with_name("greedy_benchmark"), xml, *problem.split()], capture_output=True, text=True, check=True)
        solve = json.loads(done.stdout)
        print(f"{case:4} greedy {solve['iterations']}{'' if solve['converged'] else ' ' + solve['status']} {solve['operator_complexity']:.3f}", flush=True)
        yield {"case": case, "solves": {"greedy": solve}}


def bell_2012(arguments, scratch):
    """Table 5.6."""
    for case, problem, tolerance, rows, host, gpu, ml in TABLE_5_6:
        if arguments.only not in ("", case) or arguments.table not in (None, "bell_2012"):
            continue
        solves = {}
        for name in arguments.lists or BELL:
            xml = ROOT / f"xml_params/{name}.xml"
            ours = name.startswith("sa_")
            if tolerance and not ours:
                continue  # nor has the paper ML on these
            if ours:
                xml = with_parameters(xml, {"aggregation: drop tol": tolerance}, scratch)
            solve = run(arguments.tessera, 1, ["--problem", *problem.split(), "--rhs-kind", "random", "--xml", str(xml),
                                               *(["--backend", arguments.backend] if ours else [])])
            solves[name] = {key: solve[key] for key in (*KEPT, "setup_seconds", "solve_seconds")}
        print(f"{case:4} {rows:8} paper: host {host}, GPU {gpu}, ML {ml or '-'}   " + "   ".join(
            f"{name} {s['iterations']}{'' if s['converged'] else ' ' + s['status']} {s['operator_complexity'] or 0:.3f}" for name, s in solves.items()), flush=True)
        yield {"case": case, "paper": {"rows": rows, "host": host, "gpu": gpu, "ml": ml}, "backend": arguments.backend, "solves": solves}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/default/bin/tessera")
    parser.add_argument("--backend", default="host", choices=("host", "cuda"))
    parser.add_argument("--only", default="", help="run this case alone")
    parser.add_argument("--table", choices=("bell_2012", "greedy", "bernaschi_2016", "bernaschi_2016_times", "bernaschi_2019", "brannick_2013", "reshaping"), help="run this table alone")
    parser.add_argument("--lists", type=lambda text: text.split(","), help="of tables 5.6 and 5.9 (matching: V,W,plain; FSAI: jacobi,fsai), these alone")
    parser.add_argument("--threads", type=lambda text: [int(one) for one in text.split(",")], default=[2, 16], help="of the host, in times of FSAI")
    parser.add_argument("--json", type=pathlib.Path, help="write what was found to this file, for benchmarks/performance.py")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        found, failed = {}, 0
        for name, rows in (("table_5_6", bell_2012(arguments, scratch)), ("greedy", greedy(arguments, scratch)),
                           ("bernaschi_2016", bernaschi_2016(arguments, scratch)),
                           ("bernaschi_2016_times", bernaschi_2016_times(arguments, scratch)), ("bernaschi_2019", bernaschi_2019(arguments, scratch)),
                           ("table_5_9", brannick_2013(arguments)), ("reshaping", reshaping(arguments, scratch))):
            for row in rows:
                found.setdefault(name, []).append(row)
                failed += sum(not solve["converged"] for solve in row["solves"].values())
                if arguments.json:  # each time: a run that is cut short has what it has
                    arguments.json.write_text(json.dumps(found, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
