"""Table 5.6 of Bell, Dalton, Olson 2012 at moderate sizes: xml_params/sa_amg_jacobi.xml on the problems of benchmarks/papers.py."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import Folder, Run, XML  # noqa: E402

THETA = ("--eps", 1e-3, "--theta", 0.5235987755982988)
# case, problem, drop tolerance, rows, largest number of iterations, largest operator complexity
CASES = [
    ("1a", ("Laplace2D", "--nx", 256, "--ny", 256), 0.0, 65536, 29, 1.4),
    ("1b", ("Star2D", "--nx", 256, "--ny", 256), 0.0, 65536, 25, 1.2),
    ("2a", ("Laplace3D", "--nx", 40, "--ny", 40, "--nz", 40), 0.0, 64000, 22, 1.55),
    ("2b", ("Brick3D", "--nx", 40, "--ny", 40, "--nz", 40), 0.0, 64000, 17, 1.15),
    ("3a", ("UnstructuredPoisson2D", "--refinements", 4), 0.0, 34049, 40, 1.25),
    ("3b", ("Delaunay2D", "--nx", 256, "--ny", 256), 0.0, 65536, 35, 1.25),
    ("4", ("UnstructuredPoisson3D", "--refinements", 3), 0.0, 13759, 31, 1.3),
    ("5a", ("HorseshoeAnisotropy2D", "--refinements", 5, *THETA), 0.08, 52641, 195, 1.35),
    ("5b", ("UnstructuredAnisotropy2D", "--refinements", 5, *THETA), 0.08, 41665, 190, 1.35),
]


class Table56(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def test_iterations_and_complexities(self):
        text = (XML / "sa_amg_jacobi.xml").read_text()
        for case, problem, tolerance, rows, iterations, complexity in CASES:
            with self.subTest(case):
                changed = text.replace('"aggregation: drop tol" type="double" value="0.0"',
                                       f'"aggregation: drop tol" type="double" value="{tolerance}"')
                self.assertEqual(changed == text, tolerance == 0.0)
                file, result = self.folder.put(f"{case}.xml", changed), self.folder.path / f"{case}.json"
                run = Run("solve", "--problem", *problem, "--rhs-kind", "random", "--xml", file, "--json", result)
                self.assertEqual(run.status, 0, run)
                solve = json.loads(result.read_text())
                self.assertLessEqual(solve["relative_residual"], 1.001e-12)
                self.assertEqual(solve["rows"], rows)
                self.assertLessEqual(solve["iterations"], iterations)
                self.assertLessEqual(solve["operator_complexity"], complexity)


if __name__ == "__main__":
    unittest.main()
