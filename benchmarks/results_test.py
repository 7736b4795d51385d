"""What the programs print is read, and runs become cells of tables: benchmarks/results.py and performance.py."""
import json
import pathlib
import tempfile
import unittest

import performance
import results

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
        self.assertEqual((refresh["second_later"], refresh["first_peak"], refresh["second_held"]), (2.5, 367, 336))

    def test_weak_scaling(self):
        text = ["    2 ranks on 2 devices     33554432 rows   12 iterations (5.0e-09)  setup   119.40  refresh    32.00  solve    47.80  "
                "total   167.20 ms  peak  400 bytes/row  levels 33554432 9"]
        self.assertEqual(rows("weak_scaling", text), [("ranks", {"unknowns": "256^3", "ranks": 2, "devices": 2, "iterations": 12, "setup": 119.4,
                                                                 "refresh": 32.0, "solve": 47.8, "total": 167.2})])

    def test_compare_holds_ratios_to_the_best_of_ml_and_muelu(self):
        runs = [{"xml": f"xml_params/{name}.xml", "converged": True, "iterations": 9, "setup_seconds": {"min": 1.0},
                 "solve_seconds": {"min": 1.0}, "total_seconds": {"min": total}, "peak_memory_bytes": 1e6 * total}
                for name, total in (("sa_amg", 2.0), ("ml_sa", 4.0), ("muelu_sa_chebyshev", 5.0))]
        found = rows("tessera compare", {"problem": "Laplace3D", "rows": 27, "runs": runs})
        self.assertEqual([(t, r["problem"], r["list"], r["ratio"], r["memory_ratio"]) for t, r in found],
                         [("host", "Laplace3D 3^3", "sa_amg", 0.5, 0.5), ("host", "Laplace3D 3^3", "ml_sa", 1.0, 1.0),
                          ("host", "Laplace3D 3^3", "muelu_sa_chebyshev", 1.25, 1.25)])

    def test_figures(self):
        (table, row), = rows("figures.py", {"multigrid": [{"problem": "P", "bound": 13, "solve": solve(1000, False)}], "fsai": [], "smoother": []})
        self.assertEqual((table, row["iterations"], row["levels"], row["bound"]), ("iterations", "none in 1000", "27 8", 13))

    def test_papers(self):
        one = {"case": "1a", "paper": {"rows": 28, "host": 20, "gpu": 51, "ml": None}, "solve": solve(9, problem="Laplace3D")}
        self.assertEqual(rows("papers.py", {"table_5_6": [one]}), [("bell_2012", {
            "case": "1a", "problem": "Laplace3D", "paper_rows": 28, "host": 20, "gpu": 51, "ml": None, "rows": 27, "iterations": 9,
            "complexity": 1.5})])

    def test_methods(self):
        one = {"problem": "P", "solves": {"sa_amg": solve(9), "ua_amg_kcycle": solve(1000, False)}}
        self.assertEqual(rows("methods.py", {"methods": [one]}), [("methods", {
            "problem": "P", "sa_amg": 9, "sa_amg_complexity": 1.5, "ua_amg_kcycle": "none in 1000", "ua_amg_kcycle_complexity": 1.5})])


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

    def test_the_documents_are_short(self):
        for name, text in performance.documents().items():
            self.assertLessEqual(len(text.splitlines()), 150, name)


if __name__ == "__main__":
    unittest.main()
