"""What the programs print is read, and runs become cells of tables: benchmarks/results.py and performance.py."""
import json
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

import performance
import results
import scaling_model

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "gpu"))
import differential  # noqa: E402

RUN = {"machine": "M", "date": "2026-01-02", "commit": "c", "driver": None, "command": "x", "note": None}


def rows(kind, figures):
    return list(results.rows_of(dict(RUN, kind=kind, figures=figures)))


def solve(iterations, converged=True, **more):
    return {"rows": 27, "ranks": 2, "iterations": iterations, "converged": converged, "operator_complexity": 1.5,
            "levels": [{"rows": 27}, {"rows": 8}], **more}


class Readers(unittest.TestCase):
    def test_refresh_benchmark(self):
        part = ["setup             500.0 ms  1.000 of setup  held 359 peak 452 bytes/row", "    strength 26.0  aggregation 95.0",
                "first refresh     350.0 ms  0.700 of setup  held 400 peak 460 bytes/row", "    galerkin 1.0",
                "later refresh     180.0 ms  0.360 of setup  held 400 peak 460 bytes/row", "    galerkin 1.0"]
        text = ["Laplace3D, 101 points a side, 2 ranks", "`reuse: prepare refresh` = second", *part, "`reuse: prepare refresh` = first", *part]
        figures = {"setup": 500, "first": 350, "later": 180, "held": 359, "peak": 452}
        self.assertEqual(rows("refresh_benchmark", text), [("refreshes", {
            "machine": "M", "problem": "Laplace3D 101^3", **{f"{p}_{k}": v for p in ("second", "first") for k, v in figures.items()}})])

        (_, other), = rows("refresh_benchmark", [text[0] + ", matching", *text[1:]])
        self.assertEqual(other["problem"], "Laplace3D 101^3, matching")

    def test_setup_benchmark(self):
        line = ("  cuda {:8} cold    11.30  setup    10.80  first refresh     6.10  refresh     2.50  apply   0.212 ms  peak  367.0  "
                "held  336.0  refreshes: peak  668.0  held  660.0 bytes/row")
        phases = "        setup:  aggregation 1.70  coarse solver 0.40  galerkin 3.50  strength 0.40"
        later = "        refresh:  galerkin 1.00"
        text = ["laplace3d_101: 1030301 rows, 7150901 nonzeros", line.format("second"), phases, later, line.format("first"), phases]
        (one, phase), (two, refresh) = rows("setup_benchmark", text)
        self.assertEqual((one, two), ("phases", "gpu_refreshes"))
        self.assertEqual(phase, {"problem": "Laplace3D 101^3", "setup": 10.8, "cold": 11.3, "strength": 0.4, "aggregation": 1.7,
                                 "prolongator": None, "galerkin": 3.5, "eigenvalue": None, "rest": 0.4})
        self.assertEqual((refresh["second_later"], refresh["first_peak"], refresh["second_held"]), (2.5, 668, 336))

    def test_weak_scaling(self):
        text = ["    2 ranks on 2 devices     33554432 rows   12 iterations (5.0e-09)  setup   119.40  refresh    32.00  solve    47.80  "
                "total   167.20 ms  peak  400 bytes/row  levels 33554432 9"]
        self.assertEqual(rows("weak_scaling", text), [("ranks", {"unknowns": "256^3", "ranks": 2, "devices": 2, "iterations": 12, "setup": 119.4,
                                                                 "refresh": 32.0, "solve": 47.8, "total": 167.2})])

    def test_hard_says_how_a_solve_ended(self):
        solves = {"a": {"rows": 8, "iterations": 7, "converged": True, "status": "converged"}, "d": {"status": "refused", "converged": False},
                  "b": {"rows": 8, "iterations": 1000, "converged": False, "status": "not converged"},
                  "c": {"rows": 8, "iterations": 90, "converged": False, "status": "rounding level"}}
        self.assertEqual(rows("hard.py", {"hard": [{"problem": "P", "whose": "w", "solves": solves}]}),
                         [("hard", {"problem": "P", "whose": "w", "rows": 8, "a": 7, "b": "none", "c": "90*", "d": "refused"})])
        body = {"rows": 8, "iterations": 7, "converged": True, "status": "converged", "operator_complexity": 1.5, "processor_seconds": 0.25}
        self.assertEqual(rows("hard.py", {"elastic": [{"problem": "P", "solves": {"sa_amg": body}}]}),
                         [("elastic", {"problem": "P", "rows": 8, "sa_amg": 7, "sa_amg_complexity": 1.5})])
        body["rows"] = 10000
        self.assertEqual(rows("hard.py", {"elastic": [{"problem": "P", "solves": {"sa_amg": body}}]})[0][1]["sa_amg_seconds"], 0.25)

    def test_peers_stand_in_a_table_and_the_best_beside_ours(self):
        figures = {"versions": {"A": "1", "B": "2"},
                   "problems": [{"problem": "Laplace3D 3^3", "peers": {"A": {"setup": 1.0, "solve": 2.0, "iterations": 5}, "B": {"setup": 1.5, "solve": 1.0, "iterations": 4}}},
                                {"problem": "Darcy3D 3^3, sigma 5", "peers": {"A": {"setup": 1.0, "solve": 2.0, "iterations": 5, "remark": "r"}}}]}
        self.assertEqual(rows("peers", figures), [
            ("peers", {"problem": "Laplace3D 3^3", "peer": "A 1", "setup": 1.0, "solve": 2.0, "iterations": 5, "total": 3.0}),
            ("peers", {"problem": "Laplace3D 3^3", "peer": "B 2", "setup": 1.5, "solve": 1.0, "iterations": 4, "total": 2.5}),
            ("solves", {"problem": "Laplace3D 3^3", "others": "B 2.5"}),
            ("peers", {"problem": "Darcy3D 3^3, sigma 5", "peer": "A 1", "setup": 1.0, "solve": 2.0, "iterations": 5, "remark": "r", "total": 3.0})])

    def test_compare_holds_ratios_to_the_best_of_ml_and_muelu(self):
        runs = [{"xml": f"xml_params/{name}.xml", "converged": True, "iterations": 9, "setup_seconds": {"min": 1.0},
                 "solve_seconds": {"min": 1.0}, "total_seconds": {"min": total}, "peak_memory_bytes": 1e6 * total}
                for name, total in (("sa_amg", 2.0), ("ml_sa", 4.0), ("muelu_sa_chebyshev", 5.0))]
        found = rows("tessera compare", {"problem": "Laplace3D", "rows": 27, "runs": runs})
        self.assertEqual([(t, r["problem"], r["list"], r["ratio"], r["memory_ratio"]) for t, r in found],
                         [("host", "Laplace3D 3^3", "sa_amg", 0.5, 0.5), ("host", "Laplace3D 3^3", "ml_sa", 1.0, 1.0),
                          ("host", "Laplace3D 3^3", "muelu_sa_chebyshev", 1.25, 1.25)])

    def test_tpetra(self):
        def took(median, **more):
            return {"median": median, "bytes": 2, **more}
        one = {"rows": 27, "classes": {"setup": took(9.0), "refresh": took(3.0), "apply": took(1.0), "belos_cg": took(8.0, iterations=5),
                                       "tessera_cg": took(4.0, iterations=5)}, "muelu": {"setup": took(90.0), "belos_cg": took(20.0, iterations=9)}}
        found = [row for table, row in rows("tpetra_benchmark", [one]) if table == "tpetra"]
        self.assertEqual([(r["problem"], r["setup"], r["solve"], r["iterations"], r.get("bytes")) for r in found],
                         [("Laplace3D 3^3", 9.0, 8.0, 5, 4), ("Laplace3D 3^3", 9.0, 4.0, 5, 4), ("Laplace3D 3^3", 90.0, 20.0, 9, None)])

    def test_device_peers(self):
        def took(total, status="converged"):
            return {"status": status, "iterations": 3, "setup": 1.0, "solve": total - 1.0, "total": total, "device_peak_bytes": 0}
        one = {"problem": "P", "lists": {"sa_amg": took(2.0), "ifpack2_jacobi": took(9.0, "not converged"), "muelu_unsmoothed": took(8.0),
                                         "muelu_sa": {"failed": "exit status 134"}}}
        found = [(r["list"], r.get("total"), r.get("ratio"), r.get("remark")) for _, r in rows("device_peers.py", [one])]
        self.assertEqual(found, [("sa_amg", 2.0, 0.25, None), ("ifpack2_jacobi", 9.0, None, "not converged"), ("muelu_unsmoothed", 8.0, None, None)])

        def ratios(ours, *theirs):
            lists = {f"ifpack2_{k}": took(4.0 * 2**k, status) for k, status in enumerate(theirs)}
            return [r.get("ratio") for _, r in rows("device_peers.py", [{"problem": "P", "lists": {"sa_amg": took(2.0, ours), **lists}}])][0]
        self.assertEqual(ratios("rounding level", "not converged", "rounding level"), 0.25)
        self.assertEqual(ratios("converged", "not converged", "not converged"), 0.5)
        self.assertIsNone(ratios("rounding level", "converged"))
        self.assertIsNone(ratios("not converged", "not converged"))

    def test_tune(self):
        one = {"problem": "P", "rows": 8, "best": "a, b = 1", "converged": True, "tried": 3, "fastest": "a", "other": None, "tuned_seconds": 2e-3,
               "tuned_iterations": 4, "fastest_seconds": 1e-3, "fastest_iterations": 5, "ratio": 2.0}
        self.assertEqual(rows("tune.py", {"tune": [one]}),
                         [("tune", {"problem": "P", "rows": 8, "best": "a, b = 1", "fastest": "a", "ratio": 2.0, "tuned_ms": 2.0, "fastest_ms": 1.0})])

    def test_two_ranks(self):
        lists = {name: {"total": total} for name, total in (("ml_sa", 3.0), ("muelu_sa_chebyshev", 2.0), ("sa_amg", 1.5), ("elasticity", 1.0))}
        self.assertEqual(rows("two_ranks.py", {"two_ranks": [{"problem": "P", "rows": 8, "bound": 0.7, "turns": 3, "lists": lists}]}), [
            ("two_ranks", {"problem": "P", "list": "elasticity", "total": 1.0, "ratio": 0.5, "bound": 0.7}),
            ("two_ranks", {"problem": "P", "list": "sa_amg", "total": 1.5, "ratio": 0.75}),
            ("two_ranks", {"problem": "P", "list": "muelu_sa_chebyshev", "total": 2.0, "ratio": 1.0}),
            ("two_ranks", {"problem": "P", "list": "ml_sa", "total": 3.0, "ratio": 1.5})])

    def test_presets(self):
        lists = {name: {"total": total, "iterations": 9, "converged": True, "operator_complexity": 1.5}
                 for name, total in (("robust", 2e-3), ("classical_amg", 1e-3), ("ml_sa", 4e-3))}
        (table, row), = rows("presets.py", {"presets": [{"problem": "P", "spread": {"couplings": 2, "diagonals": 3}, "lists": lists}]})
        self.assertEqual((table, row["robust"], row["classical_amg_ms"], row["other"], row["ratio"], row["diagonals_spread"]), ("files", 9, 1, "ml_sa", 0.25, 3))
        del lists["ml_sa"]
        (table, row), = rows("presets.py", {"presets": [{"problem": "P", "spread": {"couplings": 2, "diagonals": 3}, "lists": lists}]})
        self.assertEqual((table, "ratio" in row), ("presets", False))

    def test_figures(self):
        (table, row), = rows("figures.py", {"multigrid": [{"problem": "P", "bound": 13, "solve": solve(1000, False)}], "fsai": [], "smoother": []})
        self.assertEqual((table, row["iterations"], row["levels"], row["bound"]), ("iterations", "none in 1000", "27 8", 13))

    def test_papers(self):
        times = {"setup_seconds": {"min": 2e-3}, "solve_seconds": {"min": 4e-3}}
        one = {"case": "1a", "paper": {"rows": 28, "host": 20, "gpu": 51, "ml": None}, "backend": "cuda",
               "solves": {"sa_amg_paper": solve(9, problem="Laplace3D", **times)}}
        self.assertEqual(rows("papers.py", {"table_5_6": [one]}), [("bell_2012", {
            "case": "1a", "problem": "Laplace3D", "paper_rows": 28, "host": 20, "gpu": 51, "ml": None, "rows": 27, "sa_amg_paper": 9,
            "sa_amg_paper_complexity": 1.5}), ("bell_2012_times", {"case": "1a", "cuda_setup": 2, "cuda_iteration": 4 / 9})])

    def test_fsai_beside_its_paper(self):
        jacobi = solve(40, problem="P", nonzeros=81, processor_seconds=4.0)
        fsai = solve(10, problem="P", nonzeros=81, fsai={"pattern_density": 4.0, "density": 1.5}, processor_seconds=1.0)
        one = {"matrix": "A", "paper": {"rows": 28, "entries": 3.5, "before": 5.0, "after": 2.0, "fsai": 9, "jacobi": 36},
               "parameters": {"k": 6, "tau": 2e-2, "delta": 7e-2}, "solves": {"jacobi": jacobi, "fsai": fsai}}
        (table, row), (_, bare) = rows("papers.py", {"bernaschi_2016": [one, dict(one, paper=dict(one["paper"], jacobi=None), solves={})]})
        self.assertEqual((table, row["parameters"], row["paper_ratio"], row["ratio"], row["entries"]), ("bernaschi_2016", "6; 0.02; 0.07", 0.25, 0.25, 3))
        self.assertEqual((row["before"], row["after"], row["fsai_seconds"], row["jacobi_seconds"]), (4.0, 1.5, 1.0, 4.0))
        self.assertEqual((bare["paper_jacobi"], "ratio" in bare, "paper_ratio" in bare), ("over 10000", False, False))

    def test_times_of_fsai(self):
        def timed(setup, seconds):
            return solve(10, setup_seconds={"min": setup}, solve_seconds={"min": seconds})
        one = {"matrix": "A", "solves": {"fsai_host_2": timed(1.0, 2.0), "fsai_cuda": timed(0.25, 0.25), "jacobi_cuda": timed(0.0, 1.0)}}
        (table, row), = rows("papers.py", {"bernaschi_2016_times": [one]})
        self.assertEqual((table, row["fsai_host_2_setup"], row["jacobi_cuda_solve"]), ("bernaschi_2016_times", 1e3, 1e3))
        self.assertEqual([row[f"fsai_host_2_{part}_ratio"] for part in ("setup", "solve", "total")], [4.0, 8.0, 6.0])

    def test_batches_stand_beside_the_paper(self):
        text = ["size  16      7.50 ms    2.37 GFlop/s"]
        host = {"size": 16, "k80_single": 0.84, "k80_double": 1.11, "xeon": 13.02, "host": 7.5, "host_gflops": 2.37}
        self.assertEqual(rows("cholesky_benchmark", text), [("bernaschi_2016_3", host)])
        run = dict(RUN, kind="rows", table="cholesky", figures=[{"size": 16, "ms": 0.03}])
        self.assertEqual([(table, row.get("gpu")) for table, row in results.rows_of(run)], [("cholesky", None), ("bernaschi_2016_3", 0.03)])

    def test_levels_benchmark(self):
        """Work without a fraction of a copy has its time alone."""
        level = {"rows": 9, "entries": 33, "product": {"us": 2.5, "megabytes": 0.1, "of_copy": 0.5}, "aggregates": {"us": 7.0}}
        found = rows("levels_benchmark", {"copy": 3e12, "problems": [{"problem": "Laplace2D 3^2", "levels": [level]}]})
        self.assertEqual(found, [("bell_2012_levels", {"problem": "Laplace2D 3^2", "level": 0, "rows": 9, "entries": 33, "aggregates": 7.0,
                                                       "product_us": 2.5, "product_of_copy": 0.5})])

    def test_modes_benchmark(self):
        line = "DLR1, stand-in, 10 rows, 1000 entries, {} ghosts, product  {} ranks x 1 threads  none {}  naive 2.0  task 4.0 us"
        on_gpu = line.format(0, 1, "0.1").replace("1 threads", "1 GPU").replace("4.0 us", "4.0  auto 2.5 us")
        found = rows("modes_benchmark", [line.format(0, 1, "1.0"), line.format(7, 2, "0.625"), on_gpu])
        self.assertEqual(found[1], ("kreutzer_modes", {"ranks": 2, "each": "1 thread", "matrix": "DLR1, stand-in", "ghosts": 7, "none": 3.2, "naive": 1.0, "task": 0.5}))
        one, two, gpu = performance.derived("kreutzer_modes", [row for _, row in found])
        self.assertEqual((one["none_efficiency"], two["none_efficiency"], two["task_efficiency"]), (1, 0.8, 0.5))
        self.assertEqual((gpu["each"], gpu["auto"], gpu["none_efficiency"]), ("1 GPU", 0.8, 1))

    def test_greedy_aggregates(self):
        self.assertEqual(rows("papers.py", {"greedy": [{"case": "1a", "solves": {"greedy": solve(19), "mis2": solve(41)}}]}),
                         [("bell_2012", {"case": "1a", "greedy": 19, "greedy_complexity": 1.5})])

    def test_matching(self):
        V = dict(solve(9, levels=4, coarsest=30, ratio=3.5), recursive_iterations=8)
        one = {"case": "ANI1, 6", "limit": 40, "paper": {"V": 192, "W": 123, "levels": 4}, "solves": {"V": V}}
        self.assertEqual(rows("papers.py", {"bernaschi_2019": [one]}), [("bernaschi_2019", {
            "case": "ANI1, 6", "limit": 40, "paper_V": 192, "paper_W": 123, "paper_levels": 4, "rows": 27, "V_recursive": 8, "V_true": 9,
            "V_complexity": 1.5, "V_levels": 4, "V_coarsest": 30, "V_ratio": 3.5})])

    def test_unsmoothed(self):
        named = {name: dict(solve(9), setup_seconds={"min": setup}, solve_seconds={"min": 1e-3}) for name, setup in (("ua_amg_paper", 1e-3), ("sa_amg_paper", 4e-3))}
        one = {"problem": "Delaunay2D --nx 8", "paper": {"millions": 1, "iterations": 19, "cusp": 36}, "backend": "cuda", "solves": named}
        (_, host), = rows("papers.py", {"table_5_9": [dict(one, backend="host")]})
        self.assertEqual((host["ua_amg_paper"], "ua_amg_paper_setup" in host, "ratio" in host), (9, False, False))
        (table, row), = rows("papers.py", {"table_5_9": [one]})
        self.assertEqual((table, row["problem"], row["ua_amg_paper"], row["ratio"]), ("brannick_2013_9", "Delaunay2D nx 8", 9, 0.25))

    def test_aggregates(self):
        tests = [{"name": "Table51StructuredGrids", "n128_t2": "1.99 1.71 1.98956 1.70525"}, {"name": "DISABLED_LargerN256", "51_n256_t2": "1.99 1.72 2 1.7"},
                 {"name": "Table57Levels", "from0_to1": "2.97 3.23 2.96919 3.23712"}, {"name": "Other", "file": "f"}]
        found = rows("test_papers", {"testsuites": [{"testsuite": tests}]})
        self.assertEqual(found, [
            ("brannick_2013", {"table": "5.1", "n": 128, "paper_2": "(1.99) 1.71", "ours_2": "(1.99) 1.71"}),
            ("brannick_2013", {"table": "5.1", "n": 256, "paper_2": "(1.99) 1.72", "ours_2": "(2.00) 1.70"}),
            ("brannick_2013_levels", {"levels": "0 to 1", "paper_ratio": 2.97, "ratio": 2.96919, "paper_7": 3.23, "ours_7": 3.23712})])
        larger = performance.derived("brannick_2013", [{"table": "5.2", "n": 128}, {"table": "5.1", "n": 512}, {"table": "5.1", "n": 128}])
        self.assertEqual([(row["table"], row["n"]) for row in larger], [("5.1", 128), ("5.1", 512), ("5.2", 128)])

    def test_reshaping(self):
        one = {"case": "300^2, theta 0", "solves": {"plain_4": solve(10), "reshaped_4": solve(7), "plain_8": solve(10), "reshaped_8": solve(99, False)}}
        (table, row), = rows("papers.py", {"reshaping": [one]})
        self.assertEqual((table, row["plain_4"], row["reshaped_4"], row["ratio_4"]), ("reshaping", 10, 7, 0.7))
        self.assertEqual((row["reshaped_8"], row.get("ratio_8")), ("none in 99", None))

    def test_formats(self):
        stored = [{"format": name, "entries": entries, "bytes": 1000 * seconds, "seconds": seconds}
                  for name, entries, seconds in (("CSR", 60, 1), ("SELL-C-sigma", 72, 2), ("ELLPACK-R", 100, 4), ("pJDS", 66, 3), ("HYB", 80, 5))]
        one = {"matrix": "DLR1", "paper": {"stand_in": True, "saved": 17.5, "ellpack_r": 10, "pjds": 9}, "triad": 9e9, "balance": [12, 6],
               "rows": 10, "nonzeros": 60, "longest": 10, "automatic": "SELL-C-sigma", "formats": stored}
        (table, memory), (other, speed) = rows("formats_benchmark", {"matrices": [one]})
        self.assertEqual((table, other), ("formats_memory", "formats_host"))
        self.assertEqual({k: memory[k] for k in ("matrix", "mean", "automatic", "paper_saved")},
                         {"matrix": "DLR1, stand-in", "mean": 6, "automatic": "SELL-C-sigma", "paper_saved": 17.5})
        self.assertAlmostEqual(memory["pjds_saved"], 0.34)
        self.assertAlmostEqual(memory["pjds_overhead"], 0.1)
        self.assertEqual(speed["model"], [1, 2])
        self.assertAlmostEqual(speed["pjds"], 4e-8)
        self.assertAlmostEqual(speed["ratio"], 4 / 3)
        self.assertAlmostEqual(speed["paper_ratio"], 0.9)
        on_gpu = {key: one[key] for key in one if key not in ("triad", "balance")}
        self.assertEqual([table for table, _ in rows("gpu_spmv_benchmark", {"spmv": [], "matrices": [on_gpu]})],
                         ["formats_memory", "formats_gpu"])
        on_gpu["pcie"] = {"copies": 1, "product": 2, "both": 3}
        spmv = {"problem": "P", "type": "double", "kernel": "SELL", "seconds": 1, "over_cusparse": 1}
        figures = {"spmv": [dict(spmv, bytes=2e9, bytes_per_second=320), dict(spmv, bytes=1e6, bytes_per_second=640)],
                   "copy": {"memcpy": 150, "kernel": 300}, "matrices": [on_gpu]}
        row = next(row for table, row in rows("gpu_spmv_benchmark", figures) if table == "pcie")
        # Equations 2 to 4: 8e6 us * 10 rows / 320 B/s * (6 (alpha + 3/2) + 2); the copies move 160 B/s.
        self.assertEqual(row["model_product"], [3e6, 4.25e6])
        self.assertAlmostEqual(row["half"][0], 2 / 2.5)
        self.assertAlmostEqual(row["tenth"][0], 38 / 2.5)

    def test_methods(self):
        one = {"problem": "P", "solves": {"sa_amg": solve(9), "ua_amg_kcycle": solve(1000, False)}}
        self.assertEqual(rows("methods.py", {"methods": [one]}), [("methods", {
            "problem": "P", "sa_amg": 9, "sa_amg_complexity": 1.5, "ua_amg_kcycle": "none in 1000", "ua_amg_kcycle_complexity": 1.5})])

    def test_overlap_benchmark(self):
        line = "Laplace3D, 80^3 a rank, ghosts 1%, product  2 ranks x 1 threads  none 400.0  naive 300.0  task 150.0 us"
        self.assertEqual(rows("overlap_benchmark", [line, "and more"]), [("overlap", {
            "problem": "Laplace3D, product", "ranks": 2, "unknowns": "80^3", "ghosts": 1, "threads": 1, "none": 400, "naive": 300, "task": 150,
            "naive_ratio": 0.75, "task_ratio": 0.5})])

    def test_latency(self):
        text = ["200 us, 2 ranks, 16^3 a rank, setup: 64 messages, 324.8 kB, 24 reductions, 13 gathers, 2 all-to-alls, 16 overlapped reductions, 61.204 ms",
                "200 us, 2 ranks, 16^3 a rank, levels: 8192 rows 54784 nonzeros on 2,"]
        (table, setup), = rows("latency.py", text)
        self.assertEqual(table, "latency")
        self.assertEqual((setup["latency"], setup["ms"], setup["side"], setup["of"], setup["messages"], setup["reductions"]),
                         (200, 61.204, 16, "setup", 64, 24))

    def test_message_counts(self):
        text = ["2 ranks, 20^3 a rank, setup: 400 messages, 12.5 kB, 100 reductions, 50 gathers, 30 all-to-alls",
                "2 ranks, 20^3 a rank, levels: 16000 rows 100000 nonzeros on 2, 160 rows 4000 nonzeros on 1,"]
        (_, setup), (_, levels) = rows("message_counts", text)
        self.assertEqual(setup, {"ranks": 2, "side": 20, "of": "setup", "messages": 400, "kilobytes": 12.5, "reductions": 100, "gathers": 50,
                                 "all_to_alls": 30})
        self.assertEqual(levels["levels"], [{"rows": 16000, "nonzeros": 100000, "active": 2}, {"rows": 160, "nonzeros": 4000, "active": 1}])

    def test_message_counts_by_phase(self):
        text = ["2 ranks, 20^3 a rank, setup, coarse solver: 1 messages, 0.5 kB, 2 reductions, 3 gathers, 4 all-to-alls, 5 overlapped reductions",
                "2 ranks, 20^3 a rank, setup: 7 messages, 0.9 kB, 8 reductions, 9 gathers, 6 all-to-alls, 10 overlapped reductions, 1.234 ms"]
        counts = [(table, row.get("phase"), row["reductions"], row.get("overlapped")) for table, row in rows("message_counts", text)]
        self.assertEqual(counts, [("waits", "coarse solver", 2, 5), ("messages", None, 8, None), ("waits", "all", 8, 10)])


class Scaling(unittest.TestCase):
    def test_boxes_are_as_even_as_can_be(self):
        self.assertEqual([scaling_model.boxes_of(n) for n in (1, 2, 4, 8, 12, 27, 10000)],
                         [(1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 2, 2), (2, 2, 3), (3, 3, 3), (20, 20, 25)])

    def test_small_levels_go_onto_fewer_ranks(self):
        self.assertEqual([scaling_model.active_ranks(rows, 8, 8, 2000) for rows in (16000, 15999, 4000, 100)], [8, 4, 2, 1])

    def test_a_box_inside_has_six_faces_and_twenty_six_neighbours(self):
        level = scaling_model.Level(1000, 27, [10, 10, 10], [3, 3, 3], 27, 1, False)
        self.assertEqual((level.neighbours(True), level.ghosts(True)), (6, 600))
        self.assertEqual((level.neighbours(False), round(level.ghosts(False))), (26, 12**3 - 10**3))
        slab = level._replace(boxes=[1, 1, 2])
        self.assertEqual((slab.neighbours(False), round(slab.ghosts(False))), (1, 100))


class Tables(unittest.TestCase):
    def gathered(self, *runs):
        with tempfile.TemporaryDirectory() as folder:
            before, performance.RESULTS = performance.RESULTS, pathlib.Path(folder)
            for k, run in enumerate(runs):
                (performance.RESULTS / f"{k}.json").write_text(json.dumps({**RUN, "kind": "rows", "table": "cycle", **run}))
            try:
                return performance.gathered()
            finally:
                performance.RESULTS = before

    def test_the_newest_run_counts_cell_by_cell(self):
        tables, sources = self.gathered({"date": "2026-01-03", "figures": [{"problem": "P", "us": 2.0}]},
                                        {"date": "2026-01-02", "figures": [{"problem": "P", "us": 1.0, "megabytes": 5}]},
                                        {"date": None, "figures": [{"problem": "P", "megabytes": 4}]})
        self.assertEqual(tables["cycle"], [{"problem": "P", "us": 2.0, "megabytes": 5}])
        self.assertEqual([run["name"] for run in sources["cycle"]], ["1", "0"])

    def test_runs_of_one_day_and_commit_are_a_range(self):
        tables, _ = self.gathered({"figures": [{"problem": "P", "us": 2.0}]}, {"figures": [{"problem": "P", "us": [1.0, 3.0]}]})
        self.assertEqual(performance.text_of(tables["cycle"][0]["us"], ".1f"), "1.0 to 3.0")

    def test_a_missed_bound_is_said(self):
        line, = (row for row in performance.summary({"cycle": [{"problem": "Laplace3D 256^3", "of_copy": [0.8, 0.7]}]}) if "V-cycle" in row)
        self.assertIn("| 70% to 80% | at least 0.75 | **missed** |", line)

    def test_a_figure_without_a_bound_has_no_verdict(self):
        line, = (row for row in performance.summary({"ranks": [{"unknowns": "3^3", "ranks": 4, "devices": 4, "efficiency": 0.5}]}) if "Four" in row)
        self.assertTrue(line.endswith(": 3^3 | 0.50 |  |  |"), line)

    def test_the_documents_are_short(self):
        for name, text in performance.documents().items():
            self.assertLessEqual(len(text.splitlines()), 340 if name == "papers.md" else 160, name)


class Differential(unittest.TestCase):
    """benchmarks/gpu/differential.py, which needs a GPU for the rest."""

    def test_lists_are_ours_and_stay_lists(self):
        ready = differential.ready_lists()
        self.assertIn("ua_amg_kcycle", ready)
        self.assertNotIn("ml_sa", ready)
        draw = random.Random(1)
        for text in ready.values():
            changed = differential.mutated(differential.small(text), draw)
            names = [one.get("name") for one in xml.etree.ElementTree.fromstring(changed).iter("Parameter")]
            self.assertEqual(names.count("precision: hierarchy"), min(1, names.count("precision: hierarchy")))
            self.assertEqual("coarse: max size" in names, differential.is_multigrid(text))

    def test_a_value_takes_the_place_of_another(self):
        text = differential.ready_lists()["sa_amg"]
        twice = differential.with_parameter(differential.with_parameter(text, "coarse: max size", "int", 5), "coarse: max size", "int", 7)
        self.assertEqual((twice.count("coarse: max size"), 'value="7"' in twice), (1, True))

    @staticmethod
    def ended(iterations, checksum="a", status="converged"):
        return {"status": status, "reason": "", "iterations": iterations, "levels": [{"checksum": checksum}]}

    def test_differences_are_named(self):
        ended = self.ended
        self.assertEqual(differential.difference(ended(20), ended(21)), "")
        self.assertFalse(differential.iterations_differ(ended(20), ended(21)))
        self.assertTrue(differential.iterations_differ(ended(20), ended(22)))
        self.assertEqual(differential.difference(ended(20, "a"), ended(20, "b")), "levels differ")
        self.assertIn("breakdown", differential.difference(ended(20), ended(0, status="breakdown")))

    def verdicts(self, in_float, in_double):
        """Of a pair with so many iterations on the host and on the GPU."""
        def run(batch, _, backend, __):
            iterations = in_double if 'value="double"' in batch.lists["one"] else in_float
            return "", {"one": self.ended(iterations[backend == "cuda"])}
        with unittest.mock.patch.object(differential.Batch, "run", run):
            return differential.compared(differential.Batch(1, "", 1, {"one": differential.ready_lists()["sa_amg"]}), None, None)

    def test_what_only_float_parts_is_counted_apart(self):
        self.assertEqual(self.verdicts((36, 36), (1, 9)), [("one", "")])
        self.assertEqual(self.verdicts((36, 33), (32, 32)), [("one", differential.ROUNDING)])
        self.assertEqual(self.verdicts((36, 33), (36, 33)), [("one", "36 iterations on the host, 33 on the GPU")])


if __name__ == "__main__":
    unittest.main()
