"""The columns of the tables in docs/results; texts.py has the text above each table."""
from collections import namedtuple

# columns: (key, title, format); the first `keys` of them identify a row. shown: the document has the table.
Table = namedtuple("Table", "name heading keys columns shown")


def refresh_columns(form):
    return [("second_setup", "setup", form), ("second_first", "first refresh", form), ("second_later", "later refresh", form),
            ("first_ratio", "first / setup", ".2f"), ("later_ratio", "later / setup", ".2f"), ("second_held", "held B/row", ".0f"),
            ("second_peak", "peak B/row", ".0f"), ("first_setup", "prepared: setup", form), ("first_first", "prepared: first refresh", form),
            ("prepared_ratio", "prepared: refresh / setup", ".2f"), ("first_held", "prepared: held B/row", ".0f"), ("first_peak", "prepared: peak B/row", ".0f")]


TABLES = [
    Table("iterations", "Iterations", 1, [
        ("problem", "problem", ""), ("ranks", "ranks", ""), ("iterations", "iterations", ""), ("bound", "bound", ""),
        ("complexity", "operator complexity", ".3f"), ("levels", "rows of the levels", "")], True),
    Table("host", "Comparison with ML and MueLu on a host", 3, [
        ("machine", "machine", ""), ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""),
        ("setup", "setup s", ".3f"), ("solve", "solve s", ".3f"), ("total", "total s", ".3f"), ("ratio", "total / best of ML and MueLu", ".2f"),
        ("memory", "memory MB", ".0f")], True),
    Table("refreshes", "Refreshes", 2, [
        ("machine", "machine", ""), ("problem", "problem", ""), *refresh_columns(".0f")], True),
    Table("gpu_refreshes", None, 1, [("problem", "one H200, ms", ""), *refresh_columns(".1f")], True),
    Table("solves", "Solves on one H200", 1, [
        ("problem", "problem", ""), ("iterations", "iterations", ""), ("host_iterations", "host iterations", ""), ("setup", "setup ms", ".1f"),
        ("first", "first setup ms", ".1f"), ("solve", "solve ms", ".1f"), ("total", "setup + solve ms", ".1f"), ("bound", "bound ms", ""), ("others", "fastest other program, ms", ""),
        ("upload", "transfers ms", ".0f"), ("bytes", "peak B/row", ".0f")], True),
    Table("whole", "Whole solves through Stratimikos on one GPU", 2, [
        ("problem", "problem", ""), ("machine", "GPU", ""), ("setup", "setup ms", ".1f"), ("setup_copies", "reading and copies", ".1f"), ("solve", "solve ms", ".1f"),
        ("solve_copies", "its copies", ".1f"), ("wall", "all ms", ".1f"), ("program", "tessera solve ms", ".1f"), ("ratio", "ratio", ".2f"),
        ("second_solve", "second solve ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("megabytes_up", "MB up", ".0f"),
        ("megabytes_down", "MB down", ".0f")], False),
    Table("phases", "Setup on one H200 by phase", 1, [
        ("problem", "ms", ""), ("setup", "setup", ".1f"), ("cold", "first setup", ".1f"), ("strength", "strength", ".1f"),
        ("aggregation", "aggregation", ".1f"), ("prolongator", "prolongators", ".1f"), ("galerkin", "R A P", ".1f"),
        ("eigenvalue", "eigenvalues, checks", ".1f"), ("rest", "smoothers, transfers, coarsest", ".1f")], False),
    Table("ranks", "Several GPUs", 3, [
        ("unknowns", "unknowns a rank", ""), ("ranks", "ranks", ""), ("devices", "GPUs", ""), ("iterations", "iterations", ""),
        ("setup", "setup ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("solve", "solve ms", ".1f"), ("total", "setup + solve ms", ".1f"),
        ("efficiency", "efficiency", ".2f")], False),  # docs/results/scaling.md has it
    Table("graphs", "Recorded graphs", 1, [
        ("problem", "problem", ""), ("as_is", "solve ms", ".2f"), ("without_graphs", "without graphs ms", ".2f"), ("ratio", "ratio", ".2f")], False),
    Table("half", "Matrices in 16 bits", 1, [
        ("problem", "ms", ""),
        *((f"{half}{key}", f"{title}{name}", form) for key, title, form in (
            ("cycle", "cycle, ", ".2f"), ("solve", "solve, ", ".1f"), ("setup", "setup, ", ".1f"), ("refresh", "refresh, ", ".1f"), ("held", "bytes a row, ", ".0f"),
            ("peak", "peak, ", ".0f"))
          for half, name in (("", "float"), ("half_", "half")))], True),
    Table("overlap", "Modes of communication", 3, [
        ("problem", "us", ""), ("ranks", "ranks", ""), ("unknowns", "unknowns a rank", ""), ("threads", "threads a rank", ""), ("ghosts", "ghosts, % of rows", ""),
        ("none", "none", ".0f"), ("naive", "naive", ".0f"), ("task", "task", ".0f"), ("naive_ratio", "naive / none", ".2f"),
        ("task_ratio", "task / naive", ".2f")], False),  # docs/results/scaling.md has it
    Table("products", "GPU kernels", 1, [
        ("problem", "problem", ""), *((f"{t}_{key}", title, form) for t in ("double", "float") for key, title, form in (
            ("sell", f"{t}: SELL us", ".2f"), ("sell_rate", "TB/s", ".3f"), ("csr", "CSR us", ".2f"), ("cusparse", "cuSPARSE us", ".2f"),
            ("ratio", "cuSPARSE / SELL", ".2f")))], True),
    Table("cycle", None, 1, [
        ("problem", "V-cycle, float", ""), ("megabytes", "MB", ".0f"), ("us", "us", ".1f"), ("copy", "copy us", ".1f"),
        ("of_copy", "% of copy speed", ".0%")], True),
    Table("fsai", "Factored sparse approximate inverse", 1, [
        ("matrix", "matrix", ""), ("jacobi", "Jacobi", ""), ("fsai", "FSAI", ""), ("ratio", "ratio", ".3f"), ("bound", "bound", ".2f"),
        ("pattern_density", "density before filter", ".3f"), ("density", "density after filter", ".3f"), ("adaptive", "adaptive FSAI", ""),
        ("adaptive_ratio", "adaptive / static", ".3f"), ("adaptive_density", "density", ".3f")], True),
    Table("smoother", "FSAI as a smoother", 1, [
        ("matrix", "matrix", ""), ("chebyshev", "Chebyshev(2): iterations", ""), ("chebyshev_setup", "setup s", ".3f"), ("chebyshev_solve", "solve s", ".3f"),
        ("fsai", "FSAI: iterations", ""), ("fsai_setup", "setup s", ".3f"), ("fsai_solve", "solve s", ".3f")], False),
    Table("cholesky", "Batches of 13000 Cholesky factorisations on one H200", 1, [
        ("size", "size", ""), ("ms", "ms", ".3f"), ("gflops", "GFlop/s", ".0f"), ("k80", "K80 time / ours", ".0f")], False),
    Table("fsai_setup", "FSAI's setups on one H200", 1, [
        ("problem", "problem", ""), ("setup", "setup ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("pattern_density", "density before filter", ".3f"),
        ("density", "density after filter", ".3f"), ("gigabytes", "peak GB", ".2f")], False),
]

# those of docs/results/gpus.md
GPUS = [
    Table("large", "Large systems on one H200", 2, [
        ("problem", "problem", ""), ("method", "method", ""), ("rows", "rows", ""), ("iterations", "iterations", ""), ("setup", "setup ms", ".0f"),
        ("solve", "solve ms", ".0f"), ("total", "setup + solve ms", ".0f"), ("residual", "residual", ".1e"), ("gigabytes", "peak GB", ".1f"),
        ("hypre", "hypre, by its authors, to 1e-6", "")], True),
    Table("torch_fem", "torch-fem through libtessera_amgx.so on one H200", 1, [
        ("unknowns", "unknowns", ""), ("iterations", "iterations", ""), ("first", "first setup ms", ".0f"), ("setup", "setup ms", ".0f"),
        ("solve", "solve ms", ".0f"), ("plain_iterations", "without coordinates: iterations", ""), ("plain_setup", "setup ms", ".0f"),
        ("first_resetup", "first resetup ms", ".0f"), ("resetup", "resetup ms", ".0f"), ("plain_solve", "solve ms", ".0f"),
        ("residual", "residual", ".1e"), ("difference", "difference to the CPU", ".1e"), ("cpu", "torch-fem on the CPU s", ".0f")], True),
    Table("gpu_hosts", "Two GPUs as two hosts", 4, [
        ("hosts", "hosts", ""), ("gpus", "GPUs", ""), ("messages", "messages by", ""), ("channels", "NCCL's channels", ""), ("iterations", "iterations", ""),
        ("setup", "setup ms", ".1f"), ("refresh", "refresh ms", ".1f"), ("solve", "solve ms", ".1f"), ("small", "exchange of 256 numbers us", ""),
        ("large", "of 262144 us", "")], True),
    Table("tpetra", "In a Trilinos with CUDA", 2, [
        ("problem", "problem", ""), ("how", "preconditioner and solver", ""), ("setup", "setup ms", ".1f"), ("refresh", "refresh ms", ".2f"),
        ("apply", "apply ms", ".2f"), ("solve", "solve ms", ".2f"), ("iterations", "iterations", ""), ("bytes", "bytes moved", "")], True),
    Table("device_peers", "Ifpack2 on the same GPU", 2, [
        ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""), ("setup", "setup ms", ".1f"), ("solve", "solve ms", ".2f"),
        ("total", "total ms", ".1f"), ("peak", "peak MB of Tessera", ".0f"), ("ratio", "total / best of Ifpack2", ".3f"), ("remark", "remark", "")], True),
]

# those of docs/results/papers.md
PAPERS = [
    Table("bell_2012", "Smoothed aggregation: Bell, Dalton, Olson 2012, table 5.6", 1, [
        ("case", "case", ""), ("problem", "our problem", ""), ("paper_rows", "paper: rows", ""), ("host", "CPU", ""), ("gpu", "GPU", ""),
        ("ml", "ML", ""), ("rows", "ours: rows", ""), ("sa_amg_paper", "`sa_amg_paper`", ""), ("sa_amg_paper_complexity", "complexity", ".3f"),
        ("greedy", "greedy", ""), ("greedy_complexity", "complexity", ".3f"), ("sa_amg_jacobi", "`sa_amg_jacobi`", ""), ("sa_amg_jacobi_complexity", "complexity", ".3f"), ("ml_sa_jacobi", "`ml_sa_jacobi`", ""),
        ("ml_sa_jacobi_complexity", "complexity", ".3f")], True),
    Table("bell_2012_times", None, 1, [
        ("case", "case", ""), ("host_setup", "host: setup ms", ".0f"), ("host_iteration", "ms an iteration", ".2f"), ("ml_setup", "ML, one process: setup ms", ".0f"),
        ("ml_iteration", "ms an iteration", ".2f"), ("cuda_setup", "H200: setup ms", ".1f"), ("cuda_iteration", "ms an iteration", ".3f"),
        ("setup_ratio", "setup speed-up", ".0f"), ("iteration_ratio", "iteration speed-up", ".0f")], True),
    Table("bell_2012_levels", None, 2, [
        ("problem", "problem", ""), ("level", "level", ""), ("rows", "rows", ""), ("entries", "entries", ""), ("aggregates", "aggregates us", ".0f"),
        *((f"{key}{part}", title, form) for key, name in (("product", "A x"), ("prolongation", "P x"), ("restriction", "R x"), ("transpose", "P^T"), ("A P", "A P"), ("R (A P)", "R (A P)"))
          for part, title, form in (("_us", f"{name} us", ".0f"), ("_of_copy", "% of copy", ".0%")))], True),
    Table("formats_memory", "Formats: Kreutzer et al. 2012, table I", 1, [
        ("matrix", "matrix", ""), ("paper_saved", "paper: saved %", ".1f"), ("rows", "rows", ""), ("mean", "entries a row", ".1f"),
        ("longest", "longest row", ""), ("pjds_saved", "pJDS saves", ".1%"), ("pjds_overhead", "overhead", ".4%"),
        ("sell_saved", "SELL-C-sigma saves", ".1%"), ("hyb_saved", "HYB saves", ".1%"), ("automatic", "`auto` takes", "")], True),
    Table("formats_host", None, 1, [
        ("matrix", "host, Gflop/s in double", ""), *((key, title, ".2f") for key, title in (
            ("csr", "CSR"), ("sell", "SELL-C-sigma"), ("pjds", "pJDS"), ("pjds_permuted", "pJDS in permuted basis"), ("ellpack_r", "ELLPACK-R"), ("hyb", "HYB"))),
        ("model", "model", ".2f"), ("csr_rate", "CSR GB/s", ".1f"), ("sell_rate", "SELL-C-sigma GB/s", ".1f"), ("pjds_rate", "pJDS GB/s", ".1f"),
        ("ratio", "pJDS / ELLPACK-R", ".2f"), ("paper_ratio", "paper: the same ratio, C2070, ECC on", ".2f")], True),
    Table("formats_gpu", None, 1, [
        ("matrix", "GPU, Gflop/s in double", ""), *((key, title, ".1f") for key, title in (
            ("csr", "CSR"), ("sell", "SELL-C-sigma"), ("pjds", "pJDS"), ("pjds_permuted", "pJDS in permuted basis"), ("ellpack_r", "ELLPACK-R"), ("hyb", "HYB"),
            ("cusparse_csr", "cuSPARSE CSR"), ("cusparse_sell", "cuSPARSE SELL"))),
        ("ratio", "pJDS / ELLPACK-R", ".2f"), ("paper_ratio", "paper: the same ratio, C2070, ECC on", ".2f")], True),
    Table("formats_gpu_single", None, 1, [
        ("matrix", "GPU, Gflop/s in single", ""), *((key, title, ".1f") for key, title in (
            ("csr", "CSR"), ("sell", "SELL-C-sigma"), ("pjds", "pJDS"), ("pjds_permuted", "pJDS in permuted basis"), ("ellpack_r", "ELLPACK-R"), ("hyb", "HYB"))),
        ("ratio", "pJDS / ELLPACK-R", ".2f"), ("paper_ratio", "paper: the same ratio, C2070, ECC on", ".2f")], True),
    Table("pcie", "Copies compared with products: Kreutzer et al. 2012, equations 2 to 4", 1, [
        ("matrix", "matrix", ""), ("mean", "entries a row", ".1f"), ("product", "product us", ".0f"), ("model_product", "model us", ".0f"),
        ("copies", "copies of x and y us", ".0f"), ("bus", "GB/s", ".1f"), ("both", "copies and product us", ".0f"), ("without", "Gflop/s without copies", ".0f"),
        ("with", "Gflop/s with copies", ".1f"), ("half", "copies exceed the product below, entries a row", ".0f"), ("tenth", "copies below 10 % above, entries a row", ".0f")], True),
    Table("kreutzer_modes", "Ranks: Kreutzer et al. 2012, figure 5a", 2, [
        ("each", "a rank has", ""), ("ranks", "ranks", ""), ("matrix", "matrix", ""), ("ghosts", "ghosts", ""),
        *((f"{mode}{key}", title, ".2f") for mode, shown in (("none", "none"), ("naive", "naive"), ("task", "task"), ("auto", "auto"))
          for key, title in (("", f"{shown}: Gflop/s"), ("_efficiency", "efficiency")))], True),
    Table("brannick_2013", "Unsmoothed aggregation: Brannick, Chen, Hu, Zikatanov 2013, tables 5.1 to 5.5", 2, [
        ("table", "table", ""), ("n", "n", ""),
        *((f"{whose}_{t}", f"{title}t = {t or 'any'}", "") for t in (2, 3, 4, 5, 0) for whose, title in (("paper", "paper: "), ("ours", "ours: ")))], True),
    Table("brannick_2013_levels", "Levels of unsmoothed aggregation: Brannick et al. 2013, tables 5.6 and 5.7", 1, [
        ("levels", "levels", ""), ("paper_ratio", "paper: ratio", ".2f"), ("ratio", "ours", ".2f"), ("paper_6", "5.6: energy", ".2f"),
        ("ours_6", "ours", ".2f"), ("paper_7", "5.7: energy", ".2f"), ("ours_7", "ours", ".2f")], True),
    Table("brannick_2013_9", "Solves by unsmoothed aggregation: Brannick et al. 2013, table 5.9", 1, [
        ("problem", "our problem", ""), ("rows", "rows", ""), ("paper_millions", "paper: million rows", ""), ("paper_iterations", "paper", ""), ("paper_cusp", "CUSP", ""),
        *((f"{name}{key}", title, form) for name in ("ua_amg_paper", "sa_amg_paper", "ua_amg_kcycle", "sa_amg")
          for key, title, form in (("", f"`{name}`", ""), ("_setup", "setup ms", ".1f"), ("_solve", "solve ms", ".1f"))),
        ("ratio", "setup time, ua_amg_paper / sa_amg_paper", ".2f")], True),
    Table("reshaping", "Reshaping of aggregates for anisotropic couplings", 1, [
        ("case", "RotatedAnisotropy2D", ""), *((f"{name}{key}", title, form) for name in ("sa_amg", "sa_amg_anisotropic")
                                               for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".2f"))),
        *((f"{name}_{most}{key}", title, form) for most in (4, 8)
          for name, key, title, form in (("plain", "", f"t = {most}", ""), ("plain", "_complexity", "complexity", ".2f"),
                                         ("reshaped", "", "reshaped", ""), ("reshaped", "_complexity", "complexity", ".2f"), ("ratio", "", "ratio", ".2f")))], True),
    Table("bernaschi_2019", "Matching: Bernaschi, D'Ambra, Pasquini 2019, tables 1 to 3", 1, [
        ("case", "case", ""), ("rows", "ours: rows", ""), ("paper_V", "paper: V", ""), ("V_recursive", "V", ""), ("V_true", "true residual", ""),
        ("paper_W", "paper: W", ""), ("W_recursive", "W", ""), ("plain_recursive", "`_plain`", ""), ("V_complexity", "complexity", ".3f"),
        ("plain_complexity", "`_plain`", ".3f"), ("paper_levels", "paper: levels", ""), ("V_levels", "levels", ""), ("paper_ratio", "paper: ratio", ".2f"), ("V_ratio", "ratio", ".2f"), ("V_coarsest", "rows of the coarsest", ""),
        ("limit", "40 n^(1/3)", "")], True),
    Table("methods", "The methods side by side", 1, [
        ("problem", "problem", ""), *((f"{name}{key}", title, form)
                                      for name, shown in (("sa_amg", "`sa_amg`"), ("ua_amg_kcycle", "`ua_amg_kcycle`"),
                                                          ("ua_amg_kcycle_3", "degree 3"), ("ua_amg_paper", "`ua_amg_paper`"),
                                                          ("matching_amg", "`matching_amg`"), ("matching_amg_plain", "`matching_amg_plain`"))
                                      for key, title, form in (("", shown, ""), ("_complexity", "complexity", ".3f")))], True),
]

# those of docs/results/papers-fsai.md
PAPERS_FSAI = [
    Table("bernaschi_2016", "Densities and iterations: tables 4 to 6", 1, [
        ("matrix", "matrix", ""), ("paper_rows", "paper: rows", ""), ("paper_entries", "entries a row", ".2f"), ("parameters", "k; tau; delta", ""),
        ("problem", "ours", ""), ("rows", "rows", ""), ("entries", "entries a row", ".2f"),
        ("paper_before", "paper: density before the postfilter", ".3f"), ("paper_after", "after", ".3f"), ("before", "ours: before", ".3f"), ("after", "after", ".3f"),
        ("paper_jacobi", "paper: Jacobi", ""), ("paper_fsai", "FSAI", ""), ("paper_ratio", "ratio", ".3f"), ("jacobi", "ours: Jacobi", ""), ("fsai", "FSAI", ""),
        ("ratio", "ratio", ".3f"), ("jacobi_seconds", "Jacobi: s", ".1f"), ("fsai_seconds", "FSAI: s", ".1f")], True),
    Table("bernaschi_2016_times", "Speed-ups of a GPU over a host", 1, [
        ("matrix", "matrix", ""),
        *((f"fsai_{name}_{key}", title, form) for name, shown, form in (("host_2", "2 cores", ".0f"), ("host_16", "16 cores", ".0f"), ("cuda", "GPU", ".1f"))
          for key, title in (("setup", f"{shown}: setup ms"), ("solve", "solve ms"))),
        *((f"fsai_host_{cores}_{key}_ratio", title, ".1f") for cores in (2, 16)
          for key, title in (("setup", f"speed-up over {cores} cores: setup"), ("solve", "solve"), ("total", "both"))),
        ("jacobi_host_16_solve", "Jacobi: 16 cores, solve ms", ".0f"), ("jacobi_cuda_solve", "GPU", ".1f")], True),
    Table("bernaschi_2016_3", "Batches of 13000 factorisations: table 3", 1, [
        ("size", "size", ""), ("k80_single", "paper: K80, single, ms", ".2f"), ("k80_double", "double", ".2f"), ("xeon", "Xeon, 6 cores, double", ".2f"),
        ("host", "ours: one core, double, ms", ".1f"), ("host_gflops", "GFlop/s", ".1f"), ("gpu", "H200, double, ms", ".3f")], True),
]


# those of docs/results/method-comparison.md
METHODS = [
    Table("gpu_methods", "On one H200", 1, [
        ("problem", "problem", ""), *((f"{name}_{key}", title.format(name), form)
                                      for name in ("sa_amg", "ua_amg_kcycle", "matching_amg")
                                      for key, title, form in (("iterations", "`{}`", ""), ("setup", "setup ms", ".1f"), ("solve", "solve ms", ".1f"),
                                                               ("complexity", "complexity", ".2f"), ("bytes", "peak B/row", ".0f"))),
        ("amgx", "AmgX, aggregation, ms", "")], True),
    Table("gpu_method_refreshes", None, 2, [
        ("problem", "one H200, ms", ""), ("coarsening", "coarsening", ""), ("setup", "setup", ".1f"), ("first", "first refresh", ".1f"),
        ("later", "later refresh", ".1f"), ("ratio", "later / setup", ".2f"), ("held", "held B/row", ".0f"), ("behind", "prepared B/row", ".0f")], True),
    Table("matchings", "Matching compared with smoothed aggregation", 1, [
        ("problem", "problem", ""), *((f"{name}{key}", title, form)
                                      for name, shown in (("sa_amg", "`sa_amg`"), ("matching_amg", "`matching_amg`"), ("W", "W"), ("K", "K"),
                                                          ("matching_amg_plain", "`_plain`"), ("matching_amg_bootstrap", "`_bootstrap`"), ("fsai", "`fsai`"))
                                      for key, title, form in ((("", shown, ""),) if name in ("W", "K", "fsai") else
                                                               (("", shown, ""), ("_complexity", "complexity", ".3f"))))], True),
    Table("presets", "Smoothed aggregation, root nodes and classical coarsening", 1, [
        ("problem", "problem", ""), ("couplings_spread", "couplings' spread", ".3g"), ("diagonals_spread", "diagonals' spread", ".3g"), ("jumps_spread", "rows with jumps", ".3f"),
        *((f"{name}{key}", title, form) for name in ("sa_amg", "robust", "classical_amg")
          for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".2f"), ("_ms", "ms", ".3g")))], True),
]

# that of docs/results/robust.md
ROBUST = [
    Table("robust", None, 1, [
        ("problem", "problem", ""), *((f"{name}{key}", title, form) for name in ("sa_amg", "rootnode_amg", "robust")
                                      for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".3f")))], True),
    Table("root_nodes", "Root nodes on one H200", 2, [
        ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""), ("complexity", "complexity", ".2f"), ("setup_ms", "setup ms", ".1f"),
        ("prolongator_ms", "prolongators ms", ".1f"), ("solve_ms", "solve ms", ".1f"), ("total_ms", "setup + solve", ".1f")], True),
    Table("jumps", "Permeabilities that jump from cell to cell, on one H200", 2, [
        ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""), ("residual", "residual", ".1e"),
        ("complexity", "operator complexity", ".2f"), ("setup", "setup ms", ".1f"), ("solve", "solve ms", ".1f"), ("total", "setup + solve ms", ".1f"),
        ("others", "fastest other program, ms", "")], True),
    Table("robust_refreshes", "Refreshes of root nodes", 1, [
        ("problem", "problem", ""), ("rows", "rows", ""), ("setup", "setup s", ".2f"), ("first", "first refresh", ".2f"), ("later", "later refresh", ".2f"),
        ("first_ratio", "first / setup", ".2f"), ("later_ratio", "later / setup", ".2f")], True),
    Table("tune", "Lists that `tessera tune` writes", 1, [
        ("problem", "problem", ""), ("rows", "rows", ""), ("best", "list that tune writes", ""), ("tuned_ms", "ms", ".3g"), ("fastest", "fastest ready list", ""),
        ("fastest_ms", "ms", ".3g"), ("ratio", "ratio", ".2f"), ("other", "fastest of ML, MueLu, Ifpack2", ""), ("other_ms", "ms", ".3g"), ("other_ratio", "ratio", ".2f")], True),
]

# those of docs/results/peers.md
PEERS = [
    Table("peers", "Other programs on one H200", 2, [
        ("problem", "problem", ""), ("peer", "program", ""), ("setup", "setup ms", "g"), ("solve", "solve ms", "g"), ("total", "setup + solve", ".4g"),
        ("iterations", "iterations", ""), ("remark", "remark", "")], True),
    Table("two_ranks", "The fastest presets compared with ML and MueLu on two cores", 2, [
        ("problem", "problem", ""), ("list", "list", ""), ("iterations", "iterations", ""), ("operator_complexity", "complexity", ".2f"),
        ("setup", "setup s", ".3f"), ("solve", "solve s", ".3f"), ("total", "total s", ".3f"), ("ratio", "total / best of ML and MueLu", ".2f"),
        ("bound", "bound", "")], True),
    Table("files", "Scalar matrices of others compared with ML and MueLu on two cores", 1, [
        ("problem", "matrix", ""), *((f"{name}{key}", title, form) for name in ("sa_amg", "robust", "classical_amg")
                                     for key, title, form in (("", f"`{name}`", ""), ("_ms", "ms", ".3g"))),
        ("other", "fastest of ML and MueLu", ""), ("other_ms", "ms", ".3g"), ("ratio", "faster of robust, classical_amg / theirs", ".2f")], True),
    Table("peers_host", "Other programs on two cores of a host", 2, [
        ("problem", "problem", ""), ("peer", "program", ""), ("setup", "setup s", ".2f"), ("solve", "solve s", ".2f"), ("total", "total s", ".3f")], True),
    Table("dealii", "In deal.II, compared with ML", 3, [
        ("problem", "problem", ""), ("ranks", "ranks", ""), ("preconditioner", "preconditioner", ""), ("iterations", "iterations", ""),
        ("setup", "setup s", ".3f"), ("solve", "solve s", ".3f"), ("total", "total s", ".3f")], True),
]

# those of docs/results/hard.md
HARD = [
    Table("hard", "Small systems by most presets", 1, [
        ("problem", "problem", ""), ("whose", "field", ""), ("rows", "rows", ""),
        *((name, f"`{name}`", "") for name in ("sa_amg", "sa_amg_anisotropic", "robust", "ua_amg_kcycle", "matching_amg", "matching_amg_bootstrap",
                                               "fsai", "fsai_adaptive"))], True),
    Table("elastic", "Elastic bodies", 1, [
        ("problem", "problem", ""), ("rows", "rows", ""),
        *((f"{name}{key}", title, form) for name in ("sa_amg", "ua_amg_kcycle")
          for key, title, form in (("", f"`{name}`", ""), ("_complexity", "complexity", ".2f"), ("_seconds", "s", ".2f")))], True),
]

# that of docs/results/conformance.md
CONFORMANCE = [
    Table("conformance", "", 1, [("rule", "rule", ""), *((name, name, "") for name in ("Tessera", "MueLu", "Ifpack2"))], True),
]

# text, table, rows (a part of each key), column, bound (a number, the column that has it, one for each row's first key, or None), whether
# figures stay below it; {} in the text: each row by itself, by its first key
SUMMARY = [
    ("Iterations, Laplace3D 101^3 on 1 to 4 ranks", "iterations", {"problem": "Laplace3D 101^3"}, "iterations", "bound", True),
    ("Host, setup + solve relative to the best of ML and MueLu, 3D: {}", "host", {"problem": "3D", "list": "sa_amg"}, "ratio", 0.6, True),
    ("the same, 2D: {}", "host", {"problem": "2D", "list": "sa_amg"}, "ratio", 0.6, True),
    ("Host: memory relative to the smaller of ML and MueLu", "host", {"list": "sa_amg"}, "memory_ratio", 1, True),
    ("Host: later refresh / setup", "refreshes", {}, "later_ratio", 0.4, True),
    ("One H200: setup + solve, ms: {}", "solves", {}, "total", "bound", True),
    ("One H200: first setup / later setup", "solves", {}, "first_ratio", 1.3, True),
    ("One H200 (an H100: 1.05, 1.39): solve through Stratimikos / solve by `tessera solve`", "whole", {"machine": "H200"}, "ratio", 1.3, True),
    ("One H200: later refresh / setup", "gpu_refreshes", {}, "later_ratio", 0.25, True),
    ("One H200: peak memory at 256^3, bytes a row", "solves", {"problem": "Laplace3D 256^3"}, "bytes", 400, True),
    ("Products in double, TB/s: {}", "products", {}, "double_sell_rate", {"Laplace3D 101^3": 3.2, "Laplace3D 256^3": 4.1}, False),
    ("cuSPARSE time / time of a product", "products", {}, "double_ratio", 1.3, False),
    ("V-cycle, share of copy speed: {}", "cycle", {}, "of_copy", {"Laplace3D 101^3": 0.6, "Laplace3D 256^3": 0.75}, False),
    ("Two H200: weak scaling, unknowns a GPU: {}", "ranks", {"ranks": "2", "devices": "2"}, "efficiency", {"101^3": 0.6, "256^3": 0.85}, False),
    ("Four H200: the same ([all runs](scaling.md#comparison-with-measurements)): {}", "ranks", {"ranks": "4", "devices": "4"}, "efficiency", None, False),
    ("FSAI iterations / Jacobi iterations", "fsai", {}, "ratio", "bound", True),
    ("Adaptive FSAI iterations / static FSAI iterations, at equal density", "fsai", {}, "adaptive_ratio", 0.8, True),
]
