"""Table 3 of Bernaschi, D'Ambra, Pasquini 2019 at moderate sizes: xml_params/matching_amg_paper.xml on ANI1 and ANI2."""
import json
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import Folder, Run, XML  # noqa: E402

# case, angle, largest number of iterations
CASES = [("ANI1", 0, 90), ("ANI2", math.pi / 8, 90)]


class Table3(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def test_iterations_and_complexities(self):
        for case, angle, iterations in CASES:
            with self.subTest(case):
                result = self.folder.path / f"{case}.json"
                run = Run("solve", "--problem", "UnstructuredAnisotropy2D", "--refinements", 4, "--theta", angle, "--tol", 1e-6,
                          "--xml", XML / "matching_amg_paper.xml", "--json", result)
                self.assertEqual(run.status, 0, run)
                solve = json.loads(result.read_text())
                self.assertLessEqual(solve["iterations"], iterations)
                # The paper's, of all sizes. Double pairwise aggregates have at most 4 unknowns.
                self.assertAlmostEqual(solve["operator_complexity"], 1.40, delta=0.1)
                rows = [level["rows"] for level in solve["levels"]]
                self.assertGreaterEqual(len(rows), 3)
                for fine, coarse in zip(rows, rows[1:]):
                    self.assertLessEqual(fine, 4 * coarse)


if __name__ == "__main__":
    unittest.main()
