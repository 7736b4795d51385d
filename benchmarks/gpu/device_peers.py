#!/usr/bin/env python3
"""MueLu and Ifpack2 beside Tessera on one GPU, in a Trilinos with CUDA: by `tessera compare --backend cuda`, for docs/results/gpus.md.

    benchmarks/gpu/device_peers.py [--tessera build/trilinos-cuda/bin/tessera] [--only NAME] [--commit C] [--json FILE]

b = 1, to the true relative residual 1e-8, smallest times of --repeat solves. Belos works on Tpetra's vectors, except for the lists that
leave the whole solve to Tessera. Ifpack2 and each list of MueLu have processes of their own, since an error of a kernel ends
all later work on the GPU. The exit status is 1 where a list of Tessera or Ifpack2 breaks down or has no result.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = next(p for p in (HERE, HERE.parent.parent) if (p / "xml_params").exists())

CASES = {
    "Laplace3D 40^3": "Laplace3D --nx 40 --ny 40 --nz 40",
    "Laplace3D 101^3": "Laplace3D --nx 101 --ny 101 --nz 101",
    "Laplace2D 1024^2": "Laplace2D --nx 1024 --ny 1024",
    "Brick3D 101^3": "Brick3D --nx 101 --ny 101 --nz 101",
    "Elasticity3D 40^3": "Elasticity3D --nx 40 --ny 40 --nz 40",
    "Elasticity3D 60^3": "Elasticity3D --nx 60 --ny 60 --nz 60",
    "Darcy3D 100^3, sigma 1": "Darcy3D --nx 100 --ny 100 --nz 100 --sigma 1",
    "Darcy3D 100^3, sigma 3": "Darcy3D --nx 100 --ny 100 --nz 100 --sigma 3",
    "Darcy3D 100^3, sigma 5": "Darcy3D --nx 100 --ny 100 --nz 100 --sigma 5",
    "RotatedAnisotropy2D 1639^2, theta 0": "RotatedAnisotropy2D --nx 1639 --ny 1639 --eps 1e-3 --theta 0",
    "RotatedAnisotropy2D 1639^2, theta pi/8": "RotatedAnisotropy2D --nx 1639 --ny 1639 --eps 1e-3 --theta 0.39269908169872414",
    "Laplace3D 256^3": "Laplace3D --nx 256 --ny 256 --nz 256",
}
OURS = ["sa_amg", "sa_amg_whole", "elasticity", "robust"]
SINGLE_LEVEL = ["ifpack2_jacobi", "ifpack2_chebyshev"]
MUELU = "muelu_sa_chebyshev"
# MueLu's code for GPUs. KLU2 is right on one rank; its own sweeps would run on the host.
REFACTORED = '<Parameter name="use kokkos refactor" type="bool" value="true"/>'
COARSE = '<Parameter name="coarse: type" type="string" value="KLU2"/>'


def muelu_list(algorithm):
    text = (ROOT / "xml_params" / f"{MUELU}.xml").read_text()
    text = text.replace('value="sa"/>', f'value="{algorithm}"/>{REFACTORED}')
    text = re.sub(r'<ParameterList name="coarse: params">.*?</ParameterList>', "", text, flags=re.S)
    return re.sub(r'<Parameter name="coarse: type"[^>]*/>', COARSE, text)


def kind_of_failure(status, said):
    lines = [line.strip() for line in said.splitlines() if re.search(r"error|exception|illegal|fail|abort|is required", line, re.I)]
    what = "ended by its time limit" if status == 124 else f"exit status {status}"
    return f"{what}: {lines[0][:200]}" if lines else what


def compared(arguments, problem, lists):
    """{name: figures}; "failed" instead of figures where there are none."""
    environment = dict(os.environ, OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", "8"), OMP_WAIT_POLICY="passive")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        words = [word for name, file in lists.items() for word in ("--xml", str(file))]
        line = ["timeout", "-k", "5", str(arguments.limit), str(arguments.tessera), "compare", "--problem", *problem.split(), *words, "--tol", "1e-8",
                "--max-iterations", "2000", "--repeat", str(arguments.repeat), "--backend", "cuda", "--quiet", "--json", str(out)]
        done = subprocess.run(line, env=environment, capture_output=True, text=True)
        if not out.exists():
            return {name: {"failed": kind_of_failure(done.returncode, done.stdout + done.stderr)} for name in lists}, 0
        comparison = json.loads(out.read_text())
    return {name: figures(run) for name, run in zip(lists, comparison["runs"])}, comparison["rows"]


def figures(run):
    if run["iterations"] is None:
        return {"failed": run["reason"] or run["status"]}
    times = {part: 1e3 * run[f"{part}_seconds"]["min"] for part in ("setup", "solve", "total")}
    return {"status": run["status"], "reason": run["reason"], "iterations": run["iterations"], "residual": run["relative_residual"],
            "device_peak_bytes": run["device_peak_bytes"], **times}


def measured(arguments, name):
    problem = CASES[name]
    def presets(names):
        return {one: ROOT / "xml_params" / f"{one}.xml" for one in names}

    lists, rows = compared(arguments, problem, presets(OURS))
    lists.update(compared(arguments, problem, presets(SINGLE_LEVEL))[0])
    with tempfile.TemporaryDirectory() as folder:
        for algorithm in ("unsmoothed", "sa"):
            file = pathlib.Path(folder) / f"muelu_{algorithm}.xml"
            file.write_text(muelu_list(algorithm))
            lists.update(compared(arguments, problem, {file.stem: file})[0])
    return {"problem": name, "rows": rows, "lists": lists}


def printed(one):
    for name, its in one["lists"].items():
        if "failed" in its:
            yield f"{one['problem']:40} {name:20} {its['failed']}"
        else:
            yield (f"{one['problem']:40} {name:20} {its['iterations']:5} iterations  setup {its['setup']:9.2f}  solve {its['solve']:9.2f}  "
                   f"total {its['total']:9.2f} ms  {its['status']}")


def device():
    line = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout
    return [part.strip() for part in (line.splitlines() or ["none, none"])[0].split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, default=ROOT / "build/trilinos-cuda/bin/tessera")
    parser.add_argument("--only", help="one of the problems")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="seconds of a process")
    parser.add_argument("--commit", default="")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.tessera = arguments.tessera.resolve()
    name, driver = device()
    run = {"kind": "device_peers.py", "machine": name.replace("NVIDIA ", ""), "driver": driver, "commit": arguments.commit,
           "date": datetime.date.today().isoformat(), "command": f"benchmarks/gpu/device_peers.py --repeat {arguments.repeat}", "figures": []}
    for case in CASES:
        if arguments.only not in (None, case):
            continue
        run["figures"].append(measured(arguments, case))
        print(*printed(run["figures"][-1]), sep="\n", flush=True)
        if arguments.json:
            arguments.json.write_text(json.dumps(run, indent=1))
    ended = [its.get("status") in ("converged", "rounding level", "not converged") for one in run["figures"]
             for name, its in one["lists"].items() if not name.startswith("muelu")]
    return 0 if ended and all(ended) else 1


if __name__ == "__main__":
    sys.exit(main())
