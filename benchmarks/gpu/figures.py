#!/usr/bin/env python3
"""Solves on the host and on the GPU: are the levels the same, and how long does the GPU take?

    benchmarks/gpu/figures.py --tessera build/cuda/bin/tessera [--matrices FOLDER] [--only NAME] [--ranks 1] [--json FILE]

Each problem is set up on both back ends; every level's checksum must agree and iterations may differ by one. Times are minima
of five, the matrix on the device: setup, solve (b = 1, true residual 1e-8), and what it costs to bring the system there. Rows
that miss a bound are marked and make the exit status 1. All .mtx and .mtx.xz files of the folder are set up too.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LISTS = next(p for p in (HERE / "xml_params", HERE.parent.parent / "xml_params") if p.exists())

# name, problem, list, most milliseconds of setup + solve on an H200, whether the host is asked too
GALLERY = [
    ("Laplace2D 1024^2", "--problem Laplace2D --nx 1024 --ny 1024", "sa_amg.xml", 25, True),
    ("Laplace3D 101^3", "--problem Laplace3D --nx 101 --ny 101 --nz 101", "sa_amg.xml", 25, True),
    ("Brick3D 101^3", "--problem Brick3D --nx 101 --ny 101 --nz 101", "sa_amg.xml", 30, True),
    ("RotatedAnisotropy2D 400^2", "--problem RotatedAnisotropy2D --nx 400 --ny 400 --eps 1e-3 --theta 0.3927",
     "sa_amg_anisotropic.xml", None, True),
    ("Elasticity3D 30^3", "--problem Elasticity3D --nx 30 --ny 30 --nz 30", "sa_amg.xml", None, True),
    ("Laplace3D 256^3", "--problem Laplace3D --nx 256 --ny 256 --nz 256", "sa_amg.xml", 250, False),
]
MODES = {"elas_winkel": ["--equations", "3"], "hypre_beam_tet_dof2475": ["--equations", "3", "--with-translations"],
         "hypre_beam_hex_dof459": ["--equations", "3", "--with-translations"]}


def solve(tessera, ranks, arguments):
    """The JSON of one solve; None and what was said when there is none."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "o.json"
        launch = [] if ranks == 1 else ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        done = subprocess.run([*launch, str(tessera.resolve()), "solve", *arguments, "--quiet", "--json", str(out)],
                              env=environment, capture_output=True, text=True)
        if not out.exists():
            return None, (done.stdout + done.stderr).strip()
        return json.loads(out.read_text()), ""


def checksums(result):
    return [level["checksum"] for level in result["levels"]]


def milliseconds(result, key):
    return 1e3 * result[key]["min"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    parser.add_argument("--matrices", type=pathlib.Path)
    parser.add_argument("--only", default="", help="run the rows whose name contains this")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, help="all results")
    arguments = parser.parse_args()
    results, missed = {}, 0
    print(f"{'problem':28} {'levels':>6} {'equal':>5} {'its host':>8} {'gpu':>4} {'setup ms':>8} {'solve ms':>8} "
          f"{'total':>7} {'bound':>5} {'upload':>7} {'B/row':>6} {'residual':>8}", flush=True)

    def row(name, words, xml, bound, with_host, repeat):
        nonlocal missed
        common = [*words, "--xml", str(LISTS / xml), "--tol", "1e-8"]
        gpu, said = solve(arguments.tessera, arguments.ranks, [*common, "--backend", "cuda", "--repeat", str(repeat)])
        host, also = solve(arguments.tessera, arguments.ranks, [*common, "--backend", "host"]) if with_host else (None, "")
        results[name] = {"cuda": gpu, "host": host}
        if gpu is None or (with_host and host is None):
            same = with_host and gpu is None and host is None
            missed += 0 if same else 1
            print(f"{name:28} {'both refuse it: ' if same else 'FAILED: '}{(said or also).splitlines()[-1]}", flush=True)
            return
        equal = host is None or checksums(gpu) == checksums(host)
        close = host is None or gpu["iterations"] <= host["iterations"] + 1
        setup, solved = milliseconds(gpu, "setup_seconds"), milliseconds(gpu, "solve_seconds")
        good = equal and close and (bound is None or setup + solved <= bound)
        missed += 0 if good else 1
        print(f"{name:28} {len(gpu['levels']):6} {'-' if host is None else 'yes' if equal else 'NO':>5} "
              f"{'-' if host is None else host['iterations']:>8} {gpu['iterations']:4} {setup:8.2f} {solved:8.2f} "
              f"{setup + solved:7.2f} {bound or '-':>5} {1e3 * gpu['transfer_seconds']:7.1f} "
              f"{gpu['device_peak_bytes'] / gpu['rows']:6.0f} {gpu['relative_residual']:8.1e}"
              f"{'' if good else '   <-- missed'}", flush=True)

    for name, problem, xml, bound, with_host in GALLERY:
        if arguments.only in name:
            row(name, problem.split(), xml, bound, with_host, 5)
            results[name]["bound"] = bound
    files = sorted(arguments.matrices.glob("*.mtx*")) if arguments.matrices else []
    named = {path.name.split(".")[0]: path for path in files}
    for name, path in named.items():
        if name.endswith(("_b", "_rbm", "_B")) or arguments.only not in name:
            continue
        words = ["--matrix", str(path), "--max-iterations", "200"]
        if name + "_b" in named:
            words += ["--rhs", str(named[name + "_b"])]
        if name + "_rbm" in named:
            words += ["--nullspace", str(named[name + "_rbm"]), *MODES.get(name, [])]
        row(name, words, "sa_amg.xml", None, True, 1)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    print(f"{missed} rows missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
