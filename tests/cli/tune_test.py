"""tessera tune: its list solves the problem, and its report on the search is true; it writes no list if no list converges."""
import json
import unittest

from program import Folder, Run

LAPLACE = ["--problem", "Laplace3D", "--nx", "12", "--ny", "12", "--nz", "12"]
ANISOTROPY = ["--problem", "RotatedAnisotropy2D", "--nx", "80", "--ny", "80", "--eps", "1e-3", "--theta", "0"]
ELASTICITY = ["--problem", "Elasticity2D", "--nx", "12", "--ny", "12"]
INDEFINITE = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -2\n"
NOISE = 0.05
BRIEF = ["--time", "20"]


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)
        self.list = self.folder.path / "list.xml"

    def tuned(self, *arguments, status=0):
        file = self.folder.path / "tune.json"
        run = Run("tune", *arguments, *BRIEF, "--out", self.list, "--json", file)
        self.assertEqual(run.status, status, run)
        return json.loads(file.read_text()), run

    def solved(self, *arguments):
        file = self.folder.path / "solve.json"
        run = Run("solve", *arguments, "--json", file)
        self.assertEqual(run.status, 0, run)
        return json.loads(file.read_text())

    def best(self, result):
        return next(trial for trial in result["trials"] if trial["list"] == result["best"])

    def test_the_fastest_list_is_written_and_solves(self):
        result, run = self.tuned(*LAPLACE)
        self.assertEqual(Run("params", "--validate", self.list).status, 0)
        self.assertIn("Found by tessera tune", self.list.read_text())
        best = self.best(result)
        self.assertEqual(self.solved(*LAPLACE, "--xml", self.list)["iterations"], best["iterations"])
        converged = [trial for trial in result["trials"] if trial["status"] == "converged"]
        for trial in converged:
            self.assertGreaterEqual(trial["total_seconds"], (1 - NOISE) * best["total_seconds"])
        marked = [line for line in run.out.split("\n") if line.endswith("  fastest")]
        self.assertEqual([line.startswith(best["list"] + " ") for line in marked], [True], run)

    def test_trials_are_printed_as_they_end_unless_switched_off(self):
        _, run = self.tuned(*LAPLACE)
        self.assertIn("sa_amg: ", run.err)
        _, run = self.tuned(*LAPLACE, "--no-progress")
        self.assertEqual(run.err, "")
        self.assertIn("verdict", run.out)

    def test_the_order_follows_the_matrix(self):
        result, run = self.tuned(*LAPLACE)
        facts = result["facts"]
        self.assertEqual((facts["weak_share"], facts["positive_share"], facts["equations"]), (0, 0, 1))
        self.assertEqual(facts["diagonal_ratio"], 1)
        self.assertEqual(result["order"][0], "sa_amg")
        self.assertEqual([trial["list"] for trial in result["trials"]][:len(result["order"])], result["order"])
        self.assertIn("order: " + ", ".join(result["order"]), run.out)
        self.assertGreater(len(result["trials"]), len(result["order"]), "nothing was varied")

    def test_an_anisotropic_problem_is_tried_first_with_a_preset_of_fewer_iterations(self):
        result, _ = self.tuned(*ANISOTROPY)
        self.assertGreater(result["facts"]["weak_share"] + result["facts"]["positive_share"], 0.2)
        first = result["trials"][0]
        self.assertEqual((first["list"], first["status"]), (result["order"][0], "converged"))
        self.assertNotEqual(first["list"], "sa_amg")
        default = self.solved(*ANISOTROPY, "--xml", "sa_amg")["iterations"]
        self.assertLess(first["iterations"], default)
        self.assertEqual(self.solved(*ANISOTROPY, "--xml", self.list)["iterations"], self.best(result)["iterations"])

    def test_the_list_of_an_elastic_body_has_its_equations(self):
        files = {name: self.folder.path / f"{name}--1 \u00e9.mtx" for name in ("A", "B")}
        self.assertEqual(Run("gallery", *ELASTICITY, "--out", files["A"], "--out-nullspace", files["B"]).status, 0)
        problem = ["--matrix", files["A"], "--nullspace", files["B"]]
        result, _ = self.tuned(*problem, "--equations", "2")
        self.assertEqual((result["facts"]["equations"], result["facts"]["nullspace_vectors"]), (2, 3))
        self.assertEqual(result["order"][0], "elasticity")
        text = self.list.read_text()
        self.assertEqual('name="number of equations" type="int" value="2"' in text, "fsai" != self.best(result)["list"].split(",")[0])
        self.assertIn("near-nullspace", text)
        self.assertEqual(self.solved(*problem, "--xml", self.list)["iterations"], self.best(result)["iterations"])

    def test_the_list_has_the_options(self):
        result, _ = self.tuned(*LAPLACE, "--tol", "1e-4", "--backend", "host", "--solves-per-setup", "50")
        text = self.list.read_text()
        self.assertIn('name="Convergence Tolerance" type="double" value="1e-04"', text.replace('"0.0001"', '"1e-04"'))
        self.assertIn('name="backend: type" type="string" value="host"', text)
        best = self.best(result)
        self.assertAlmostEqual(best["total_seconds"], best["setup_seconds"] + 50 * best["solve_seconds"])

    def test_memory_is_bounded_and_back_ends_are_tried(self):
        result, _ = self.tuned(*LAPLACE)
        bytes_of = [trial["bytes"] for trial in result["trials"] if trial["status"] == "converged"]
        bound = (min(bytes_of) + max(bytes_of)) / 2
        result, _ = self.tuned(*LAPLACE, "--memory", str(1e-6 * bound), "--backend", "host,auto")
        self.assertIn("too large", [trial["status"] for trial in result["trials"]])
        for trial in result["trials"]:
            self.assertTrue(trial["status"] != "converged" or trial["bytes"] <= bound, trial)
        self.assertEqual([trial["list"] for trial in result["trials"][:2]],
                         [f"{result['order'][0]}, backend: type = {name}" for name in ("host", "auto")])

    def test_no_list_is_written_if_none_converges(self):
        self.list.write_text("old")
        result, run = self.tuned("--matrix", self.folder.put("A.mtx", INDEFINITE), status=1)
        self.assertRegex(run.err, "no list has converged; .*; no list is written")
        self.assertIsNone(result["best"])
        self.assertNotIn("converged", [trial["status"] for trial in result["trials"]])
        self.assertEqual(self.list.read_text(), "old")
        self.list.unlink()
        _, run = self.tuned(*LAPLACE, "--max-iterations", "1", status=1)
        self.assertRegex(run.err, r"closest came \w+: relative residual \S+ after 1 iterations, asked for 1e-08")
        self.assertFalse(self.list.exists())

    def test_bad_options_are_refused(self):
        out = ["--out", self.list]
        for arguments, fragment in ((LAPLACE, "--out"), (out, "--problem or --matrix"), ([*LAPLACE, *out, "--time", "0"], "out of range"),
                                ([*LAPLACE, *out, "--solves-per-setup", "0"], "whole number"), ([*LAPLACE, *out, "--xml", "fsai"], "--xml"),
                                ([*LAPLACE, *out, "--backend", "host,gpu"], "gpu"), ([*LAPLACE, *out, "--memory", "0"], "out of range"),
                                (["--matrix", "A.mtx", "--nx", "3", *out], "no effect"), (["--problem", "Laplace", *out], "Laplace")):
            run = Run("tune", *arguments)
            self.assertEqual(run.status, 2, run)
            self.assertIn(fragment, run.err)
        self.assertFalse(self.list.exists())

    def test_an_output_that_cannot_be_written_is_refused_before_any_work(self):
        nowhere = self.folder.path / "nowhere" / "list.xml"
        run = Run("tune", "--matrix", self.folder.path / "missing.mtx", "--out", nowhere)
        self.assertEqual(run.status, 2, run)
        self.assertIn(str(nowhere), run.err)
        self.assertNotIn("missing.mtx", run.err)
        matrix = self.folder.put("A.mtx", INDEFINITE)
        run = Run("tune", "--matrix", matrix, "--out", matrix)
        self.assertEqual(run.status, 2, run)
        self.assertEqual(matrix.read_text(), INDEFINITE)


if __name__ == "__main__":
    unittest.main()
