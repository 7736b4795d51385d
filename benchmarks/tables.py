"""The tables of docs/performance.md, papers.md, methods.md, robust.md, peers.md and hard.md, and what stands above them."""
from collections import namedtuple

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
        "bring matrix and vectors there and x back. Beyond 2^31 entries: Brick3D 432^3 (2.17 billion entries), made on one H100, took 1.01 + 0.51 s, "
        "10 iterations to 1.1e-9, peak 64.8 GB (`gpu_large_benchmark`, 2026-11-26).", True),
    Table("whole", "Whole solves through Stratimikos on one GPU", 2, [
        ("problem", "problem", ""), ("machine", "GPU", ""), ("setup", "setup ms", ".1f"), ("setup_copies", "reading and copies", ".1f"), ("solve", "solve ms", ".1f"),
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
        ("ml", "ML", ""), ("rows", "ours: rows", ""), ("sa_amg_paper", "`sa_amg_paper`", ""), ("sa_amg_paper_complexity", "complexity", ".3f"),
        ("greedy", "greedy", ""), ("greedy_complexity", "complexity", ".3f"), ("sa_amg_jacobi", "`sa_amg_jacobi`", ""), ("sa_amg_jacobi_complexity", "complexity", ".3f"), ("ml_sa_jacobi", "`ml_sa_jacobi`", ""),
        ("ml_sa_jacobi_complexity", "complexity", ".3f")],
        "Iterations of conjugate gradients with V(1,1) and weighted Jacobi to 1e-12 (drop tolerance 0.08 in 5a and 5b). The paper's CPU has greedy "
        "aggregates, its GPU those of one MIS(2), as `sa_amg_paper` has; `sa_amg_jacobi` looks for roots twice more among what is left over; "
        "`ml_sa_jacobi` is Trilinos' ML, run by us. Greedy: `sa_amg_paper` with the aggregates of the paper's CPU, which the library does not make; a reference of the tests does. Ours are to the true residual, with a random right-hand side. 1a to 2b "
        "are the paper's grids, 2b with the coupling -1 to all neighbours; the other meshes are our own, nearest in size.", True),
    Table("bell_2012_times", None, 1, [
        ("case", "case", ""), ("host_setup", "host: setup ms", ".0f"), ("host_iteration", "an iteration", ".2f"), ("ml_setup", "ML, one process: setup ms", ".0f"),
        ("ml_iteration", "an iteration", ".2f"), ("cuda_setup", "H200: setup ms", ".1f"), ("cuda_iteration", "an iteration", ".3f"),
        ("setup_ratio", "setup, times as fast", ".0f"), ("iteration_ratio", "an iteration", ".0f")],
        "Times of `sa_amg_paper` on 16 cores of a host and on one H200, and of `ml_sa_jacobi` by one process of the H200's host. The paper's GPU (C2050) was 1.8 times as "
        "fast as its CPU in setups and 5.7 times in cycles.", True),
    Table("bell_2012_levels", None, 2, [
        ("problem", "problem", ""), ("level", "level", ""), ("rows", "rows", ""), ("entries", "entries", ""), ("aggregates", "aggregates us", ".0f"),
        *((f"{key}{part}", title, form) for key, name in (("product", "A x"), ("prolongation", "P x"), ("restriction", "R x"), ("transpose", "P^T"), ("A P", "A P"), ("R (A P)", "R (A P)"))
          for part, title, form in (("_us", f"{name} us", ".0f"), ("_of_copy", "of a copy", ".0%")))],
        "What setup and cycle of smoothed aggregation do on each level, by itself, in double on one H100, with one MIS(2) a level and P = (I - 2/3 D^-1 A) T (tables 5.3, 5.4, figures 5.1 and 5.3 to 5.7 show these on a C2050 and its host). "
        "Beside each time its fraction of a copy's speed, for what is read and what is made, each once. On small levels times are those of launches.", True),
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
    Table("formats_gpu_single", None, 1, [
        ("matrix", "GPU, Gflop/s in single", ""), *((key, title, ".1f") for key, title in (
            ("csr", "CSR"), ("sell", "SELL-C-sigma"), ("pjds", "pJDS"), ("pjds_permuted", "pJDS in its own basis"), ("ellpack_r", "ELLPACK-R"), ("hyb", "HYB"))),
        ("ratio", "pJDS over ELLPACK-R", ".2f"), ("paper_ratio", "paper's, C2070", ".2f")],
        "", True),
    Table("pcie", "Copies beside products: Kreutzer et al. 2012, equations 2 to 4", 1, [
        ("matrix", "matrix", ""), ("mean", "entries a row", ".1f"), ("product", "product us", ".0f"), ("model_product", "model us", ".0f"),
        ("copies", "copies of x and y us", ".0f"), ("bus", "GB/s", ".1f"), ("both", "all three us", ".0f"), ("without", "Gflop/s without copies", ".0f"),
        ("with", "with them", ".1f"), ("half", "copies are half below", ".0f"), ("tenth", "a tenth above", ".0f")],
        "A product in pJDS in double, x brought to the GPU and y back by pinned memory, each alone and all three in a row. The model of a product is the paper's "
        "equation 2 at the bandwidth of a copy on the device, with each entry of x loaded once, and once for each entry of the matrix. The last two columns are "
        "the paper's equations 3 and 4 for these bandwidths: the entries a row below which copies take longer than the product, and above which they take less than a tenth of it. "
        "On the paper's C2070 they were 7 to 25 and 80 to 266. A solve on the GPU copies x and b once, not once a product.", True),
    Table("kreutzer_modes", "Ranks: Kreutzer et al. 2012, figure 5a", 2, [
        ("each", "a rank has", ""), ("ranks", "ranks", ""), ("matrix", "matrix", ""), ("ghosts", "ghosts", ""),
        *((f"{mode}{key}", title, ".2f") for mode, shown in (("none", "none"), ("naive", "naive"), ("task", "task"), ("auto", "auto"))
          for key, title in (("", f"{shown}: Gflop/s"), ("_efficiency", "efficiency")))],
        "Products of a matrix like DLR1 whose rows are shared, in the paper's three modes: vector mode without overlap (none), with naive overlap, and task mode; auto writes into the neighbour's memory where GPUs reach each other. Efficiency is against as many times "
        "the speed of one rank in the same mode. The fastest rounds.", True),
    Table("brannick_2013", "Unsmoothed aggregation: Brannick, Chen, Hu, Zikatanov 2013, tables 5.1 to 5.5", 2, [
        ("table", "table", ""), ("n", "n", ""),
        *((f"{whose}_{t}", f"{title}t = {t or 'any'}", "") for t in (2, 3, 4, 5, 0) for whose, title in (("paper", "paper: "), ("ours", "ours: ")))],
        "PAA on n^2 vertices with at most t an aggregate: (coarsening ratio) and |Q|_A^2, the energy of the l2 projection on the coarse space. 5.1, 5.3: "
        "Laplace2D; 5.2: NeumannLaplace2D; 5.4: Delaunay2D; 5.5: NeumannDelaunay2D, whose meshes are others of the same kind. The caption of 5.3 has "
        "Neumann conditions, its row of n = 128 those of 5.1.", True),
    Table("brannick_2013_levels", "Its levels: tables 5.6 and 5.7", 1, [
        ("levels", "levels", ""), ("paper_ratio", "paper: ratio", ".2f"), ("ratio", "ours", ".2f"), ("paper_6", "5.6: energy", ".2f"),
        ("ours_6", "ours", ".2f"), ("paper_7", "5.7: energy", ".2f"), ("ours_7", "ours", ".2f")],
        "Ratio and energy of PAA with t = 5 on 128^2 vertices, from one level to another; 5.6: Laplace2D, 5.7: NeumannLaplace2D. Our leaves go with their neighbours, "
        "beyond t, so that the last levels have fewer vertices. Table 5.8 is the paper's machine.", True),
    Table("brannick_2013_9", "Its solves: table 5.9", 1, [
        ("problem", "our problem", ""), ("rows", "rows", ""), ("paper_millions", "paper: million rows", ""), ("paper_iterations", "paper", ""), ("paper_cusp", "CUSP", ""),
        *((f"{name}{key}", title, form) for name in ("ua_amg_paper", "sa_amg_paper", "ua_amg_kcycle", "sa_amg")
          for key, title, form in (("", f"`{name}`", ""), ("_setup", "setup ms", ".1f"), ("_solve", "solve ms", ".1f"))),
        ("ratio", "setups, unsmoothed over smoothed", ".2f")],
        "Iterations of conjugate gradients to a true relative residual of 1e-6, b = 1, and times on one H200 (2048^2 and unstructured meshes: H100). `ua_amg_paper` is the paper's method; CUSP has "
        "that of `sa_amg_paper`. The paper's setups take 0.21 and 0.26 of CUSP's. Its meshes are unstructured, of the finite element method's standard kind.", True),
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
                                                          ("matching_amg", "`matching_amg`"), ("matching_amg_plain", "`matching_amg_plain`"))
                                      for key, title, form in (("", shown, ""), ("_complexity", "complexity", ".3f")))],
        "Iterations of conjugate gradients to a true relative residual of 1e-8 with the lists in xml_params as they are, b = 1, on a host, and the "
        "operator complexity beside them. With plain prolongators (`ua_amg_kcycle`, `ua_amg_paper`, `matching_amg_plain`) iterations are more than "
        "`sa_amg`'s on every problem: up to twice as many in `ua_amg_kcycle`, whose K-cycles also cost more than V-cycles of the same levels, and "
        "mostly several times as many in `matching_amg_plain`, whose cycle is V. `ua_amg_paper` has larger hierarchies than "
        "`sa_amg` everywhere, `matching_amg` everywhere in 2D. `matching_amg` takes up to two iterations more than `sa_amg` on Darcy3D with sigma 1 and on the Laplacians.  "
        "Degree 3: `ua_amg_kcycle` with `chebyshev: degree` = 3, which of those with plain prolongators alone has both on Laplace2D 1024^2: at most 19 "
        "iterations to 1e-6 and an operator complexity of at most 1.45. On RotatedAnisotropy2D `sa_amg_anisotropic` takes fewer than all of these ([performance](performance.md#iterations)).", True),
]

# those of docs/papers-fsai.md
PAPERS_FSAI = [
    Table("bernaschi_2016", "Densities and iterations: tables 4 to 6", 1, [
        ("matrix", "matrix", ""), ("paper_rows", "paper: rows", ""), ("paper_entries", "entries a row", ".2f"), ("parameters", "k; tau; delta", ""),
        ("problem", "ours", ""), ("rows", "rows", ""), ("entries", "entries a row", ".2f"),
        ("paper_before", "paper: density before the postfilter", ".3f"), ("paper_after", "after", ".3f"), ("before", "ours: before", ".3f"), ("after", "after", ".3f"),
        ("paper_jacobi", "paper: Jacobi", ""), ("paper_fsai", "FSAI", ""), ("paper_ratio", "ratio", ".3f"), ("jacobi", "ours: Jacobi", ""), ("fsai", "FSAI", ""),
        ("ratio", "ratio", ".3f"), ("jacobi_seconds", "Jacobi: s", ".1f"), ("fsai_seconds", "FSAI: s", ".1f")],
        "`fsai.xml` with the paper's k, tau and delta, b = A e, to 1e-8; iterations of ours are to the true residual. None of the five matrices can be had. A random network ([problems](problems.md)) has thermal2's and "
        "G3_circuit's sizes, and patterns that the postfilter takes apart as theirs. ApacheLike3D has apache2's size and entries; its pattern before the postfilter is ten times sparser than apache2's, "
        "and Darcy3D with a sigma of 7.8 has densities near apache2's, but is singular to rounding, so that solves end at once: nothing that has both densities and iterations was found. Nor was anything in the place of Cube3D and PFlow_742. The solver's iterations on a network need not be those on its model: its densities are what was matched. Seconds are the processor's for the problem, a setup and a solve on one core.", True),
    Table("bernaschi_2016_times", "Times over a host's", 1, [
        ("matrix", "matrix", ""),
        *((f"fsai_{name}_{key}", title, form) for name, shown, form in (("host_2", "2 cores", ".0f"), ("host_16", "16 cores", ".0f"), ("cuda", "GPU", ".1f"))
          for key, title in (("setup", f"{shown}: setup ms"), ("solve", "solve ms"))),
        *((f"fsai_host_{cores}_{key}_ratio", title, ".1f") for cores in (2, 16)
          for key, title in (("setup", f"GPU over {cores} cores: setup"), ("solve", "solve"), ("total", "both"))),
        ("jacobi_host_16_solve", "Jacobi: 16 cores, solve ms", ".0f"), ("jacobi_cuda_solve", "GPU", ".1f")],
        "FSAI and Jacobi on the stand-ins above, in one run on one machine with an H100, without copies. A product on one core of that host runs at 1.7 Gflop/s, on another host at 5 ([papers](papers.md#ranks-kreutzer-et-al-2012-figure-5a)), which flatters the GPU. The paper's K80 was 10 times as fast as its CPU in setups, 6.4 times in iterations and 7.3 times in all.", True),
    Table("bernaschi_2016_3", "Batches of 13000 factorisations: table 3", 1, [
        ("size", "size", ""), ("k80_single", "paper: K80, single, ms", ".2f"), ("k80_double", "double", ".2f"), ("xeon", "Xeon, 6 cores, double", ".2f"),
        ("host", "ours: one core, double, ms", ".1f"), ("host_gflops", "GFlop/s", ".1f"), ("gpu", "H200, double, ms", ".3f")],
        "GFlop/s count n^3/3 operations a matrix. There is no column in single of ours: Tessera factorises in double "
        "([decision 4](decisions/0004-setup-in-double-cycle-in-float.md)) and rounds the factor, where `precision: hierarchy` says so. Times of the core are the processor's; systems lie in its cache, as in a setup.", True),
]

PAPERS_FSAI_INTRODUCTION = """# FSAI beside its paper

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit. Figures of Bernaschi,
Bisson, Fantozzi, Janna 2016 beside ours; [papers](papers.md) has the other papers. The paper's tables 1, 2 and 7 and its figures are times
on a K80, which cannot be had; [times of ours](#times-over-a-hosts) stand beside its speed-ups.
"""

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
                                                          ("matching_amg_plain", "`_plain`"), ("matching_amg_bootstrap", "`_bootstrap`"), ("fsai", "`fsai`"))
                                      for key, title, form in ((("", shown, ""),) if name in ("W", "K", "fsai") else
                                                               (("", shown, ""), ("_complexity", "complexity", ".3f"))))],
        "Iterations of conjugate gradients to a true relative residual of 1e-8 on a host, with b = 1 where the problem brings none. W and K: "
        "`matching_amg` with that cycle. An application of `matching_amg_bootstrap` is that of up to five V-cycles, and its complexity that of "
        "all its hierarchies. `fsai` stands beside matrices on which multigrid fails. The number behind a mesh is that of refinements. "
        "`matching_amg` takes at most 1.31 times `sa_amg`'s iterations, on lap_wing.", True),
    Table("bernaschi_2019", "Matching: Bernaschi, D'Ambra, Pasquini 2019, tables 1 to 4", 1, [
        ("case", "case", ""), ("rows", "ours: rows", ""), ("paper_V", "paper: V", ""), ("V_recursive", "V", ""), ("V_true", "true residual", ""),
        ("paper_W", "paper: W", ""), ("W_recursive", "W", ""), ("plain_recursive", "`_plain`", ""), ("V_complexity", "complexity", ".3f"),
        ("plain_complexity", "`_plain`", ".3f"), ("paper_levels", "paper: levels", ""), ("V_levels", "levels", ""), ("V_coarsest", "rows of the coarsest", ""),
        ("limit", "40 n^(1/3)", "")],
        "Iterations with the V- and the W-cycle of `matching_amg_paper.xml`, which is the paper's algorithm, and with the V-cycle of `matching_amg_plain.xml`, which "
        "has Tessera's rules for who matches whom (decision [19](decisions/0019-matching-is-greedy-in-rounds-and-composed.md)); b = 1, to 1e-6 by the residual that "
        "the recurrence carries, as solvers commonly watch it, and once until b - A x is that small. The coarsest level has at most 40 n^(1/3) rows, except where "
        "coarsening stalls before; then the column of its rows says so. The number behind a case is that of refinements. Parflow of the paper has a million cells; its "
        "permeabilities are other random numbers than ours. The paper's operator complexity is 1.40 on ANI1; it gives none for Parflow. Theirs are flexible conjugate gradients. None: rounding ended the solve before b - A x was that small.", True),
]

# that of docs/robust.md
ROBUST = [
    Table("robust", None, 1, [
        ("problem", "problem", ""), *((f"{name}{key}", title, form) for name in ("sa_amg", "rootnode_amg", "robust")
                                      for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".3f")))],
        "Iterations of conjugate gradients to a true relative residual of 1e-8 on a host, with b = 1 where the problem brings none. "
        "`robust` is `rootnode_amg` with a smoother of degree 3, so that an iteration costs 1.3 times as much (H100). "
        "None: the solve ended at the rounding level, or after 1000 iterations. More than 100 remain on bcsstk13, bcsstk15 and bcsstk28, "
        "which come without a near-nullspace: bootstraps take 115, 56 and 395 ([methods](methods.md#matching-beside-smoothed-aggregation)). On isotropic Laplacians in 2D `sa_amg` takes fewer; its setup takes a third of the time (Laplace3D 101^3, H100).", True),
    Table("root_nodes", "Root nodes on one H200", 2, [
        ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""), ("complexity", "complexity", ".2f"), ("setup_ms", "setup ms", ".1f"),
        ("prolongator_ms", "of it P", ".1f"), ("solve_ms", "solve ms", ".1f"), ("total_ms", "setup + solve", ".1f")],
        "Levels in float. Where Darcy3D's permeability varies most, rounding ends the solve before 1e-8 is reached. Levels in double take as many iterations "
        "there (`robust` on a host, 50^3, sigma 5: 123 instead of 122).", True),
    Table("robust_refreshes", "Refreshes of root nodes", 1, [
        ("problem", "problem", ""), ("rows", "rows", ""), ("setup", "setup s", ".2f"), ("first", "first refresh", ".2f"), ("later", "later ones", ".2f"),
        ("first_ratio", "first / setup", ".2f"), ("later_ratio", "later / setup", ".2f")],
        "`robust` for new values on the same pattern: aggregates, their roots and P's pattern stay, the energy is minimised anew. The processor's seconds on one core of a "
        "busy machine, the matrix read, smallest of three. On one H200 later ones take 0.35 of a setup on Laplace3D 101^3, "
        "0.34 on RotatedAnisotropy2D 1000^2, 0.46 on Elasticity3D 40^3 and 0.53 on 60^3 (2026-11-27, benchmarks/results/root-node-refreshes-h200.json).", True),
    Table("tune", "What `tessera tune` writes", 1, [
        ("problem", "problem", ""), ("rows", "rows", ""), ("best", "written", ""), ("tuned_ms", "ms", ".3g"), ("fastest", "fastest ready list", ""),
        ("fastest_ms", "ms", ".3g"), ("ratio", "ratio", ".2f"), ("other", "of ML, MueLu, Ifpack2", ""), ("other_ms", "ms", ".3g"), ("other_ratio", "ratio", ".2f")],
        "Setup + solve of the list that is written beside the fastest of all ready lists of Tessera's, and beside the fastest of the others': lists take turns "
        "in one run, smallest times, b = 1 where the matrix brings none, to 1e-8. A ratio is that of the list written over the other. Searches had 30 seconds each, "
        "on one core of a machine whose other core compiled.", True),
]

# those of docs/peers.md
PEERS = [
    Table("peers", "Others on one H200", 2, [
        ("problem", "problem", ""), ("peer", "program", ""), ("setup", "setup ms", "g"), ("solve", "solve ms", "g"), ("total", "setup + solve", ".4g"),
        ("iterations", "iterations", ""), ("remark", "", "")],
        "The same problems, b = 1, x = 0 at the start, to a relative residual of 1e-8 in double, the matrix on the device.", True),
    Table("two_ranks", "The fastest ready lists beside ML and MueLu on two cores", 2, [
        ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""), ("operator_complexity", "complexity", ".2f"),
        ("setup", "setup s", ".3f"), ("solve", "solve s", ".3f"), ("total", "both s", ".3f"), ("ratio", "over the others' best", ".2f"),
        ("bound", "bound", "")],
        "Two ranks of one thread, b = 1, to 1e-8. All ready lists but the papers' and Ifpack2's solve; those within 1.5 times the fastest of Tessera's, or of ML's and "
        "MueLu's, take turns, smallest times. The bound is that of Tessera's fastest.", True),
    Table("peers_host", "Others on two cores of a host", 2, [
        ("problem", "problem", ""), ("peer", "program", ""), ("setup", "setup s", ".2f"), ("solve", "solve s", ".2f"), ("total", "both s", ".3f")],
        "To a relative residual of 1e-8, b = 1. amgcl sets up in less time since it makes fewer passes, by its source of 2018 to 2020: it neither checks rows nor sums "
        "a checksum; couplings are a mark an entry where we store a graph; aggregates come from one greedy sweep on one thread, where ours are rounds that do not depend on "
        "threads or ranks; the filtered matrix is never stored; nothing is estimated for a smoother such as spai0, where Chebyshev needs Lanczos; columns of products stay "
        "as they turn up; and values of float halve what products move, where we set up in double and store levels anew in float.", True),
]

# those of docs/hard.md
HARD = [
    Table("hard", "Small systems by most lists", 1, [
        ("problem", "problem", ""), ("whose", "such as in", ""), ("rows", "rows", ""),
        *((name, f"`{name}`", "") for name in ("sa_amg", "sa_amg_anisotropic", "robust", "ua_amg_kcycle", "matching_amg", "matching_amg_bootstrap",
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

# that of docs/conformance.md
CONFORMANCE = [
    Table("conformance", "", 1, [("rule", "rule", ""), *((name, name, "") for name in ("Tessera", "MueLu", "Ifpack2"))],
          "Throws: the call that the rule is about ended with an exception. Two words: on three ranks and on one. Thyra::LinearOpTester "
          "applies operators with alpha = 1/2. Debian's Trilinos 13.2.", True),
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
    ("One H200 (an H100: 1.05, 1.39): a solve through Stratimikos over tessera solve", "whole", {"machine": "H200"}, "ratio", 1.3, True),
    ("One H200: a later refresh over a setup", "gpu_refreshes", {}, "later_ratio", 0.25, True),
    ("One H200: peak memory at 256^3, bytes a row", "solves", {"problem": "Laplace3D 256^3"}, "bytes", 400, True),
    ("Products in double, TB/s: {}", "products", {}, "double_sell_rate", {"Laplace3D 101^3": 3.2, "Laplace3D 256^3": 4.1}, False),
    ("cuSPARSE's time over a product's", "products", {}, "double_ratio", 1.3, False),
    ("V-cycle, of a copy's speed: {}", "cycle", {}, "of_copy", {"Laplace3D 101^3": 0.6, "Laplace3D 256^3": 0.75}, False),
    ("Two H200: weak scaling, unknowns a GPU: {}", "ranks", {"ranks": "2", "devices": "2"}, "efficiency", {"101^3": 0.6, "256^3": 0.85}, False),
    ("FSAI: iterations over Jacobi's", "fsai", {}, "ratio", "bound", True),
    ("Adaptive FSAI over static: iterations at equal density", "fsai", {}, "adaptive_ratio", 0.8, True),
]

INTRODUCTION = """# Performance

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results), which have their circumstances; do not
edit. A cell of a run that was given several times has the smallest and the largest figure. Times on shared machines are noisy: hold
ratios, not seconds. [Methods](methods.md) has the other methods on one H200, [peers](peers.md) other programs; `benchmarks/performance.py --all` prints further tables.
"""

ROBUST_INTRODUCTION = """# The list for a problem that nobody has looked at

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit.
[Preconditioners](preconditioners.md#root-nodes) says what is in the list.
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

CONFORMANCE_INTRODUCTION = """# What preconditioners of Stratimikos' promise, rule by rule

Written by `benchmarks/performance.py` from the runs in [benchmarks/results](../benchmarks/results); do not edit. The program is
`benchmarks/stratimikos/stratimikos_conformance.cpp`, which takes any list for
Stratimikos. It applies preconditioners through Thyra's interfaces alone, to the five-point Laplacian of 30 x 30 points; of several
ranks the last one has no rows.
"""

PAPERS_MISSING = """## What is not here

| paper | table or figure | why |
|---|---|---|
| Bell, Dalton, Olson 2012 | tables 5.1, 5.2 | the paper's machines and matrices; rows and problems of ours stand in table 5.6 |
| | figure 5.2 | times of vector operations on a C2050; they are parts of passes here |
| Bernaschi, Bisson, Fantozzi, Janna 2016 | [its page](papers-fsai.md): tables 1, 2, 7; figures | times of the paper's kernels and solves on a K80, which cannot be had; speed-ups over a host stand there |
| | table 3 in single, by us | Tessera factorises in double |
| | tables 4 to 6: apache2, Cube3D, PFlow_742 | no matrix of their densities that can be solved with was found |
| Bernaschi, D'Ambra, Pasquini 2019 | table 4, figures 2 to 7 | LE2D's iterations and times beside AmgX 2.0 on a Titan V; [peers](peers.md) has AmgX 2.5 on an H200 |
| Brannick, Chen, Hu, Zikatanov 2013 | table 5.8 | the paper's machine |
| Kreutzer et al. 2012 | figure 5a beyond 4 ranks or 2 GPUs | 32 GPUs |
| | figure 5b | UHBR cannot be had, nor 5 to 32 GPUs |
"""
