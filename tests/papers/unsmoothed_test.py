"""One preset with plain prolongators has few iterations and small hierarchies: docs/results/papers.md, all methods on the same problems."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import Folder, Run, XML  # noqa: E402


class Unsmoothed(unittest.TestCase):
    def test_degree_three_has_few_iterations_and_a_small_hierarchy(self):
        folder = Folder()
        self.addCleanup(folder.close)
        text = (XML / "ua_amg_kcycle.xml").read_text()
        changed = text.replace('"chebyshev: degree" type="int" value="2"', '"chebyshev: degree" type="int" value="3"')
        self.assertNotEqual(changed, text)
        file, result = folder.put("list.xml", changed), folder.path / "solve.json"
        run = Run("solve", "--problem", "Laplace2D", "--nx", 1024, "--ny", 1024, "--tol", 1e-6, "--xml", file, "--json", result)
        self.assertEqual(run.status, 0, run)
        solve = json.loads(result.read_text())
        self.assertLessEqual(solve["iterations"], 19)
        self.assertLessEqual(solve["operator_complexity"], 1.45)


if __name__ == "__main__":
    unittest.main()
