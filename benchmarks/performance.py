#!/usr/bin/env python3
"""Prints docs/performance.md, docs/papers.md, docs/methods.md, docs/peers.md and docs/hard.md from the runs in benchmarks/results.

    benchmarks/performance.py            writes them
    benchmarks/performance.py --check    says whether they are what the runs print; exit status 1 where one is not
    benchmarks/performance.py --all      prints every table, those too that the document leaves out
    benchmarks/performance.py --add OUTPUT --kind KIND --name NAME --machine M [--driver D] [--note N] --command 'C'
                                         keeps a program's output as benchmarks/results/NAME.json, with today's date and HEAD

A run is one file, benchmarks/results/NAME.json:

    {"kind": "tessera compare",    the program whose output `figures` is (a key of results.KINDS), or "rows"
     "machine": "AMD EPYC",        short, since it stands in tables
     "date": "2026-11-22", "commit": "531f598", "driver": "580.159.04", "command": "mpirun -np 2 ...",
     "note": "...",                circumstances
     "figures": ...}               the program's JSON; the lines of one that prints text

What was not recorded is null. A run of kind "rows" also has "table", and its figures are rows of that table, by the keys of its
columns below; a cell that is a list holds several figures, from which the table takes the smallest and the largest.

A cell shows the newest run that has it. Runs of one day and one commit count as one command given several times: the cell then
has the smallest and the largest figure. A run that a newer one replaces in all cells can be deleted.
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys
import textwrap
from collections import namedtuple

from results import KINDS, rows_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS, DOCUMENTS = ROOT / "benchmarks/results", ROOT / "docs"
WIDTH = 140

# columns: (key, title, format); the first `keys` of them tell rows apart. shown: stands in the document.
Table = namedtuple("Table", "name heading keys columns text shown")
def refresh_columns(form):
    return [("second_setup", "setup", form), ("second_first", "first refresh", form), ("second_later", "later ones", form),
            ("first_ratio", "first / setup", ".2f"), ("later_ratio", "later / setup", ".2f"), ("second_held", "held", ".0f"),
            ("second_peak", "peak", ".0f"), ("first_setup", "prepared: setup", form), ("first_first", "first refresh", form),
            ("prepared_ratio", "first / setup", ".2f"), ("first_peak", "peak", ".0f")]


TABLES = [
    Table("iterations", "Iterations", 1, [
        ("problem", "problem", ""), ("ranks", "ranks", ""), ("iterations", "iterations", ""), ("bound", "bound", ""),
        ("complexity", "operator complexity", ".3f"), ("levels", "rows of the levels", "")],
        "Belos' pseudo-block CG to a true relative residual of 1e-8, levels in float. `benchmarks/figures.py` has each problem's options.", True),
    Table("host", "Beside ML and MueLu on a host", 3, [
        ("machine", "machine", ""), ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""),
        ("setup", "setup s", ".3f"), ("solve", "solve s", ".3f"), ("total", "both s", ".3f"), ("ratio", "over the best", ".2f"),
        ("memory", "memory MB", ".0f")],
        "Smallest times; the best is that of ML and MueLu. Memory is the peak of all ranks. ML's copy of the matrix in Epetra's "
        "format counts in neither.", True),
    Table("refreshes", "Refreshes", 2, [
        ("machine", "machine", ""), ("problem", "problem", ""), *refresh_columns(".0f")],
        "New values on the same pattern, ms. With `reuse: prepare refresh` = second (the default) the first refresh prepares later ones, with "
        "first the setup does. Ratios are to the default's setup. Bytes a row are held after a setup, and its peak.", True),
    Table("gpu_refreshes", None, 1, [("problem", "one H200", ""), *refresh_columns(".1f")], "", True),
    Table("solves", "Solves on one H200", 1, [
        ("problem", "problem", ""), ("iterations", "iterations", ""), ("host_iterations", "host's", ""), ("setup", "setup ms", ".1f"),
        ("first", "first setup", ".1f"), ("solve", "solve ms", ".1f"), ("total", "setup + solve", ".1f"), ("bound", "bound", ""), ("others", "others", ""),
        ("upload", "transfers ms", ".0f"), ("bytes", "peak B/row", ".0f")],
        "Conjugate gradients in double on the GPU, levels in float, b = 1, smallest times. The matrix lies on the device; transfers "
        "bring matrix and vectors there and x back.", True),
    Table("whole", "Whole solves through Stratimikos on one H200", 1, [
        ("problem", "problem", ""), ("setup", "setup ms", ".1f"), ("setup_copies", "its copies", ".1f"), ("solve", "solve ms", ".1f"),
        ("solve_copies", "its copies", ".1f"), ("wall", "all ms", ".1f"), ("program", "tessera solve ms", ".1f"), ("ratio", "ratio", ".2f"),
        ("second_solve", "second solve ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("megabytes_up", "MB up", ".0f"),
        ("megabytes_down", "MB down", ".0f")],
        "`Linear Solver Type` = Tessera, beside the program with the same list; all is from Tpetra's matrix and b to Tpetra's x.", False),
    Table("phases", "Setup on one H200 by phase", 1, [
        ("problem", "ms", ""), ("setup", "setup", ".1f"), ("cold", "first setup", ".1f"), ("strength", "strength", ".1f"),
        ("aggregation", "aggregation", ".1f"), ("prolongator", "prolongators", ".1f"), ("galerkin", "R A P", ".1f"),
        ("eigenvalue", "eigenvalues, checks", ".1f"), ("rest", "smoothers, transfers, coarsest", ".1f")],
        "Without Trilinos; smallest of the setups behind the first.", False),
    Table("ranks", "Several GPUs", 3, [
        ("unknowns", "unknowns a rank", ""), ("ranks", "ranks", ""), ("devices", "GPUs", ""), ("iterations", "iterations", ""),
        ("setup", "setup ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("solve", "solve ms", ".1f"), ("total", "setup + solve ms", ".1f"),
        ("efficiency", "efficiency", ".2f")],
        "Laplace3D with the same number of unknowns on each rank; efficiency is the time of one rank over that of several.", True),
    Table("overlap", "Modes of communication on a host", 3, [
        ("problem", "us", ""), ("ranks", "ranks", ""), ("unknowns", "unknowns a rank", ""), ("threads", "threads a rank", ""), ("ghosts", "ghosts, % of rows", ""),
        ("none", "none", ".0f"), ("naive", "naive", ".0f"), ("task", "task", ".0f"), ("naive_ratio", "naive / none", ".2f"),
        ("task_ratio", "task / naive", ".2f")],
        "`communication: mode`, by turns in one run; medians of the slowest rank. Far couplings tie every second row to one half of all rows "
        "away. At 80^3 the work keeps both cores and their memory busy, and the modes differ by noise, which one rank shows, too; at 32^3 with far couplings ranks mostly wait for a core, and naive waits longest.", False),  # docs/scaling.md has it
    Table("products", "GPU kernels", 1, [
        ("problem", "problem", ""), *((f"{t}_{key}", title, form) for t in ("double", "float") for key, title, form in (
            ("sell", f"{t}: SELL us", ".2f"), ("sell_rate", "TB/s", ".3f"), ("csr", "CSR us", ".2f"), ("cusparse", "cuSPARSE us", ".2f"),
            ("ratio", "over SELL's", ".2f")))],
        "Products with a vector. Bytes are the matrix as stored, x once and y once; what lies in cache can look faster than memory.", True),
    Table("cycle", None, 1, [
        ("problem", "V-cycle, float", ""), ("megabytes", "MB", ".0f"), ("us", "us", ".1f"), ("copy", "us of a copy", ".1f"),
        ("of_copy", "of a copy's speed", ".0%")], "", True),
    Table("fsai", "Factored sparse approximate inverse", 1, [
        ("matrix", "matrix", ""), ("jacobi", "Jacobi", ""), ("fsai", "FSAI", ""), ("ratio", "ratio", ".3f"), ("bound", "bound", ".2f"),
        ("pattern_density", "density before", ".3f"), ("density", "after the filter", ".3f"), ("adaptive", "adaptive", ""),
        ("adaptive_ratio", "over static", ".3f"), ("adaptive_density", "density", ".3f")],
        "CG iterations to a true relative residual of 1e-8, b = A e. Densities are nonzeros of the factors over A's. The adaptive list is taken "
        "at the static one's density.", True),
    Table("smoother", "FSAI as a smoother", 1, [
        ("matrix", "matrix", ""), ("chebyshev", "Chebyshev(2): iterations", ""), ("chebyshev_setup", "setup s", ".3f"), ("chebyshev_solve", "solve s", ".3f"),
        ("fsai", "FSAI: iterations", ""), ("fsai_setup", "setup s", ".3f"), ("fsai_solve", "solve s", ".3f")], "", False),
    Table("cholesky", "Batches of 13000 Cholesky factorisations on one H200", 1, [
        ("size", "size", ""), ("ms", "ms", ".3f"), ("gflops", "GFlop/s", ".0f"), ("k80", "K80's time over it", ".0f")],
        "The K80's times are those of table 3 of Bernaschi et al. 2016.", False),
    Table("fsai_setup", "FSAI's setups on one H200", 1, [
        ("problem", "problem", ""), ("setup", "setup ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("pattern_density", "density before", ".3f"),
        ("density", "after the filter", ".3f"), ("gigabytes", "peak GB", ".2f")], "", False),
]

# those of docs/papers.md
PAPERS = [
    Table("bell_2012", "Smoothed aggregation: Bell, Dalton, Olson 2012, table 5.6", 1, [
        ("case", "case", ""), ("problem", "our problem", ""), ("paper_rows", "paper: rows", ""), ("host", "CPU", ""), ("gpu", "GPU", ""),
        ("ml", "ML", ""), ("rows", "ours: rows", ""), ("iterations", "iterations", ""), ("complexity", "operator complexity", ".3f")],
        "Iterations of conjugate gradients with V(1,1) and weighted Jacobi (`sa_amg_jacobi.xml`; drop tolerance 0.08 in 5a and 5b) to 1e-12. The "
        "paper's CPU has greedy aggregates, its GPU those of MIS(2). Ours are to the true residual, with a random right-hand side. 1a to 2b "
        "are the paper's grids, 2b with the coupling -1 to all neighbours; the other meshes are our own, nearest in size.", True),
    Table("formats_memory", "Formats: Kreutzer et al. 2012, table I", 1, [
        ("matrix", "matrix", ""), ("paper_saved", "paper: saved %", ".1f"), ("rows", "rows", ""), ("mean", "entries a row", ".1f"),
        ("longest", "longest row", ""), ("pjds_saved", "pJDS saves", ".1%"), ("pjds_overhead", "overhead", ".4%"),
        ("sell_saved", "SELL-C-sigma saves", ".1%"), ("hyb_saved", "HYB saves", ".1%"), ("automatic", "`auto` takes", "")],
        "Entries that are stored, against ELLPACK's, where all rows are as long as the longest; the overhead is what pJDS pads the bare nonzeros "
        "with, in the paper less than 0.01 %. HMEp is made from its physics ([problems](problems.md)). The other three cannot be had: a stand-in has "
        "the paper's numbers of rows and of entries a row, its dense blocks and range of row lengths, and the longest row that follows from what "
        "the paper says is saved. So what pJDS saves on stand-ins is the paper's by construction; the overhead, and the other formats, are not. The "
        "files below them are ours.", True),
    Table("formats_host", None, 1, [
        ("matrix", "host, Gflop/s in double", ""), *((key, title, ".2f") for key, title in (
            ("csr", "CSR"), ("sell", "SELL-C-sigma"), ("pjds", "pJDS"), ("pjds_permuted", "pJDS in its own basis"), ("ellpack_r", "ELLPACK-R"), ("hyb", "HYB"))),
        ("model", "model", ".2f"), ("csr_rate", "CSR GB/s", ".1f"), ("sell_rate", "SELL-C-sigma GB/s", ".1f"), ("pjds_rate", "pJDS GB/s", ".1f"),
        ("ratio", "pJDS over ELLPACK-R", ".2f"), ("paper_ratio", "paper's, C2070", ".2f")],
        "The model is the paper's equation 1, 6 + 4 alpha + 8/(entries a row) bytes a flop, at the bandwidth of STREAM's triad: from alpha = 1, x "
        "from memory for each entry, to each entry of x loaded once. Small matrices lie in cache and exceed it. pJDS gathers x from everywhere, "
        "which shows on HMEp and sAMG; ELLPACK-R's and HYB's entries of a row lie as far apart as the matrix has rows.", True),
    Table("formats_gpu", None, 1, [
        ("matrix", "GPU, Gflop/s in double", ""), *((key, title, ".1f") for key, title in (
            ("csr", "CSR"), ("sell", "SELL-C-sigma"), ("pjds", "pJDS"), ("pjds_permuted", "pJDS in its own basis"), ("ellpack_r", "ELLPACK-R"), ("hyb", "HYB"),
            ("cusparse_csr", "cuSPARSE CSR"), ("cusparse_sell", "cuSPARSE SELL"))),
        ("ratio", "pJDS over ELLPACK-R", ".2f"), ("paper_ratio", "paper's, C2070", ".2f")],
        "In one run with cuSPARSE's CSR and sliced ELLPACK.", True),
    Table("brannick_2013", "Unsmoothed aggregation: Brannick, Chen, Hu, Zikatanov 2013, tables 5.1 to 5.5", 2, [
        ("table", "table", ""), ("n", "n", ""),
        *((f"{whose}_{t}", f"{title}t = {t or 'any'}", "") for t in (2, 3, 4, 5, 0) for whose, title in (("paper", "paper: "), ("ours", "ours: ")))],
        "PAA on n^2 vertices with at most t an aggregate: (coarsening ratio) and |Q|_A^2, the energy of the l2 projection on the coarse space. 5.1, 5.3: "
        "Laplace2D; 5.2: NeumannLaplace2D; 5.4: Delaunay2D; 5.5: NeumannDelaunay2D, whose meshes are others of the same kind. The caption of 5.3 has "
        "Neumann conditions, its row of n = 128 those of 5.1. Of 5.1, 5.2, 5.4 and 5.5 the rows of n = 128.", True),
    Table("brannick_2013_levels", "Its levels: tables 5.6 and 5.7", 1, [
        ("levels", "levels", ""), ("paper_ratio", "paper: ratio", ".2f"), ("ratio", "ours", ".2f"), ("paper_6", "5.6: energy", ".2f"),
        ("ours_6", "ours", ".2f"), ("paper_7", "5.7: energy", ".2f"), ("ours_7", "ours", ".2f")],
        "Ratio and energy of PAA with t = 5 on 128^2 vertices, from one level to another; 5.6: Laplace2D, 5.7: NeumannLaplace2D. Our leaves go with their neighbours, "
        "beyond t, so that the last levels have fewer vertices. Times, in tables 5.8 and 5.9, are those of another machine, and not compared.", True),
    Table("reshaping", "Reshaping where couplings are anisotropic", 1, [
        ("case", "RotatedAnisotropy2D", ""), *((f"{name}{key}", title, form) for name in ("sa_amg", "sa_amg_anisotropic")
                                               for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".2f"))),
        *((f"{name}_{most}{key}", title, form) for most in (4, 8)
          for name, key, title, form in (("plain", "", f"t = {most}", ""), ("plain", "_complexity", "complexity", ".2f"),
                                         ("reshaped", "", "reshaped", ""), ("reshaped", "_complexity", "complexity", ".2f"), ("ratio", "", "ratio", ".2f")))],
        "Iterations, e = 1e-3, b = 1, to a true relative residual of 1e-6: smoothed aggregation, and `ua_amg_paper.xml` with at most t an "
        "aggregate, without and with `aggregation: reshaping steps` = 4 (the paper's algorithm 3). The bound on a ratio is 0.8. The paper "
        "has no such figures.", True),
    Table("methods", "The methods side by side", 1, [
        ("problem", "problem", ""), *((f"{name}{key}", title, form)
                                      for name, shown in (("sa_amg", "`sa_amg`"), ("ua_amg_kcycle", "`ua_amg_kcycle`"),
                                                          ("ua_amg_kcycle_3", "degree 3"), ("ua_amg_paper", "`ua_amg_paper`"),
                                                          ("matching_amg", "`matching_amg`"), ("matching_amg_paper", "`matching_amg_paper`"))
                                      for key, title, form in (("", shown, ""), ("_complexity", "complexity", ".3f")))],
        "Iterations of conjugate gradients to a true relative residual of 1e-8 with the lists in xml_params as they are, b = 1, on a host, and the "
        "operator complexity beside them. With plain prolongators (`ua_amg_kcycle`, `ua_amg_paper`, `matching_amg_paper`) iterations are more than "
        "`sa_amg`'s on every problem: up to twice as many in `ua_amg_kcycle`, whose K-cycles also cost more than V-cycles of the same levels, and "
        "mostly several times as many in `matching_amg_paper`, whose cycle is V. `ua_amg_paper` has larger hierarchies than "
        "`sa_amg` everywhere, `matching_amg` everywhere in 2D. `matching_amg` takes up to two iterations more than `sa_amg` on Darcy3D with sigma 1 and on the Laplacians.  "
        "Degree 3: `ua_amg_kcycle` with `chebyshev: degree` = 3, which of those with plain prolongators alone has both on Laplace2D 1024^2: at most 19 "
        "iterations to 1e-6 and an operator complexity of at most 1.45. On RotatedAnisotropy2D `sa_amg_anisotropic` takes fewer than all of these ([performance](performance.md#iterations)).", True),
]

# those of docs/methods.md
METHODS = [
    Table("gpu_methods", "On one H200", 1, [
        ("problem", "problem", ""), *((f"{name}_{key}", title.format(name), form)
                                      for name in ("sa_amg", "ua_amg_kcycle", "matching_amg")
                                      for key, title, form in (("iterations", "`{}`", ""), ("setup", "setup ms", ".1f"), ("solve", "solve ms", ".1f"),
                                                               ("complexity", "complexity", ".2f"), ("bytes", "peak B/row", ".0f"))),
        ("amgx", "AmgX, aggregation, ms", "")],
        "Conjugate gradients to a true relative residual of 1e-8, b = 1, levels in float. Where a solve ends at the rounding level, the true residual "
        "cannot get smaller in double.", True),
    Table("gpu_method_refreshes", None, 2, [
        ("problem", "one H200, ms", ""), ("coarsening", "coarsening", ""), ("setup", "setup", ".1f"), ("first", "first refresh", ".1f"),
        ("later", "later ones", ".1f"), ("ratio", "later / setup", ".2f"), ("held", "held B/row", ".0f"), ("behind", "behind refreshes", ".0f")],
        "New values on the same pattern; the first refresh prepares later ones.", True),
    Table("matchings", "Matching beside smoothed aggregation", 1, [
        ("problem", "problem", ""), *((f"{name}{key}", title, form)
                                      for name, shown in (("sa_amg", "`sa_amg`"), ("matching_amg", "`matching_amg`"), ("W", "W"), ("K", "K"),
                                                          ("matching_amg_paper", "`_paper`"), ("matching_amg_bootstrap", "`_bootstrap`"), ("fsai", "`fsai`"))
                                      for key, title, form in ((("", shown, ""),) if name in ("W", "K", "fsai") else
                                                               (("", shown, ""), ("_complexity", "complexity", ".3f"))))],
        "Iterations of conjugate gradients to a true relative residual of 1e-8 on a host, with b = 1 where the problem brings none. W and K: "
        "`matching_amg` with that cycle. An application of `matching_amg_bootstrap` is that of up to five V-cycles, and its complexity that of "
        "all its hierarchies. `fsai` stands beside matrices on which multigrid fails. The number behind a mesh is that of refinements. "
        "`matching_amg` takes at most 1.31 times `sa_amg`'s iterations, on lap_wing.", True),
    Table("bernaschi_2019", "Matching: Bernaschi, D'Ambra, Pasquini 2019", 1, [
        ("case", "case", ""), ("theirs", "paper", ""), ("rows", "ours: rows", ""), ("recursive", "recursive residual", ""),
        ("iterations", "true residual", ""), ("complexity", "operator complexity", ".3f")],
        "Iterations with the V-cycle (`matching_amg_paper.xml`, at most 40 n^(1/3) unknowns on the coarsest level), b = 1, to 1e-6: until the residual "
        "that the recurrence carries is that small, which is what solvers commonly watch, and until b - A x is. With sigma 5 rounding keeps b - A x above. The "
        "number behind a case is that of refinements. Parflow of the paper has a million cells; its permeabilities are other random numbers than ours (by the "
        "recursive residual sigma 4 takes 106 with seed 0, 123 to 148 with seeds 1 to 6). "
        "The paper's operator complexity is 1.40 on ANI1; it gives none for Parflow. Theirs are flexible conjugate gradients.", True),
]

# those of docs/peers.md
PEERS = [
    Table("peers", "Others on one H200", 2, [
        ("problem", "problem", ""), ("peer", "program", ""), ("setup", "setup ms", "g"), ("solve", "solve ms", "g"), ("total", "setup + solve", ".4g"),
        ("iterations", "iterations", ""), ("remark", "", "")],
        "The same problems, b = 1, x = 0 at the start, to a relative residual of 1e-8 in double, the matrix on the device.", True),
    Table("peers_host", "Others on two cores of a host", 2, [
        ("problem", "problem", ""), ("peer", "program", ""), ("setup", "setup s", ".2f"), ("solve", "solve s", ".2f"), ("total", "both s", ".3f")],
        "To a relative residual of 1e-8, b = 1.", True),
]

# those of docs/hard.md
HARD = [
    Table("hard", "Small systems by most lists", 1, [
        ("problem", "problem", ""), ("whose", "such as in", ""), ("rows", "rows", ""),
        *((name, f"`{name}`", "") for name in ("sa_amg", "sa_amg_anisotropic", "ua_amg_kcycle", "matching_amg", "matching_amg_bootstrap",
                                               "fsai", "fsai_adaptive"))],
        "Iterations to a true relative residual of 1e-8, b = 1, on a host. None: not in 1000. *: ended above 1e-8 since rounding lets the residual go no lower, as far as the program can tell. "
        "An iteration of one list is not that of another: one of `matching_amg_bootstrap` costs up to five V-cycles, one of `fsai` two products.", True),
    Table("elastic", "Elastic bodies", 1, [
        ("problem", "problem", ""), ("rows", "rows", ""),
        *((f"{name}{key}", title, form) for name in ("sa_amg", "ua_amg_kcycle")
          for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".2f"), ("_seconds", "s", ".2f")))],
        "With rigid-body modes: iterations to 1e-8, operator complexity, and where there are 10,000 rows the processor's seconds of a setup and a solve on one core of a busy "
        "machine, a third more or less. elasticity.xml has the parameters of `ua_amg_kcycle`.", True),
]

# text, table, rows (a part of each key), column, bound (a number, the column that has it, or one for each row's first key), whether
# figures stay below it; {} in the text: each row by itself, by its first key
SUMMARY = [
    ("Iterations, Laplace3D 101^3 on 1 to 4 ranks", "iterations", {"problem": "Laplace3D 101^3"}, "iterations", "bound", True),
    ("Host, setup + solve over the best of ML and MueLu, 3D: {}", "host", {"problem": "3D", "list": "sa_amg"}, "ratio", 0.6, True),
    ("the same, 2D: {}", "host", {"problem": "2D", "list": "sa_amg"}, "ratio", 0.6, True),
    ("Host: memory over the least of ML and MueLu", "host", {"list": "sa_amg"}, "memory_ratio", 1, True),
    ("Host: a later refresh over a setup", "refreshes", {}, "later_ratio", 0.4, True),
    ("One H200: setup + solve, ms: {}", "solves", {}, "total", "bound", True),
    ("One H200: first setup over a later one", "solves", {}, "first_ratio", 1.3, True),
    ("One H200: a solve through Stratimikos over tessera solve", "whole", {}, "ratio", 1.3, True),
    ("One H200: a later refresh over a setup", "gpu_refreshes", {}, "later_ratio", 0.25, True),
    ("One H200: peak memory at 256^3, bytes a row", "solves", {"problem": "Laplace3D 256^3"}, "bytes", 400, True),
    ("Products in double, TB/s: {}", "products", {}, "double_sell_rate", {"Laplace3D 101^3": 3.2, "Laplace3D 256^3": 4.1}, False),
    ("cuSPARSE's time over a product's", "products", {}, "double_ratio", 1.3, False),
    ("V-cycle, of a copy's speed: {}", "cycle", {}, "of_copy", {"Laplace3D 101^3": 0.6, "Laplace3D 256^3": 0.75}, False),
    ("Two H200: weak scaling, unknowns a GPU: {}", "ranks", {"ranks": "2", "devices": "2"}, "efficiency", {"101^3": 0.6, "256^3": 0.85}, False),
    ("FSAI: iterations over Jacobi's", "fsai", {}, "ratio", "bound", True),
    ("Adaptive FSAI over static: iterations at equal density", "fsai", {}, "adaptive_ratio", 0.8, True),
    ("Batches of Cholesky factorisations, times a K80", "cholesky", {}, "k80", 20, False),
]

INTRODUCTION = """# Performance

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results), which have their circumstances; do not
edit. A cell of a run that was given several times has the smallest and the largest figure. Times on shared machines are noisy: hold
ratios, not seconds. [Methods](methods.md) has the other methods on one H200, [peers](peers.md) other programs; `benchmarks/performance.py --all` prints further tables.
"""

METHODS_INTRODUCTION = """# The methods on all problems

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit.
[Preconditioners](preconditioners.md) says what the methods are; [papers](papers.md#the-methods-side-by-side) has a table of all five lists.
"""

PAPERS_INTRODUCTION = """# The papers' tables

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit. Figures of the papers
beside ours, and the methods beside each other; [problems](problems.md) says what is the papers' in each problem.
"""


PEERS_INTRODUCTION = """# Other programs on the same problems

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit. [Performance](performance.md)
and [methods](methods.md) have Tessera on these problems; ML and MueLu stand in [performance](performance.md#beside-ml-and-muelu-on-a-host), in
the same runs.
"""


HARD_INTRODUCTION = """# What is hard

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit.
[Preconditioners](preconditioners.md#what-is-hard) says what to take; `benchmarks/hard_matrices.py` makes the matrices.
"""


def values(cell):
    return cell if isinstance(cell, list) else [cell]


def text_of(cell, form):
    """The cell's figures: one, or the smallest and the largest."""
    cells = [c for c in values(cell) if c is not None]
    if not cells:
        return ""
    if all(isinstance(c, (int, float)) for c in cells):
        low, high = format(min(cells), form), format(max(cells), form)
        return low if low == high else f"{low} to {high}"
    return ", ".join(dict.fromkeys(format(c, form if isinstance(c, float) else "") for c in cells))


def every_table():
    return [*TABLES, *PAPERS, *METHODS, *PEERS, *HARD]


def best(row, key):
    return min(values(row[key]))


def derived(table, rows):
    """Ratios between figures, where the runs have none."""
    for row in rows:
        if "second_setup" in row:
            for ratio, key in (("first_ratio", "second_first"), ("later_ratio", "second_later"), ("prepared_ratio", "first_first")):
                if key in row:
                    row.setdefault(ratio, best(row, key) / best(row, "second_setup"))
        if table == "ranks" and "efficiency" not in row and 1 < row["ranks"] == row["devices"]:
            alone = next((r for r in rows if r["unknowns"] == row["unknowns"] and r["ranks"] == 1), None)
            row.update({"efficiency": best(alone, "total") / best(row, "total")} if alone else {})
    return rows


def gathered():
    """The rows of each table, cell by cell of the newest runs; and the runs that a table's cells are of."""
    runs = [dict(json.loads(path.read_text()), name=path.stem) for path in sorted(RESULTS.glob("*.json"))]
    runs.sort(key=lambda run: run["date"] or "")  # stable: by name within a day
    keys = {table.name: [c[0] for c in table.columns[:table.keys]] for table in every_table()}
    tables, sources = {}, {}
    for run in runs:
        for table, row in rows_of(run):
            identity = tuple(str(row.get(k)) for k in keys.get(table, row))  # of a table that is not declared: the whole row
            cells = tables.setdefault(table, {}).setdefault(identity, {})
            for key, cell in row.items():
                age = (run["date"], run["commit"])
                old = cells.get(key)
                again = old and old[0] == age and key not in keys.get(table, row)
                cells[key] = (age, values(old[1]) + values(cell) if again else cell, old[2] + [run["name"]] if again else [run["name"]])
    result = {}
    for table, rows in tables.items():
        result[table] = derived(table, [{key: cell for key, (_, cell, _) in cells.items()} for cells in rows.values()])
        used = {name for cells in rows.values() for key, (_, _, names) in cells.items() for name in names if key not in keys.get(table, ())}
        sources[table] = [run for run in runs if run["name"] in used]
    return result, sources


def wrapped(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def grid(titles, rows):
    return ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)] + ["| " + " | ".join(row) + " |" for row in rows]


def origin(runs):
    """Commands, and machine, driver and date of their runs; what is known of runs without a command."""
    said = {}
    for run in runs:
        where = ", ".join((run["machine"] or "machine not recorded", *filter(None, (run["driver"] and f"driver {run['driver']}",)),
                           run["date"] or "date not recorded"))
        if run["command"]:
            said.setdefault(re.sub("build/[a-z]+/bin/|xml_params/", "", run["command"]), {})[where] = None
    by = "; ".join(f"`{what}` ({'; '.join(where)})" for what, where in said.items())
    return " ".join((*([f"By {by}."] if by else []), *(run["note"] for run in runs if not run["command"])))


def printed(table, rows, runs):
    lines = [f"## {table.heading}"] if table.heading else []
    body = [[text_of(row.get(key), form) for key, _, form in table.columns] for row in rows]
    return [*lines, wrapped((table.text + " " + origin(runs)).strip()), "", *grid([c[1] for c in table.columns], body), ""]


def summary(tables):
    lines = []
    columns = {table.name: {key: form for key, _, form in table.columns} for table in TABLES}
    for text, name, where, column, bound, below in SUMMARY:
        first = next(iter(columns[name]))
        limit = (lambda row: row.get(bound)) if isinstance(bound, str) else (lambda row: bound.get(row[first])) if isinstance(bound, dict) else lambda row: bound
        rows = [row for row in tables.get(name, []) if row.get(column) is not None and limit(row) is not None and
                all(part in str(row.get(key)) for key, part in where.items())]
        form = columns[name].get(column, ".2f")
        good = all(isinstance(v, (int, float)) and (v <= limit(row) if below else v >= limit(row)) for row in rows for v in values(row[column]))
        groups = [[row] for row in rows] if "{}" in text else [rows]
        figures = ", ".join(text_of([v for row in group for v in values(row[column])], form) for group in groups)
        bounds = [text_of([limit(row) for row in group], "g") for group in groups]
        if rows:
            lines.append([text.format(", ".join(str(row[first]) for row in rows)), figures, ("at most " if below else "at least ") + ", ".join(bounds if len(set(bounds)) > 1 else bounds[:1]),
                          "met" if good else "**missed**"])
    return grid(["", "figure", "bound", ""], lines)


def documents():
    """The text of each document, by the name of its file."""
    tables, sources = gathered()
    texts = {}
    for name, head, members in (("performance.md", [INTRODUCTION, *summary(tables), ""], TABLES), ("papers.md", [PAPERS_INTRODUCTION], PAPERS),
                                ("methods.md", [METHODS_INTRODUCTION], METHODS), ("peers.md", [PEERS_INTRODUCTION], PEERS),
                                ("hard.md", [HARD_INTRODUCTION], HARD)):
        shown = [table for table in members if table.shown and table.name in tables]
        lines = sum((printed(table, tables[table.name], sources[table.name]) for table in shown), head)
        texts[name] = "\n".join(lines).rstrip() + "\n"
    return texts


def everything():
    tables, sources = gathered()
    known = {table.name for table in every_table()}
    further = []
    for name, rows in tables.items():
        if name not in known:
            columns = [(key, key.replace("_", " "), "") for key in dict.fromkeys(key for row in rows for key in row)]
            further.append(Table(name, name, 1, columns, "", False))
    for table in [*every_table(), *further]:
        if table.name in tables:
            print("\n".join(printed(table, tables[table.name], sources[table.name])))


def add(arguments):
    text = re.sub(r'(?<=")/[^"\n]*/', "", arguments.add.read_text())  # no folders of this machine
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    run = {"kind": arguments.kind, "machine": arguments.machine, "date": datetime.date.today().isoformat(), "commit": commit,
           "driver": arguments.driver, "command": arguments.command, "note": arguments.note,
           "figures": json.loads(text) if text.lstrip()[:1] in "{[" else text.splitlines()}
    try:
        rows = list(rows_of(run))
    except (KeyError, TypeError):
        rows = []
    if not rows:
        sys.exit(f"{arguments.add} holds no figure of {arguments.kind} (is it what that program printed?)")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{arguments.name}.json").write_text(json.dumps(run, indent=1) + "\n")
    print(f"{RESULTS.relative_to(ROOT)}/{arguments.name}.json: {len(rows)} rows; write the documents anew with benchmarks/performance.py")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--add", type=pathlib.Path, metavar="OUTPUT")
    parser.add_argument("--kind", choices=sorted(KINDS))
    for option in ("name", "machine", "driver", "command", "note"):
        parser.add_argument(f"--{option}")
    arguments = parser.parse_args()
    if arguments.add:
        missing = [f"--{o}" for o in ("kind", "name", "machine", "command") if not getattr(arguments, o)]
        if missing:
            parser.error(f"--add needs {', '.join(missing)}")
        add(arguments)
    elif arguments.all:
        everything()
    elif arguments.check:
        for name, text in documents().items():
            if (DOCUMENTS / name).read_text() != text:
                sys.exit(f"docs/{name} is not what benchmarks/results prints; write it anew with benchmarks/performance.py")
    else:
        for name, text in documents().items():
            (DOCUMENTS / name).write_text(text)


if __name__ == "__main__":
    main()
