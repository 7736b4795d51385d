"""What the programs whose runs lie in benchmarks/results print, as rows of the tables of performance.py.

A reader takes a run (performance.py says what it holds) and yields pairs of a table's name and a row of it.
"""
import re


def titled(problem, rows):
    """Laplace3D with 1030301 rows is Laplace3D 101^3."""
    dimensions = re.search(r"(\d)D$", problem)
    side = round(rows ** (1 / int(dimensions[1]))) if dimensions else 0
    return f"{problem} {side}^{dimensions[1]}" if side and side ** int(dimensions[1]) == rows else problem


def stencil(name):
    """laplace3d_101 is Laplace3D 101^3."""
    kind, dimensions, side = re.fullmatch(r"(\w+?)(\d)d_(\d+)", name).groups()
    return f"{kind.capitalize()}{dimensions}D {side}^{dimensions}"


def iterations_of(solve):
    return solve["iterations"] if solve["converged"] else f"none in {solve['iterations']}"


def figures(run):
    """benchmarks/figures.py --json"""
    for one in run["figures"]["multigrid"]:
        solve = one["solve"]
        yield "iterations", {"problem": one["problem"], "rows": solve["rows"], "ranks": solve["ranks"], "iterations": iterations_of(solve),
                             "bound": one["bound"], "complexity": solve["operator_complexity"],
                             "levels": " ".join(str(level["rows"]) for level in solve["levels"])}
    for one in run["figures"]["fsai"]:
        static, grown = one["fsai"], one.get("adaptive")
        row = {"matrix": one["problem"], "jacobi": iterations_of(one["jacobi"]), "fsai": iterations_of(static),
               "ratio": static["iterations"] / one["jacobi"]["iterations"], "bound": one["bound"],
               "pattern_density": static["fsai"]["pattern_density"], "density": static["fsai"]["density"]}
        if grown:
            row.update({"adaptive": iterations_of(grown), "adaptive_ratio": grown["iterations"] / static["iterations"],
                        "adaptive_density": grown["fsai"]["density"]})
        yield "fsai", row
    for one in run["figures"]["smoother"]:
        row = {"matrix": one["problem"]}
        for name in ("chebyshev", "fsai"):
            row.update({name: iterations_of(one[name]), f"{name}_setup": one[name]["setup_seconds"]["min"],
                        f"{name}_solve": one[name]["solve_seconds"]["min"]})
        yield "smoother", row


def compare(run):
    """tessera compare --json"""
    json = run["figures"]
    rows = []
    for one in json["runs"]:
        if one["converged"]:
            rows.append({"machine": run["machine"], "problem": titled(json["problem"], json["rows"]),
                         "list": one["xml"].rsplit("/", 1)[-1].removesuffix(".xml"), "iterations": one["iterations"],
                         "setup": one["setup_seconds"]["min"], "solve": one["solve_seconds"]["min"], "total": one["total_seconds"]["min"],
                         "memory": one["peak_memory_bytes"] * 1e-6})
    others = [row for row in rows if row["list"].startswith(("ml_", "muelu_"))]
    for row in rows:
        if others:
            row.update({"ratio": row["total"] / min(o["total"] for o in others), "memory_ratio": row["memory"] / min(o["memory"] for o in others)})
        yield "host", row


def refresh_benchmark(run):
    """refresh_benchmark: text"""
    for line in run["figures"]:
        if found := re.match(r"Laplace(\d)D, (\d+) points a side, \d+ ranks(, \w+)?", line):
            row = {"machine": run["machine"], "problem": f"Laplace{found[1]}D {found[2]}^{found[1]}{found[3] or ''}"}
        elif found := re.match(r"`reuse: prepare refresh` = (\w+)", line):
            prepare = found[1]
        elif found := re.match(r"(setup|first refresh|later refresh) +([\d.]+) ms .* held (\d+) peak (\d+)", line):
            row[f"{prepare}_{found[1].split()[0]}"] = float(found[2])
            if found[1] == "setup":
                row.update({f"{prepare}_held": int(found[3]), f"{prepare}_peak": int(found[4])})
            if found[1] == "later refresh" and prepare == "first":  # which comes last
                yield "refreshes", row


def setup_benchmark(run):
    """setup_benchmark: text"""
    number = r" +([\d.]+)"
    line_of = re.compile(rf" +cuda (\w+) +cold{number} +setup{number} +first refresh{number} +refresh{number} .*? peak{number} +held{number} +refreshes: peak{number} +held{number}")
    refreshes, prepare = {}, None
    for line in run["figures"]:
        if found := re.match(r"(\w+_\d+): \d+ rows, \d+ nonzeros(, \w+)?", line):
            refreshes = {"problem": stencil(found[1]) + (found[2] or "")}
        elif found := line_of.match(line):
            prepare, row = found[1], dict(zip(("cold", "setup", "first", "later", "peak", "held", "refresh_peak", "refresh_held"), map(float, found.groups()[1:])))
            if prepare == "first":
                row["peak"] = max(row["peak"], row["refresh_peak"])
            refreshes.update({f"{prepare}_{key}": row[key] for key in row if key != "cold"})
            if prepare == "first":  # which comes last
                yield "gpu_refreshes", refreshes
        elif line.strip().startswith("setup:") and prepare == "second":
            phases = {name: float(ms) for name, ms in re.findall(r"  ([a-z][a-z ]*?) ([\d.]+)", line)}
            named = ("strength", "aggregation", "prolongator", "galerkin", "eigenvalue")
            yield "phases", {"problem": refreshes["problem"], "setup": row["setup"], "cold": row["cold"], **{k: phases.get(k) for k in named},
                             "rest": sum(ms for name, ms in phases.items() if name not in named)}


def weak_scaling(run):
    """weak_scaling: text"""
    for line in run["figures"]:
        found = re.match(r" *(\d+) ranks on (\d+) devices +(\d+) rows +(\d+) iterations .* setup +([\d.]+) +refresh +([\d.]+) +solve +([\d.]+) +total +([\d.]+)", line)
        if found:
            ranks, devices, rows, iterations = (int(found[k]) for k in range(1, 5))
            yield "ranks", {"unknowns": f"{round((rows / ranks) ** (1 / 3))}^3", "ranks": ranks, "devices": devices, "iterations": iterations,
                            **dict(zip(("setup", "refresh", "solve", "total"), (float(found[k]) for k in range(5, 9))))}


def overlap_benchmark(run):
    """overlap_benchmark: text"""
    for line in run["figures"]:
        found = re.match(r"(.*), (\d+\^3) a rank, ghosts (\d+)%, (\w+)  (\d+) ranks x (\d+) threads  none ([\d.]+)  naive ([\d.]+)  task ([\d.]+)(?:  auto ([\d.]+))? us", line)
        if found:
            none, naive, task = (float(found[k]) for k in range(7, 10))
            yield "overlap", {"problem": f"{found[1]}, {found[4]}", "ranks": int(found[5]), "unknowns": found[2], "ghosts": int(found[3]),
                              "threads": int(found[6]), "none": none, "naive": naive, "task": task, "naive_ratio": naive / none,
                              "task_ratio": task / naive, **({"auto": float(found[10])} if found[10] else {})}


def message_counts(run):
    """message_counts: text"""
    counts = r"(\d+) messages, ([\d.]+) kB, (\d+) reductions, (\d+) gathers, (\d+) all-to-alls(?:, (\d+) overlapped reductions)?"
    for line in run["figures"]:
        if found := re.match(r"(\d+) ranks, (\d+)\^3 a rank, (setup|cycle)(?:, ([a-z ]+))?: " + counts, line):
            row = {"ranks": int(found[1]), "side": int(found[2]), "of": found[3], "messages": int(found[5]), "kilobytes": float(found[6]),
                   "reductions": int(found[7]), "gathers": int(found[8]), "all_to_alls": int(found[9])}
            if not found[4]:
                yield "messages", row
            if found[10] and found[3] == "setup":
                yield "waits", {**row, "phase": found[4] or "all", "overlapped": int(found[10])}
        elif found := re.match(r"(\d+) ranks, (\d+)\^3 a rank, levels:(.*)", line):
            levels = re.findall(r" (\d+) rows (\d+) nonzeros on (\d+),", found[3])
            yield "messages", {"ranks": int(found[1]), "side": int(found[2]), "of": "levels",
                               "levels": [{"rows": int(n), "nonzeros": int(z), "active": int(p)} for n, z, p in levels]}


def latency(run):
    """latency.py: text"""
    for line in run["figures"]:
        if found := re.match(r"(\d+) us, (.*, ([\d.]+) ms)$", line):
            yield "latency", {"latency": int(found[1]), "ms": float(found[3]), **next(message_counts({"figures": [found[2]]}))[1]}


def gpu_figures(run):
    """benchmarks/gpu/figures.py --json"""
    for problem, one in run["figures"].items():
        gpu, host = one["cuda"], one["host"]
        if gpu and "bound" in one:
            yield "solves", {"problem": problem, "iterations": gpu["iterations"], "host_iterations": host and host["iterations"],
                             "setup": 1e3 * gpu["setup_seconds"]["min"], "solve": 1e3 * gpu["solve_seconds"]["min"],
                             "total": 1e3 * (gpu["setup_seconds"]["min"] + gpu["solve_seconds"]["min"]), "bound": one["bound"],
                             "upload": 1e3 * gpu["transfer_seconds"], "bytes": gpu["device_peak_bytes"] / gpu["rows"]}


FORMAT_KEYS = {"SELL-C-sigma": "sell", "ELLPACK-R": "ellpack_r", "cuSPARSE CSR": "cusparse_csr", "cuSPARSE SELL": "cusparse_sell",
               "pJDS permuted": "pjds_permuted"}


def read_bandwidth(figures):
    """Bytes/s of the fastest of cudaMemcpy, the copy kernel and the products of over 1 GB, far more than a cache holds.

    Half of a copy's bytes are written, hardly any of a product's, and reading is faster. In one run memcpy reached half of what it reached in others."""
    return max(*figures["copy"].values(), *(one["bytes_per_second"] for one in figures["spmv"] if one["bytes"] > 1e9))


def pcie(name, one, memory):
    """Kreutzer et al. 2012, equations 2 to 4, at the bandwidth `memory`; alpha from one load of each x to one load an entry."""
    rows, mean, times = one["rows"], one["nonzeros"] / one["rows"], one["pcie"]
    alphas, bus = (1 / mean, 1.0), 16 * rows / times["copies"]
    ratio = memory / bus
    return {"matrix": name, "mean": mean, "product": 1e6 * times["product"], "model_product": [8e6 * rows / memory * (mean * (a + 1.5) + 2) for a in alphas],
            "copies": 1e6 * times["copies"], "bus": 1e-9 * bus, "both": 1e6 * times["both"], "without": 2e-9 * one["nonzeros"] / times["product"],
            "with": 2e-9 * one["nonzeros"] / times["both"], "half": [2 * (ratio - 1) / (a + 1.5) for a in reversed(alphas)],
            "tenth": [(20 * ratio - 2) / (a + 1.5) for a in reversed(alphas)]}


def formats(run):
    """formats_benchmark --json, and the matrices of gpu_spmv_benchmark --json"""
    for one in run["figures"].get("matrices", ()):
        flops, paper = 2 * one["nonzeros"], one["paper"] or {}
        name = one["matrix"] + (", stand-in" if paper.get("stand_in") else "")
        memory = {"matrix": name, "paper_saved": paper.get("saved"), "rows": one["rows"], "longest": one["longest"],
                  "mean": one["nonzeros"] / one["rows"], "automatic": one["automatic"]}
        host = "triad" in one
        speed = {"matrix": name, "machine": run["machine"]}
        for stored in one["formats"]:
            key = FORMAT_KEYS.get(stored["format"], stored["format"].lower())
            memory[f"{key}_saved"] = round(1 - stored["entries"] / (one["rows"] * one["longest"]), 3) + 0.0  # no -0.0
            memory[f"{key}_overhead"] = stored["entries"] / one["nonzeros"] - 1
            speed.update({key: 1e-9 * flops / stored["seconds"], f"{key}_rate": 1e-9 * stored["bytes"] / stored["seconds"]})
        speed["ratio"] = speed["pjds"] / speed["ellpack_r"]
        if paper:
            speed["paper_ratio"] = paper["pjds"] / paper["ellpack_r"]
        if host:
            # A triad counts 24 bytes an element; its store also loads a line of the cache, so 32 bytes move.
            speed["model"] = [1e-9 * one["triad"] * 32 / 24 / balance for balance in one["balance"]]
        yield "formats_memory", memory
        yield ("formats_host" if host else "formats_gpu"), speed
        if "single" in one:
            single = {"matrix": name, **{FORMAT_KEYS.get(f["format"], f["format"].lower()): 1e-9 * flops / f["seconds"] for f in one["single"]}}
            yield "formats_gpu_single", dict(single, ratio=single["pjds"] / single["ellpack_r"], paper_ratio=paper["single_pjds"] / paper["single_ellpack_r"])
        if "pcie" in one:
            yield "pcie", pcie(name, one, read_bandwidth(run["figures"]))


def spmv(run):
    """gpu_spmv_benchmark --json"""
    yield from formats(run)
    rows = {}
    for one in run["figures"]["spmv"]:
        row = rows.setdefault(one["problem"], {"problem": one["problem"]})
        key = f"{one['type']}_" + {"SELL": "sell", "CSR": "csr", "cuSPARSE CSR": "cusparse"}[one["kernel"]]
        row.update({key: 1e6 * one["seconds"], f"{key}_rate": 1e-12 * one["bytes_per_second"]})
        if one["kernel"] == "SELL":
            row[f"{one['type']}_ratio"] = one["over_cusparse"]
    for row in rows.values():
        yield "products", row


def cycle(run):
    """gpu_cycle_benchmark --json"""
    for one in run["figures"]["cycle"]:
        yield "cycle", {"problem": one["problem"], "megabytes": 1e-6 * one["bytes"], "us": 1e6 * one["seconds"],
                        "copy": 1e6 * one["seconds"] * one["of_copy"], "of_copy": one["of_copy"]}


def fsai(run):
    """gpu_fsai_benchmark --json"""
    for one in run["figures"]["cholesky"]:
        yield "cholesky", {"size": one["size"], "ms": 1e3 * one["seconds"], "gflops": 1e-9 * one["operations_per_second"], "k80": one["k80_over"]}
        yield cholesky_row(one["size"], gpu=1e3 * one["seconds"])
    for one in run["figures"]["setups"]:
        yield "fsai_setup", {"problem": one["problem"], "setup": 1e3 * one["setup"], "refresh": 1e3 * one["refresh"],
                             "pattern_density": one["pattern_density"], "density": one["density"], "gigabytes": 1e-9 * one["peak"]}


# Bernaschi et al. 2016, table 3: of each size, ms on a K80 in single and in double and on a Xeon of six cores in double
CHOLESKY_PAPER = {16: (0.84, 1.11, 13.02), 32: (1.85, 2.57, 52.04), 64: (4.99, 6.55, 217.45), 96: (10.28, 18.83, 617.80), 128: (18.77, 62.95, 1036.87),
                  160: (45.16, 80.90, 1885.65), 192: (70.31, 146.33, 2815.09), 224: (109.36, 187.54, 3505.80), 256: (136.61, 446.06, 4469.03)}


def cholesky_row(size, **ours):
    """Of the paper's table 3, its figures and some of ours."""
    single, double, host = CHOLESKY_PAPER[size]
    return "bernaschi_2016_3", {"size": size, "k80_single": single, "k80_double": double, "xeon": host, **ours}


def cholesky_benchmark(run):
    """cholesky_benchmark: text"""
    for line in run["figures"]:
        if found := re.match(r"size +(\d+) +([\d.]+) ms +([\d.]+) GFlop/s", line):
            yield cholesky_row(int(found[1]), host=float(found[2]), host_gflops=float(found[3]))


def modes_benchmark(run):
    """modes_benchmark: text"""
    for line in run["figures"]:
        found = re.match(r"(.*, stand-in), (\d+) rows, (\d+) entries, (\d+) ghosts, product  (\d+) ranks x (\d+ \w+?)s?  none ([\d.]+)  naive ([\d.]+)  task ([\d.]+)(?:  auto ([\d.]+))? us", line)
        if found:
            entries = int(found[3])
            speeds = {mode: 2e-3 * entries / float(found[k]) for k, mode in ((7, "none"), (8, "naive"), (9, "task"), (10, "auto")) if found[k]}
            yield "kreutzer_modes", {"ranks": int(found[5]), "each": found[6], "matrix": found[1], "ghosts": int(found[4]), **speeds}


def levels_benchmark(run):
    """gpu_levels_benchmark --json"""
    for problem in run["figures"]["problems"]:
        for number, level in enumerate(problem["levels"]):
            row = {"problem": problem["problem"], "level": number, "rows": level["rows"], "entries": level["entries"], "aggregates": level["aggregates"]["us"]}
            for key, value in level.items():
                if isinstance(value, dict) and "of_copy" in value:
                    row.update({f"{key}_us": value["us"], f"{key}_of_copy": value["of_copy"]})
            yield "bell_2012_levels", row


def fsai_times(one):
    """Of one matrix: ms of each, and how many times as fast as hosts the GPU is."""
    row = {"matrix": one["matrix"]}
    for name, solve in one["solves"].items():
        row.update({f"{name}_iterations": iterations_of(solve), f"{name}_setup": 1e3 * solve["setup_seconds"]["min"], f"{name}_solve": 1e3 * solve["solve_seconds"]["min"]})
    for host in (name for name in one["solves"] if name.startswith("fsai_host")):
        parts = {part: [row[f"{name}_{part}"] for name in (host, "fsai_cuda")] for part in ("setup", "solve")}
        parts["total"] = [sum(both) for both in zip(*parts.values())]
        row.update({f"{host}_{part}_ratio": of_host / of_gpu for part, (of_host, of_gpu) in parts.items()})
    return row


def papers(run):
    """benchmarks/papers.py --json"""
    for one in run["figures"].get("bernaschi_2016", []):
        paper = one["paper"]
        row = {"matrix": one["matrix"], "parameters": "{k}; {tau:g}; {delta:g}".format(**one["parameters"]), "paper_rows": paper["rows"], "paper_entries": paper["entries"],
               "paper_before": paper["before"], "paper_after": paper["after"], "paper_jacobi": paper["jacobi"] or "over 10000", "paper_fsai": paper["fsai"]}
        if paper["jacobi"]:
            row["paper_ratio"] = paper["fsai"] / paper["jacobi"]
        if one["solves"]:
            fsai = one["solves"]["fsai"]
            row.update({"problem": fsai["problem"], "rows": fsai["rows"], "entries": fsai["nonzeros"] / fsai["rows"], "before": fsai["fsai"]["pattern_density"],
                        "after": fsai["fsai"]["density"], "fsai": iterations_of(fsai), "fsai_seconds": fsai["processor_seconds"]})
            if jacobi := one["solves"].get("jacobi"):
                row.update({"jacobi": iterations_of(jacobi), "ratio": fsai["iterations"] / jacobi["iterations"], "jacobi_seconds": jacobi["processor_seconds"]})
        yield "bernaschi_2016", row
    for one in run["figures"].get("bernaschi_2016_times", []):
        yield "bernaschi_2016_times", fsai_times(one)
    for one in run["figures"].get("greedy", []):
        yield "bell_2012", {"case": one["case"], "greedy": iterations_of(one["solves"]["greedy"]), "greedy_complexity": one["solves"]["greedy"]["operator_complexity"]}
    for one in run["figures"].get("bernaschi_2019", []):
        row = {"case": one["case"], "limit": one["limit"], **{f"paper_{key}": value for key, value in one["paper"].items()}}
        for name, solve in one["solves"].items():
            row.update({"rows": solve["rows"], f"{name}_recursive": solve["recursive_iterations"], f"{name}_true": iterations_of(solve),
                        f"{name}_complexity": solve["operator_complexity"], f"{name}_levels": solve["levels"], f"{name}_coarsest": solve["coarsest"],
                        f"{name}_ratio": solve.get("ratio")})
        yield "bernaschi_2019", row
    for one in run["figures"].get("table_5_9", []):
        row = {"problem": one["problem"].replace("--", ""), **{f"paper_{key}": value for key, value in one["paper"].items()}}
        for name, solve in one["solves"].items():
            row.update({"rows": solve["rows"], name: iterations_of(solve)})
            if one["backend"] == "cuda":  # the table's times
                row.update({f"{name}_setup": 1e3 * solve["setup_seconds"]["min"], f"{name}_solve": 1e3 * solve["solve_seconds"]["min"]})
        if {"ua_amg_paper_setup", "sa_amg_paper_setup"} <= set(row):
            row["ratio"] = row["ua_amg_paper_setup"] / row["sa_amg_paper_setup"]
        yield "brannick_2013_9", row
    for one in run["figures"].get("table_5_6", []):
        paper = one["paper"]
        row = {"case": one["case"], "paper_rows": paper["rows"], "host": paper["host"], "gpu": paper["gpu"], "ml": paper["ml"]}
        for name, solve in one["solves"].items():
            row.update({"problem": solve["problem"], "rows": solve["rows"], name: iterations_of(solve), f"{name}_complexity": solve["operator_complexity"]})
        yield "bell_2012", row
        times = {"case": one["case"]}
        for name, shown in (("sa_amg_paper", one["backend"]), ("ml_sa_jacobi", "ml")):
            solve = one["solves"].get(name, {})
            if "setup_seconds" in solve:
                times.update({f"{shown}_setup": 1e3 * solve["setup_seconds"]["min"], f"{shown}_iteration": 1e3 * solve["solve_seconds"]["min"] / solve["iterations"]})
        if len(times) > 1:
            yield "bell_2012_times", times
    for one in run["figures"].get("reshaping", []):
        row = {"case": one["case"]}
        for name, solve in one["solves"].items():
            row.update({name: iterations_of(solve), f"{name}_complexity": solve["operator_complexity"]})
        for most in (4, 8):
            plain, reshaped = (one["solves"].get(f"{name}_{most}") for name in ("plain", "reshaped"))
            if plain and reshaped and plain["converged"] and reshaped["converged"]:
                row[f"ratio_{most}"] = reshaped["iterations"] / plain["iterations"]
        yield "reshaping", row


def brannick(run):
    """test_papers --gtest_output=json: figures in the properties of its tests, whose names or whose own say the table"""
    for test in (one for suite in run["figures"]["testsuites"] for one in suite["testsuite"]):
        for key, value in test.items():
            table = re.match(r"Table(\d)(\d)", test["name"]) or re.match(r"(\d)(\d)_n", key)
            at, level = re.fullmatch(r"(?:\d\d_)?n(\d+)_t(\d)", key), re.fullmatch(r"from(\d)_to(\d)", key)
            if not (at or level):
                continue
            paper_ratio, paper_energy, ratio, energy = map(float, value.split())
            if at:
                yield "brannick_2013", {"table": f"{table[1]}.{table[2]}", "n": int(at[1]), f"paper_{at[2]}": f"({paper_ratio:.2f}) {paper_energy:.2f}",
                                        f"ours_{at[2]}": f"({ratio:.2f}) {energy:.2f}"}
            else:
                yield "brannick_2013_levels", {"levels": f"{level[1]} to {level[2]}", "paper_ratio": paper_ratio, "ratio": ratio,
                                               f"paper_{table[2]}": paper_energy, f"ours_{table[2]}": energy}


def methods(run):
    """benchmarks/methods.py --json"""
    for table, problems in run["figures"].items():
        for one in problems:
            row = {"problem": one["problem"]}
            for name, solve in one["solves"].items():
                row.update({name: iterations_of(solve), f"{name}_complexity": solve["operator_complexity"]})
            yield table, row


def hard(run):
    """benchmarks/hard.py --json"""
    for one in run["figures"].get("hard", []):
        row = {"problem": one["problem"], "whose": one["whose"]}
        for name, solve in one["solves"].items():
            row["rows"] = solve.get("rows", row.get("rows"))
            row[name] = (solve["iterations"] if solve["converged"] else f"{solve['iterations']}*" if solve["status"] == "rounding level" else
                         "none" if solve["status"] == "not converged" else solve["status"])
        yield "hard", row
    for one in run["figures"].get("elastic", []):
        row = {"problem": one["problem"]}
        for name, solve in one["solves"].items():
            row.update({"rows": solve["rows"], name: iterations_of(solve), f"{name}_complexity": solve["operator_complexity"]})
            if solve["rows"] >= 10000 and "processor_seconds" in solve:  # less is over before it can be timed
                row[f"{name}_seconds"] = solve["processor_seconds"]
        yield "elastic", row


def conformance(run):
    """stratimikos_conformance --json"""
    for one in run["figures"]["preconditioners"]:
        for rule, outcome in one["rules"].items():
            yield "conformance", {"rule": rule, one["preconditioner"]: outcome}


def tune(run):
    """benchmarks/tune.py --json"""
    for one in run["figures"]["tune"]:
        row = {key: one[key] for key in ("problem", "rows", "best", "fastest", "other", "ratio", "other_ratio") if one.get(key) is not None}
        row.update({f"{key}_ms": 1e3 * one[f"{key}_seconds"] for key in ("tuned", "fastest", "other") if f"{key}_seconds" in one})
        yield "tune", row


def two_ranks(run):
    """benchmarks/two_ranks.py --json"""
    for one in run["figures"]["two_ranks"]:
        totals = {name: its["total"] for name, its in one["lists"].items()}
        theirs = min((name for name in totals if name.startswith(("ml_", "muelu_"))), key=totals.get)
        ours = min((name for name in totals if not name.startswith(("ml_", "muelu_"))), key=totals.get)
        for name in sorted(totals, key=totals.get):
            yield "two_ranks", {"problem": one["problem"], "list": name, **one["lists"][name], "ratio": totals[name] / totals[theirs],
                                **({"bound": one["bound"]} if name == ours else {})}


def presets(run):
    """benchmarks/presets.py --json"""
    for one in run["figures"]["presets"]:
        row = {"problem": one["problem"], **{f"{key}_spread": spread for key, spread in one["spread"].items()}}
        ours = {name: its for name, its in one["lists"].items() if not name.startswith(("ml_", "muelu_"))}
        for name, its in ours.items():
            row.update({name: iterations_of(its), f"{name}_complexity": its["operator_complexity"], f"{name}_ms": 1e3 * its["total"]})
        others = {name: its["total"] for name, its in one["lists"].items() if name not in ours and its["converged"]}
        if others:
            best = min(others, key=others.get)
            least = min(ours[name]["total"] for name in ("robust", "classical_amg"))
            row.update({"other": best, "other_ms": 1e3 * others[best], "ratio": least / others[best]})
        yield ("files" if others else "presets"), row


def peers(run):
    """Others' programs on the same problems and kind of GPU: milliseconds and iterations of each, by problem"""
    for one in run["figures"]["problems"]:
        totals = {peer: its.get("total", its["setup"] + its["solve"]) for peer, its in one["peers"].items()}
        for peer, its in one["peers"].items():
            yield "peers", {"problem": one["problem"], "peer": f"{peer} {run['figures']['versions'][peer]}", **its, "total": totals[peer]}
        if "," not in one["problem"]:  # else no row of the table has this problem
            best = min(totals, key=totals.get)
            yield "solves", {"problem": one["problem"], "others": f"{best} {totals[best]:g}"}


def tpetra(run):
    """benchmarks/trilinos/tpetra_benchmark: its objects, one a size, in a list"""
    solvers = [("classes", "belos_cg", "SA-AMG, Belos' Pseudo Block CG"), ("classes", "tessera_cg", "SA-AMG, TESSERA CG"), ("arrays", "solve", "ArraysSolver"),
               ("levels", "refresh", "the levels alone, without checks"), ("muelu", "belos_cg", "MueLu, Belos' Pseudo Block CG")]
    for one in run["figures"]:
        side = round(one["rows"] ** (1 / 3))
        for part, solve, name in solvers:
            its = one.get(part)
            if its:
                figures = {key: its[key]["median"] for key in ("setup", "refresh", "apply") if key in its}
                moved = {"bytes": sum(its[key]["bytes"] for key in {"refresh", solve})} if "refresh" in its else {}
                solved = {} if solve == "refresh" else {"solve": its[solve]["median"], "iterations": its[solve]["iterations"]}
                yield "tpetra", {"problem": f"Laplace3D {side}^3", "how": name, **figures, **solved, **moved}


def device_peers(run):
    """benchmarks/gpu/device_peers.py: a row for each list that ran on a problem; ratio: of its total to the smallest of MueLu's and Ifpack2's

    lists that came as far: to the tolerance, else to the rounding level, else to the last iteration."""
    others, ends = ("muelu", "ifpack2"), ("converged", "rounding level", "not converged")
    for one in run["figures"]:
        theirs = [(ends.index(its["status"]), its["total"]) for name, its in one["lists"].items() if name.startswith(others) and its.get("status") in ends]
        for name, its in one["lists"].items():
            if name.startswith("muelu") and "failed" in its:
                continue
            ended = {} if its.get("status") == "converged" else {"remark": its.get("failed") or its["status"]}
            best, total = min(theirs, default=(-1, 0))
            comparable = not name.startswith(others) and its.get("status") in ends[:2] and ends.index(its["status"]) <= best
            ratio = {"ratio": its["total"] / total} if comparable else {}
            figures = {key: its[key] for key in ("iterations", "setup", "solve", "total") if key in its}
            peak = {"peak": its["device_peak_bytes"] / 1e6} if its.get("device_peak_bytes") else {}
            yield "device_peers", {"problem": one["problem"], "list": name, **figures, **peak, **ratio, **ended}


KINDS = {"figures.py": figures, "formats_benchmark": formats, "papers.py": papers, "test_papers": brannick, "methods.py": methods, "tessera compare": compare,
         "refresh_benchmark": refresh_benchmark, "setup_benchmark": setup_benchmark, "weak_scaling": weak_scaling,
         "overlap_benchmark": overlap_benchmark, "message_counts": message_counts, "latency.py": latency, "gpu/figures.py": gpu_figures,
         "gpu_spmv_benchmark": spmv, "gpu_cycle_benchmark": cycle,
         "gpu_fsai_benchmark": fsai, "cholesky_benchmark": cholesky_benchmark, "modes_benchmark": modes_benchmark, "levels_benchmark": levels_benchmark, "peers": peers, "tpetra_benchmark": tpetra, "device_peers.py": device_peers,
         "hard.py": hard,
         "stratimikos_conformance": conformance, "tune.py": tune, "two_ranks.py": two_ranks, "presets.py": presets}


def rows_of(run):
    if run["kind"] == "rows":
        found = [(run["table"], dict(row)) for row in run["figures"]]
        return found + [cholesky_row(row["size"], gpu=row["ms"]) for table, row in found if table == "cholesky"]
    return KINDS[run["kind"]](run)
