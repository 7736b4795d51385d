"""A row of each paper's table of solves at the paper's own size: held to our value, its distance to the paper's printed."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import Folder, Run, XML  # noqa: E402

# table, problem, list, what else the program is told, iterations: the paper's, ours
ROWS = [
    ("Bell, Dalton, Olson 2012, 5.6, 2a", ("Laplace3D", "--nx", 101, "--ny", 101, "--nz", 101), "sa_amg_paper", ("--rhs-kind", "random"), 27, 26),
    ("Brannick et al. 2013, 5.9, a million", ("Delaunay2D", "--nx", 1024, "--ny", 1024), "ua_amg_paper", ("--tol", 1e-6), 19, 20),
    ("Bernaschi et al. 2019, table 1, ANI1", ("UnstructuredAnisotropy2D", "--refinements", 6, "--theta", 0), "matching_amg_paper", ("--tol", 1e-6), 192, 222),
]


class Pinned(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def test_rows_are_what_they_were(self):
        for table, problem, name, told, theirs, ours in ROWS:
            with self.subTest(table):
                result = self.folder.path / "solve.json"
                run = Run("solve", "--problem", *problem, "--xml", XML / f"{name}.xml", *told, "--json", result)
                self.assertEqual(run.status, 0, run)
                iterations = json.loads(result.read_text())["iterations"]
                print(f"{table}: {iterations} iterations, {iterations / theirs - 1:+.0%} of the paper's {theirs}")
                self.assertAlmostEqual(iterations, ours, delta=1)  # dot products depend on the number of ranks in the last bits


if __name__ == "__main__":
    unittest.main()
