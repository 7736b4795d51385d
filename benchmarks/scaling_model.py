#!/usr/bin/env python3
"""A model of setups and solves on up to 10^4 GPUs; writes docs/results/scaling.md and docs/results/scaling.svg.

    benchmarks/scaling_model.py             writes them
    benchmarks/scaling_model.py --check     says whether they are what it prints; exit status 1 where one is not

All that it knows of the library is in benchmarks/results: the levels that hierarchies of Laplace3D have and the messages that ranks
send, times of one GPU, of two, and of an exchange. It is compared with figures of three and four GPUs. What no run says stands in ASSUMED.
"""
import argparse
import json
import math
import sys
from collections import namedtuple

import performance
from scaling_document import PARTS, filled
from scaling_plot import Curve, plot

# What no run here says; text for the document and values.
Assumed = namedtuple("Assumed", "text value")
NETWORK = Assumed("an exchange between hosts takes 12 us, 1 us for each further neighbour, and goes at 40 GB/s a GPU (400 Gbit/s a GPU at 80 %, "
                  "messages of MPI from device memory)", (12.0, 1.0, 40.0))
STEP = Assumed("one of the log2(P) steps of a reduction or a gather takes 1 us within a host and 3 us between hosts", (1.0, 3.0))
HOST = Assumed("hosts have 8 GPUs", 8)
ITERATIONS = Assumed("a doubling of the grid's side adds an iteration (10 at 64^3 and 101^3, 11 at 160^3, 12 at 256^3)", 1.0)
REDUCTIONS = Assumed("an iteration of conjugate gradients has 2 reductions", 2)
ASSUMED = (NETWORK, STEP, HOST, ITERATIONS, REDUCTIONS)

COARSEST = 500  # `coarse: max size`
ROWS_A_RANK = 20000  # `repartition: min rows per proc` on a GPU; messages are counted on hosts, where it is
HOSTS_ROWS_A_RANK = 2000
FLOAT, DOUBLE = 4, 8
# A smoothed level's passes in a V-cycle: Chebyshev of degree 2 from zero, residual, restriction, correction, the same Chebyshev.
KERNELS, EXCHANGES = 7, 6


def figures(name):
    return json.loads((performance.RESULTS / f"{name}.json").read_text())["figures"]


def find(rows, **where):
    return next(row for row in rows if all(row.get(key) == value for key, value in where.items()))


class Ratios:
    """Rows and row lengths of levels, by the largest hierarchy that was counted."""

    def __init__(self, messages):
        hierarchies = [row["levels"] for row in messages if row["of"] == "levels"]
        levels = max(hierarchies, key=lambda levels: levels[0]["rows"])
        kept = [level for level in levels if level["rows"] > COARSEST]
        self.largest = levels
        self.coarsening = [a["rows"] / b["rows"] for a, b in zip(levels, levels[1:]) if b["rows"] > COARSEST / 10]
        self.length = [level["nonzeros"] / level["rows"] for level in kept]

    def levels(self, rows):
        """[(rows, nonzeros a row)], the coarsest last."""
        found = [(rows, self.length[0])]
        while found[-1][0] > COARSEST:
            l = len(found)
            found.append((found[-1][0] / self.coarsening[min(l, len(self.coarsening)) - 1], self.length[min(l, len(self.length) - 1)]))
        return found


class Machine:
    """What the runs say of a GPU and of the way between two."""

    def __init__(self, ratios, messages, ranks):
        self.ratios, self.ranks = ratios, ranks
        cycles, exchange = figures("gpu-cycle"), figures("gpu-exchange")
        small, large = (find(cycles, problem=f"Laplace3D {n}^3") for n in (101, 256))
        one, two = ({n: find(ranks, unknowns=f"{n}^3", ranks=p, devices=p) for n in (101, 256)} for p in (1, 2))
        # us of a cycle = megabytes / bandwidth + what its kernels take besides
        self.bandwidth = (large["megabytes"] - small["megabytes"]) / (large["us"] - small["us"])
        self.cycle_megabytes = large["megabytes"] / sum(rows * length for rows, length in ratios.levels(256**3))  # a nonzero
        self.kernel = (small["us"] - small["megabytes"] / self.bandwidth) / (KERNELS * (len(ratios.levels(101**3)) - 1) + 1)
        self.krylov = (1e3 * one[256]["solve"] / one[256]["iterations"] - large["us"]) / 256**3  # us a row of the rest of an iteration
        self.setup_row = 1e3 * (one[256]["setup"] - one[101]["setup"]) / (256**3 - 101**3)
        self.setup_fixed = 1e3 * one[101]["setup"] - self.setup_row * 101**3
        def line(column):
            first, last = exchange[0], exchange[-1]
            per_byte = (last[column] - first[column]) / (DOUBLE * (last["n"] - first["n"]))
            return first[column] - per_byte * DOUBLE * first["n"], 0.0, 1e-3 / per_byte  # us, us a further neighbour, GB/s
        self.peer, self.staged = line("in a graph"), line("by MPI")
        # What setups of two GPUs take over those of one: F for each level and a part for each row of the face between them.
        pair, counted = find(messages, ranks=2, side=40, of="setup"), len(ratios.levels(2 * 40**3)) - 1
        steps = {n: len(ratios.levels(2 * n**3)) - 1 for n in (101, 256)}
        over = {n: 1e3 * (two[n]["setup"] - one[n]["setup"]) for n in (101, 256)}
        self.face = (over[256] / steps[256] - over[101] / steps[101]) / (256**2 / steps[256] - 101**2 / steps[101])
        fixed = (over[101] - self.face * 101**2) / steps[101]
        self.setup_exchanges = pair["messages"] / counted  # of a level; there is one neighbour
        self.setup_collectives = (pair["reductions"] + pair["gathers"] + pair["all_to_alls"]) / counted
        self.synchronise = (fixed - self.setup_exchanges * self.peer[0]) / self.setup_collectives - STEP.value[0]

    def way(self, gpus):
        return self.peer if gpus <= HOST.value else NETWORK.value

    def collective(self, gpus):
        return self.synchronise + STEP.value[gpus > HOST.value] * math.log2(gpus)


def boxes_of(ranks):
    """Boxes along each axis, as even as can be; as benchmarks/comm/boxes.hpp has them."""
    fits = [(a, b, ranks // (a * b)) for a in range(1, round(ranks ** (1 / 3)) + 1) for b in range(a, ranks + 1)
            if a * b * b <= ranks and ranks % (a * b) == 0]
    return fits[-1]


def active_ranks(rows, before, gpus, rows_a_rank):
    """Ranks that have a part of a level: those of the one before, or one of each group of all ranks."""
    if rows >= rows_a_rank * before:
        return before
    return math.ceil(gpus / math.ceil(gpus / max(1, rows // rows_a_rank)))


class Level(namedtuple("Level", "rows ranks sides boxes length gathered moved")):
    """A level on its ranks. sides: of the box of one of them."""

    def neighbours(self, finest):
        if self.moved:  # groups of boxes have no regular neighbours
            return min(26, self.ranks - 1)
        cut = [min(b - 1, 2) for b in self.boxes]
        return sum(cut) if finest else math.prod(c + 1 for c in cut) - 1

    def ghosts(self, finest):
        volume, cut = math.prod(self.sides), [min(b - 1, 2) for b in self.boxes]
        if finest:  # seven points: faces alone
            return sum(c * volume / s for c, s in zip(cut, self.sides))
        reach = (self.length ** (1 / 3) - 1) / 2
        return math.prod(s + c * reach for c, s in zip(cut, self.sides)) - volume


class Solve:
    """Setup and solve of a grid on GPUs that have boxes of it; microseconds."""

    def __init__(self, machine, grid, boxes, iterations, rows_a_rank=ROWS_A_RANK):
        self.machine, self.gpus, self.iterations = machine, math.prod(boxes), iterations
        rows = math.prod(grid)
        self.rows, self.mine, self.way = rows, rows / self.gpus, machine.way(self.gpus)
        self.levels, ranks = [], self.gpus
        for n, length in machine.ratios.levels(rows):
            before, ranks = ranks, active_ranks(n, ranks, self.gpus, rows_a_rank) if self.levels else ranks
            fewer = [max(1.0, b * (ranks / self.gpus) ** (1 / sum(c > 1 for c in boxes))) if b > 1 else 1 for b in boxes]
            sides = [g * (n / rows) ** (1 / 3) / b for g, b in zip(grid, fewer)]
            self.levels.append(Level(n, ranks, sides, [max(1, round(b)) for b in fewer], length, math.ceil(before / ranks), ranks < self.gpus))
        self.faces = sum(self.mine / s for s, b in zip(self.levels[0].sides, boxes) if b > 1)
        self.memory = sum(machine.cycle_megabytes * level.rows / level.ranks * level.length for level in self.levels) / machine.bandwidth
        self.messages = self.kilobytes = 0
        self.cycle = self._cycle()
        self.setup = self._setup()
        self.solve = iterations * (self.cycle + self._krylov())
        self.total = self.setup + self.solve

    def _exchange(self, neighbours, size):
        if neighbours < 1:
            return 0
        self.messages += neighbours
        self.kilobytes += 1e-3 * size
        first, further, rate = self.way
        return first + further * (neighbours - 1) + 1e-3 * size / rate

    def _cycle(self):
        time = self.memory + self.machine.kernel
        for l, level in enumerate(self.levels[:-1]):
            # Between hosts products have a second part, of rows with ghosts.
            parts = EXCHANGES if level.ranks > 1 and self.way is not self.machine.peer else 0
            time += (KERNELS + parts) * self.machine.kernel
            for _ in range(EXCHANGES):
                time += self._exchange(level.neighbours(l == 0), level.ghosts(l == 0) * FLOAT)
        for level in self.levels[1:]:  # down, all to one, and up again
            if level.gathered > 1:
                time += 2 * self._exchange(level.gathered - 1, FLOAT * level.rows / level.ranks)
        return time

    def _krylov(self):
        time = self.machine.krylov * self.mine
        if self.gpus > 1:
            finest = self.levels[0]
            first, further, rate = self.way
            time += first + further * (finest.neighbours(True) - 1) + 1e-3 * finest.ghosts(True) * DOUBLE / rate
            time += REDUCTIONS.value * (first + STEP.value[self.gpus > HOST.value] * math.log2(self.gpus))
        return time

    def _setup(self):
        machine = self.machine
        time = machine.setup_fixed + machine.setup_row * self.mine
        if self.gpus > 1:
            steps = len(self.levels) - 1
            neighbours = self.levels[min(1, steps)].neighbours(False)
            time += steps * machine.setup_exchanges * (self.way[0] + self.way[1] * (neighbours - 1))
            time += steps * machine.setup_collectives * machine.collective(self.gpus) + machine.face * self.faces
        return time


def weak(machine, side, gpus, slabs=False, iterations=None, **more):
    boxes = (1, 1, gpus) if slabs else boxes_of(gpus)
    grid = [side * b for b in boxes]
    return Solve(machine, grid, boxes, iterations or iterations_of(math.prod(grid)), **more)


def iterations_of(rows):
    return math.floor(12 + ITERATIONS.value * math.log2(rows ** (1 / 3) / 256))


def percent(model, measured):
    return f"{100 * (model / measured - 1):+.0f} %"


def counts_table(machine, messages):
    """What the model says of messages beside those that ranks have sent."""
    rows = []
    for row in messages:
        if row["of"] == "cycle" and row["ranks"] > 1:
            setup = find(messages, ranks=row["ranks"], side=row["side"], of="setup")
            levels = find(messages, ranks=row["ranks"], side=row["side"], of="levels")["levels"]
            model = weak(machine, row["side"], row["ranks"], iterations=1, rows_a_rank=HOSTS_ROWS_A_RANK)
            rows.append([str(row["ranks"]), f"{row['side']}^3", " ".join(f"{level['rows']}" for level in levels),
                         " ".join(f"{level.rows:.0f}" for level in model.levels), str(row["messages"]), f"{model.messages:.0f}",
                         f"{row['kilobytes']:.0f}", f"{model.kilobytes:.0f}", str(setup["messages"]), f"{setup['kilobytes']:.0f}",
                         str(setup["reductions"]), str(setup["gathers"]), str(setup["all_to_alls"])])
    return performance.grid(["ranks", "rows a rank", "levels", "model", "messages a cycle", "model", "kB a cycle", "model", "messages a setup", "kB",
                             "reductions", "gathers", "all-to-alls"], rows)


def measured_table(machine):
    """Figures of GPUs beside the model's."""
    rows = []

    def add(what, gpus, cells, *more):
        rows.append([what, str(gpus), *(cell for measured, model in cells for cell in
                                        (f"{measured:.1f}", f"{1e-3 * model:.1f}", percent(1e-3 * model, measured))), *more])
    for one in sorted(machine.ranks, key=lambda one: (int(one["unknowns"][:-2]), one["ranks"])):
        model = weak(machine, int(one["unknowns"][:-2]), one["ranks"], slabs=True, iterations=one["iterations"])
        add(f"weak, {one['unknowns']} a GPU", one["ranks"], [(one[of], getattr(model, of)) for of in ("setup", "solve", "total")],
            f"{one['refresh']:.1f}", str(one["iterations"]), format(one["efficiency"], ".2f") if "efficiency" in one else "")
    for one in figures("gpu-strong-scaling"):
        model = Solve(machine, [int(one["unknowns"][:-2])] * 3, (1, 1, one["ranks"]), 12)
        add(f"one {one['unknowns']}, 531f598", one["ranks"], [(one[of], getattr(model, of)) for of in ("setup", "solve", "total")], "", "", "")
    return performance.grid(["run", "GPUs", *(cell for what in ("setup", "solve", "both") for cell in (f"{what} ms", "model", "error")),
                             "refresh ms", "iterations", "efficiency"], rows)


PHASES = {  # of a setup: what its collective operations are for
    "eigenvalue": "gathers: sums of Lanczos steps; reductions: numbers of entries, errors",
    "strength": "errors",
    "aggregation": "overlapped: whether a round is needed; others: sizes, errors",
    "prolongator": "all-to-alls: counts of halo plans, with errors; reductions: entries of P, errors",
    "galerkin": "all-to-alls: counts of halo plans, with errors; reductions: size of R A P, errors; gather: the move to one rank",
    "transfer": "errors",
    "rest": "errors before the first level and after the last",
    "all": "",
}


def waits_table(rows):
    """Messages and collective operations of a setup by phase."""
    rows = {row["phase"]: row for row in rows}
    columns = ("messages", "reductions", "gathers", "all_to_alls", "overlapped")
    return performance.grid(["phase", "what ranks wait for", *columns[:3], "all-to-alls", "overlapped reductions"],
                            [[phase, what, *(str(rows[phase][of]) for of in columns)] for phase, what in PHASES.items()])


def waits(row):
    """What a rank with one neighbour waits for: an exchange for each message that it sends, and the collective operations."""
    return row["messages"] + row["reductions"] + row["gathers"] + row["all_to_alls"]


def latency_table(rows):
    """Times on two hosts by the latency between them, beside the time without latency and a latency for each wait."""
    table = []
    for latency in sorted({row["latency"] for row in rows}):
        cells = []
        for of in ("setup", "cycle"):
            row, base = (find(rows, latency=us, of=of) for us in (latency, 0))
            model = base["ms"] + 1e-3 * latency * waits(base)
            cells += [f"{waits(row)}", f"{row['ms']:.1f}", f"{model:.1f}", percent(model, row["ms"])]
        table.append([f"{1e-3 * latency:g}", *cells])
    return performance.grid(["latency ms", *(cell for of in ("setup", "cycle") for cell in (f"waits of a {of}", f"{of} ms", "model", "error"))], table)


WEAK = (1, 2, 4, 8, 16, 64, 512, 4096, 10000)


def weak_table(machine, side):
    one, rows = weak(machine, side, 1), []
    for gpus in WEAK:
        run = weak(machine, side, gpus)
        even = weak(machine, side, gpus, iterations=one.iterations)
        rows.append([f"{side}^3", str(gpus), f"{run.rows:.2g}", str(len(run.levels)), " ".join(str(level.ranks) for level in run.levels), str(run.iterations),
                     f"{run.messages:.0f}", f"{run.kilobytes:.0f}", f"{1e-3 * run.cycle:.2f}", f"{1e-3 * run.setup:.0f}", f"{1e-3 * run.solve:.1f}",
                     f"{one.total / run.total:.2f}", f"{one.solve / even.solve:.2f}"])
    return rows


def strong_table(machine, side):
    rows, first = [], None
    for gpus in (8, 16, 64, 512, 4096):
        run = Solve(machine, [side] * 3, boxes_of(gpus), iterations_of(side**3))
        first = first or run
        rows.append([f"{side}^3", str(gpus), f"{run.mine:.2g}", f"{1e-3 * run.cycle:.2f}", f"{1e-3 * run.setup:.0f}", f"{1e-3 * run.solve:.1f}",
                     f"{first.setup / run.setup:.1f}", f"{first.solve / run.solve:.1f}", f"{gpus / 8:.0f}"])
    return rows


AGGLOMERATED = ((101, 4), (101, 64), (101, 4096), (256, 4), (256, 4096), (256, 10000))


def agglomeration_table(machine):
    rows = []
    for side, gpus in AGGLOMERATED:
        cycles = {n: weak(machine, side, gpus, rows_a_rank=n) for n in (1, 200, 2000, 20000, 200000)}
        rows.append([f"{side}^3", str(gpus), *(f"{1e-3 * run.cycle:.2f}" for run in cycles.values()), *(f"{cycles[n].messages:.0f}" for n in (1, 2000, 20000))])
    return performance.grid(["unknowns a GPU", "GPUs", *(f"cycle ms at {n}" for n in cycles), "messages at 1", "at 2000", "at 20000"], rows)


def agglomeration_words(machine):
    gains = [weak(machine, side, gpus, rows_a_rank=2000).cycle / weak(machine, side, gpus).cycle for side, gpus in AGGLOMERATED]
    return (f"With 20000 rows a rank, not 2000, cycles are {100 * (min(gains) - 1):.0f} to {100 * (max(gains) - 1):.0f} % faster, since a level's "
            "messages cost more than its rows.")


def the_plot(machine):
    def curve(name, colour, side, of, dots):
        one = weak(machine, side, 1, iterations=10 if of == "solve" and side == 101 else None)
        def efficiency(gpus):
            run = weak(machine, side, gpus, slabs=gpus <= 4)
            return getattr(one, of) / getattr(run, of)
        return Curve(name, colour, [(gpus, efficiency(gpus)) for gpus in WEAK], dots)

    def measured(side, of="total"):
        rows = [row for row in machine.ranks if row["unknowns"] == f"{side}^3"]
        return [(row["ranks"], rows[0][of] / row[of]) for row in rows]
    curves = [curve("256^3 a GPU, solve", "#1b6ca8", 256, "solve", measured(256, "solve")),
              curve("256^3 a GPU, setup + solve", "#7fb3d9", 256, "total", measured(256)),
              curve("101^3 a GPU, solve", "#b5451b", 101, "solve", measured(101, "solve")),
              curve("101^3 a GPU, setup + solve", "#e0a080", 101, "total", measured(101))]
    return plot(curves, "GPUs", "weak scaling: time of one GPU over time", 10**4)


def document():
    tables, sources = performance.gathered()
    messages = tables["messages"]
    ratios = Ratios(messages)
    machine = Machine(ratios, messages, [row for row in tables["ranks"] if row["ranks"] == row["devices"]])
    peer, staged = machine.peer, machine.staged
    given = (f"an exchange between two GPUs of a host takes {peer[0]:.1f} us and goes at {peer[2]:.0f} GB/s (by MPI through pinned memory {staged[0]:.1f} us, "
             f"{staged[2]:.1f} GB/s); a setup takes {1e-3 * machine.setup_fixed:.1f} ms and {1e3 * machine.setup_row:.2f} ns a row, a collective operation in it "
             f"{machine.synchronise:.0f} us plus its steps; an iteration takes {1e3 * machine.krylov:.3f} ns a row plus its cycle")
    far, near = weak(machine, 256, 10000), weak(machine, 256, 1)
    coarse = sum(level.ranks < far.gpus for level in far.levels)
    small = weak(machine, 101, 10000)
    even = weak(machine, 256, 10000, iterations=near.iterations)
    collectives = (len(far.levels) - 1) * machine.setup_collectives * machine.collective(far.gpus)
    conclusions = "\n".join((
        f"* Of a cycle of 256^3 rows a GPU on 10^4 GPUs, {1e-3 * far.cycle:.1f} ms, memory takes {1e-3 * far.memory:.1f} ms; at 101^3 it is {1e-3 * small.memory:.2f} of "
        f"{1e-3 * small.cycle:.1f}. Messages, not bytes, take the rest: their number grows with the levels and with the up to 26 neighbours of coarse levels.",
        f"* A solve keeps {near.solve / even.solve:.2f} of its speed at equal iterations. The growth from {near.iterations} to {far.iterations} iterations reduces that to "
        f"{near.solve / far.solve:.2f}.",
        f"* Setups lose most: {1e-3 * near.setup:.0f} ms become {1e-3 * far.setup:.0f}, of which {1e-3 * collectives:.0f} ms are waits and steps of "
        f"{(len(far.levels) - 1) * machine.setup_collectives:.0f} collective operations and {1e-3 * machine.face * far.faces:.0f} ms the faces. Merging collective operations, and running them without the host, gains more than a faster transport.",
        f"* {coarse} of {len(far.levels)} levels use fewer ranks. {agglomeration_words(machine)}"))
    overlap = next(table for table in performance.TABLES if table.name == "overlap")
    values = {
        "parts": PARTS.format(levels=" ".join(f"{level['rows']} ({level['nonzeros'] / level['rows']:.0f} a row)" for level in ratios.largest),
                              bytes=1e6 * machine.cycle_megabytes, bandwidth=machine.bandwidth, kernels=KERNELS, kernel=machine.kernel, exchanges=EXCHANGES,
                              setup_exchanges=machine.setup_exchanges, collectives=machine.setup_collectives, face=machine.face),
        "assumed": "; ".join(one.text for one in ASSUMED), "given": given, "measured": "\n".join(measured_table(machine)),
        "measured_origin": performance.origin(sources["ranks"]),
        "where": f" ({sources['messages'][0]['machine']}, {sources['messages'][0]['date']})", "host": HOST.value,
        "counts": "\n".join(counts_table(machine, messages)), "waits": "\n".join(waits_table(tables["waits"])), "origin": performance.origin(sources["waits"]),
        "latency": "\n".join(latency_table(tables["latency"])), "latency_origin": performance.origin(sources["latency"]),
        "weak": "\n".join(performance.grid(["unknowns a GPU", "GPUs", "unknowns", "levels", "ranks of the levels", "iterations", "messages a cycle", "kB a cycle", "cycle ms",
                                            "setup ms", "solve ms", "efficiency", "efficiency of the solve"], weak_table(machine, 256) + weak_table(machine, 101))),
        "strong": "\n".join(performance.grid(["unknowns", "GPUs", "unknowns a GPU", "cycle ms", "setup ms", "solve ms", "setup speed-up over 8 GPUs", "solve speed-up", "ideal"],
                                             strong_table(machine, 1024))),
        "agglomeration": "\n".join(agglomeration_table(machine)), "conclusions": conclusions,
        "overlap": "\n".join(performance.printed(overlap, tables["overlap"], sources["overlap"])).strip(),
    }
    return {"scaling.md": filled(values), "scaling.svg": the_plot(machine)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    for name, text in document().items():
        path = performance.DOCUMENTS / name
        if not check:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"docs/results/{name} differs from what benchmarks/scaling_model.py prints; write it again with that program")


if __name__ == "__main__":
    main()
