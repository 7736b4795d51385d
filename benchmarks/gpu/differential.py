#!/usr/bin/env python3
"""Compares GPU and host: levels, statuses and iterations.

    benchmarks/gpu/differential.py --tessera build/cuda/bin/tessera [--ranks 1 2 3] [--json FILE]
    benchmarks/gpu/differential.py --tessera build/cuda/bin/tessera --seconds 300 --seed 1
    benchmarks/gpu/differential.py --tessera build/default/bin/tessera --record levels.json
    benchmarks/gpu/differential.py --tessera build/trilinos-cuda/bin/tessera --recorded levels.json

Without --seconds: every list of xml_params on a scalar, an elastic and a singular problem, on each number of ranks. With --seconds: lists
with random values of their parameters, on random problems. A pair is a run on the host and one on the GPU, each with two setups and two
solves. Both must have the same checksum on every level and the same status. Iterations may differ by one, or by 3 % (a dot product adds
its parts in another order). If they differ by more, the pair runs again with cycles in double. If it agrees there, the cause is rounding
in float, and the pair is counted separately. The exit status is 1 if a pair differs, or if no pair could be compared. A pair is named by
its seed and number, and --only NUMBER runs it alone. --record writes the results of one build on the host; --recorded compares the GPU
with that file instead of with the same build's host.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LISTS = next(p for p in (HERE / "xml_params", HERE.parent.parent / "xml_params") if p.exists())

ROUNDING = "rounding in float"

PROBLEMS = {
    "scalar": "--problem Laplace3D --nx 13 --ny 12 --nz 11",
    "elastic": "--problem Elasticity3D --nx 7 --ny 6 --nz 8",
    "singular": "--problem NeumannLaplace2D --nx 36 --ny 30",
}
# {n} and {m} are random sides, {s} is a seed.
RANDOM_PROBLEMS = [
    "Laplace2D --nx {n}2 --ny {m}1", "Star2D --nx {n}1 --ny {m}0", "Laplace3D --nx {n} --ny {m} --nz 1{s}", "Brick3D --nx {n} --ny {m} --nz 9",
    "Elasticity2D --nx {n}5 --ny {m}", "Elasticity3D --nx {n} --ny 7 --nz {s}", "RotatedAnisotropy2D --nx {n}0 --ny {m}2 --theta 0.{s}",
    "Darcy3D --nx {n} --ny {m} --nz 11 --sigma 2 --seed {s}", "NeumannLaplace2D --nx {n}0 --ny {m}0",
    "NeumannLaplace3D --nx {n} --ny {m} --nz 8", "Delaunay2D --nx {n}0 --ny {m}0 --seed {s}", "UnstructuredPoisson2D --refinements 2",
    "Beam2D --refinements 2",
]
# Random values of parameters. A list with a value that has no effect is refused on both back ends, and is not counted.
MULTIGRID = {
    "cycle type": ("string", ["V", "W", "F", "K"]),
    "aggregation: drop tol": ("double", [0, 0.01, 0.05, 0.08, 0.25]),
    "aggregation: drop scheme": ("string", ["classical", "signed classical", "signed symmetric", "cut-drop"]),
    "aggregation: coupled": ("bool", ["true", "false"]),
    "aggregation: seed": ("int", [1, 2, 3]),
    "aggregation: type": ("string", ["mis2", "paa", "matching"]),
    "aggregation: reshaping steps": ("int", [1, 2]),
    "sa: damping factor": ("double", [0, 1, 1.5]),
    "sa: use filtered matrix": ("bool", ["true", "false"]),
    "sa: eigenvalue estimate num iterations": ("int", [6, 10, 20]),
    "spgemm: type": ("string", ["hash", "esc"]),
    "repartition: min rows per proc": ("int", [1, 50, 400, 2000]),
    "coarse: max size": ("int", [5, 40, 200]),
    "coarse: type": ("string", ["dense", "smoother"]),
    "max levels": ("int", [2, 3, 5]),
    "reuse: type": ("string", ["none", "tP"]),
    "reuse: prepare refresh": ("string", ["first", "second"]),
    "smoother: type": ("string", ["CHEBYSHEV", "RELAXATION", "FSAI"]),
    "smoother: sweeps": ("int", [1, 2, 3]),
    "matching: steps": ("int", [1, 2, 4]),
    "bootstrap: components": ("int", [2, 3]),
}
SMOOTHER = {
    "chebyshev: degree": ("int", [1, 2, 3, 5]),
    "chebyshev: algorithm": ("string", ["first", "fourth", "opt_fourth"]),
    "relaxation: type": ("string", ["Jacobi", "L1-Jacobi"]),
}
FSAI = {
    "fsai: ordering": ("string", ["natural", "random"]),
    "fsai: pattern level": ("int", [0, 1, 2, 4]),
    "fsai: prefilter tolerance": ("double", [0, 0.05, 0.2]),
    "fsai: postfilter tolerance": ("double", [0, 0.05, 0.1]),
    "fsai: adaptive steps": ("int", [1, 3]),
    "fsai: ghost depth": ("int", [0, 1, -1]),
}
ANY = {
    "communication: mode": ("string", ["auto", "none", "naive"]),
    "precision: hierarchy": ("string", ["auto", "float", "double", "half"]),
    "matrix format: type": ("string", ["auto", "CSR", "SELL-C-sigma", "ELLPACK-R", "pJDS", "HYB", "SELL-runs"]),
}
LIMIT = 90  # seconds of one program
OWN = '<ParameterList name="Tessera">'


def ready_lists():
    """Tessera's lists, except for those with smoothers of Ifpack2; all others have no CUDA back end."""
    texts = {path.stem: path.read_text() for path in sorted(LISTS.glob("*.xml"))}
    return {name: text for name, text in texts.items()
            if re.search(r'"Preconditioner Type"[^>]*value="Tessera"', text) and 'value="IFPACK2"' not in text}


def with_parameter(text, name, kind, value):
    """The list with this value of a parameter, which is added or replaced."""
    own = text.rindex(OWN)
    head, tail = text[:own], text[own:]
    new = f'<Parameter name="{name}" type="{kind}" value="{value}"/>'
    pattern = re.compile(r'<Parameter name="' + re.escape(name) + r'"[^>]*/>')
    if pattern.search(tail):
        return head + pattern.sub(new, tail, count=1)
    return head + OWN + new + tail[len(OWN):]


def is_multigrid(text):
    return not re.search(r'"multigrid algorithm"[^>]*value="fsai"', text)


def small(text):
    """The list for small problems: they get several levels, which lie on several ranks."""
    if not is_multigrid(text):
        return text
    return with_parameter(with_parameter(text, "coarse: max size", "int", 60), "repartition: min rows per proc", "int", 100)


def mutated(text, draw):
    tables = [ANY] + ([MULTIGRID, MULTIGRID, SMOOTHER] if is_multigrid(text) else [FSAI, FSAI])
    for _ in range(draw.randint(1, 4)):
        name, (kind, values) = draw.choice(sorted(draw.choice(tables).items()))
        text = with_parameter(text, name, kind, draw.choice(values))
    if re.search(r'"precision: hierarchy"[^>]*value="auto"', text):
        text = with_parameter(text, "precision: half from", "int", draw.choice([0, 5000]))
    return text


def gpus():
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True)
    return max(1, len(listed.stdout.splitlines()))


class Batch:
    """One problem on a number of ranks, and its lists {name: text}."""

    def __init__(self, number, problem, ranks, lists):
        self.number, self.problem, self.ranks, self.lists = number, problem, ranks, lists

    def run(self, tessera, backend, folder):
        out = folder / f"{self.number}-{backend}.json"
        words = []
        for name, text in self.lists.items():
            path = folder / f"{self.number}-{name}.xml"
            path.write_text(text)
            words += ["--xml", str(path)]
        launch = [] if self.ranks == 1 else ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(self.ranks)]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="2",
                           OMP_WAIT_POLICY="passive")
        command = [*launch, str(tessera), "compare", *self.problem.split(), *words, "--tol", "1e-8", "--max-iterations", "100",
                   "--repeat", "2", "--backend", backend, "--quiet", "--json", str(out)]
        try:
            done = subprocess.run(["timeout", "-k", "5", str(LIMIT), *command], env=environment, capture_output=True, text=True, timeout=LIMIT + 20)
        except subprocess.TimeoutExpired:
            return "timeout", {}
        if done.returncode == 124:
            return "timeout", {}
        output = (done.stdout + done.stderr).strip()
        if not out.exists():
            return output, {}
        runs = json.loads(out.read_text())["runs"]
        return output, {name: one for name, one in zip(self.lists, runs)}


def checksums(run):
    return [level["checksum"] for level in run["levels"]]


def iterations_differ(host, gpu):
    return host["iterations"] is not None and abs(host["iterations"] - gpu["iterations"]) > max(1, 0.03 * host["iterations"])


def difference(host, gpu):
    """Describes the difference, except for iterations; empty if there is none."""
    if host["status"] != gpu["status"]:
        return f"{host['status']} on the host, {gpu['status']} on the GPU: {gpu['reason'] or host['reason']}"
    if host["levels"] is not None and checksums(host) != checksums(gpu):
        return "levels differ"
    if host.get("fsai") and host["fsai"]["checksum"] != gpu["fsai"]["checksum"]:
        return "factors differ"
    return ""


def agrees_in_double(batch, name, tessera, folder):
    """Near the residual that cycles in float can reach, the number of iterations depends on their rounding."""
    without = re.sub(r'<Parameter name="precision: half from"[^>]*/>', "", batch.lists[name])
    in_double = with_parameter(without, "precision: hierarchy", "string", "double")
    if in_double == batch.lists[name]:
        return False
    again = Batch(f"{batch.number}-in-double", batch.problem, batch.ranks, {name: in_double})
    return compared(again, tessera, folder) == [(name, "")]


def on_host(batch, tessera, folder, recorded):
    return recorded[f"{batch.problem} on {batch.ranks}"] if recorded else batch.run(tessera, "host", folder)


def compared(batch, tessera, folder, recorded=None):
    """(name, verdict) of each pair. The verdict is None if both back ends refuse the list, ROUNDING if rounding in float is the cause."""
    host_output, host = on_host(batch, tessera, folder, recorded)
    gpu_output, gpu = batch.run(tessera, "cuda", folder)
    if not host and not gpu:
        return [(name, "no run ended in time" if "timeout" in (host_output, gpu_output) else None) for name in batch.lists]
    verdicts = []
    for name in batch.lists:
        if name not in host or name not in gpu:
            where, output = ("GPU", gpu_output) if name in host else ("host", host_output)
            verdicts.append((name, f"no result on the {where}: {output[-300:]}"))
        elif host[name]["status"] == "failed" and gpu[name]["status"] == "failed":
            verdicts.append((name, None))
        else:
            verdict = difference(host[name], gpu[name])
            if not verdict and iterations_differ(host[name], gpu[name]):
                verdict = ROUNDING if agrees_in_double(batch, name, tessera, folder) else (
                    f"{host[name]['iterations']} iterations on the host, {gpu[name]['iterations']} on the GPU")
            verdicts.append((name, verdict))
    return verdicts


def all_batches(ranks):
    number = 0
    for count in ranks:
        for problem in PROBLEMS.values():
            number += 1
            yield Batch(number, problem, count, {name: small(text) for name, text in ready_lists().items()})


def random_batches(ranks, seed, seconds, only):
    ready = sorted(ready_lists().items())
    end = time.monotonic() + 0.75 * seconds  # the rest of the time is for more ranks than GPUs
    number = 0
    while time.monotonic() < end:
        number += 1
        draw = random.Random(f"{seed}-{number}")
        problem = draw.choice(RANDOM_PROBLEMS).format(n=draw.randint(6, 16), m=draw.randint(5, 14), s=draw.randint(1, 9))
        lists = {}
        for k in range(6):
            name, text = draw.choice(ready)
            lists[f"{name}-{k}"] = mutated(small(text), draw)
        count = draw.choice(ranks)
        if only in (None, number):
            yield Batch(number, "--problem " + problem, count, lists)
        if only == number:
            return


KEPT = ("status", "reason", "iterations")


def record(path, batches, tessera):
    """Writes those results of the host that compared() reads."""
    kept = {}
    with tempfile.TemporaryDirectory() as name:
        for batch in batches:
            output, host = batch.run(tessera, "host", pathlib.Path(name))
            if not host:
                raise RuntimeError(f"{batch.problem} on {batch.ranks} ranks: {output}")
            kept[f"{batch.problem} on {batch.ranks}"] = output, {
                one: {**{key: run[key] for key in KEPT}, "levels": run["levels"] and [{"checksum": c} for c in checksums(run)],
                      "fsai": run.get("fsai") and {"checksum": run["fsai"]["checksum"]}} for one, run in host.items()}
    path.write_text(json.dumps(kept))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tessera", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--parallel", type=int, default=max(1, (os.cpu_count() or 1) // 4), help="pairs at a time")
    parser.add_argument("--seconds", type=float, default=0, help="time limit of random pairs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="run only the random problem of this number")
    parser.add_argument("--json", type=pathlib.Path, help="write all differences, with their lists")
    parser.add_argument("--record", type=pathlib.Path, help="write the results of the host, and compare nothing")
    parser.add_argument("--recorded", type=pathlib.Path, help="compare the GPU with this file of --record, not with this build's host")
    arguments = parser.parse_args()
    tessera = arguments.tessera.resolve()
    if not os.access(tessera, os.X_OK):
        parser.error(f"{tessera} is not an executable file")
    batches = (random_batches(arguments.ranks, arguments.seed, arguments.seconds, arguments.only) if arguments.seconds
               else all_batches(arguments.ranks))
    if arguments.record:
        return record(arguments.record, batches, tessera)
    recorded = json.loads(arguments.recorded.read_text()) if arguments.recorded else None
    counts, found = {"same": 0, "rounding": 0, "refused": 0}, []
    crowded = []  # more ranks than GPUs: kernels that wait for each other share one, so these run alone
    devices = gpus()
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
        folder = pathlib.Path(name)

        def work(batch):
            start = time.monotonic()
            verdicts = compared(batch, tessera, folder, recorded)
            if not arguments.seconds:
                print(f"{batch.problem} on {batch.ranks} ranks: {len(verdicts)} lists in {time.monotonic() - start:.0f} s", flush=True)
            return batch, verdicts

        pending = set()
        for batch in batches:
            if batch.ranks > devices:
                crowded.append(batch)
                continue
            pending.add(pool.submit(work, batch))
            if len(pending) < arguments.parallel:
                continue
            done, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            collect(done, counts, found)
        collect(concurrent.futures.wait(pending).done, counts, found)
        end = time.monotonic() + arguments.seconds / 4
        for batch in crowded:
            if not arguments.seconds or time.monotonic() < end:
                collect([pool.submit(work, batch)], counts, found)
    if arguments.json:
        arguments.json.write_text(json.dumps({"counts": counts, "differences": found}, indent=1))
    pairs = counts["same"] + counts["rounding"] + len(found)
    print(f"{pairs} pairs, {len(found)} differ, {counts['rounding']} only by rounding in float; "
          f"{counts['refused']} lists refused on both")
    return 1 if found or pairs == 0 else 0


def collect(done, counts, found):
    for future in done:
        batch, verdicts = future.result()
        for name, verdict in verdicts:
            if verdict is None:
                counts["refused"] += 1
            elif verdict == "":
                counts["same"] += 1
            elif verdict == ROUNDING:
                counts["rounding"] += 1
            else:
                found.append({"number": batch.number, "problem": batch.problem, "ranks": batch.ranks, "list": name, "difference": verdict,
                              "xml": batch.lists[name]})
                print(f"{batch.number}: {batch.problem} on {batch.ranks} ranks, {name}: {verdict}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
