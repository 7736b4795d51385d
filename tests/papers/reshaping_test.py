"""Reshaping (Brannick, Chen, Hu, Zikatanov 2013, Algorithm 3) on anisotropic couplings, the table of benchmarks/papers.py at a moderate size."""
import json
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import Folder, Run, XML  # noqa: E402

SIDE = 128


class Reshaping(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def iterations(self, theta, most, steps):
        text = (XML / "ua_amg_paper.xml").read_text()
        changed = text.replace('"aggregation: max agg size" type="int" value="4"/>',
                               f'"aggregation: max agg size" type="int" value="{most}"/>'
                               f'<Parameter name="aggregation: reshaping steps" type="int" value="{steps}"/>')
        self.assertNotEqual(changed, text)
        file, result = self.folder.put("list.xml", changed), self.folder.path / "solve.json"
        run = Run("solve", "--problem", "RotatedAnisotropy2D", "--nx", SIDE, "--ny", SIDE, "--eps", 1e-3, "--theta", theta,
                  "--tol", 1e-6, "--xml", file, "--json", result)
        self.assertEqual(run.status, 0, run)
        return json.loads(result.read_text())["iterations"]

    def test_iterations_are_at_most_four_fifths(self):
        for theta in (0.0, math.pi / 8):
            for most in (4, 8):
                with self.subTest(theta=theta, most=most):
                    self.assertLessEqual(self.iterations(theta, most, 4), 0.8 * self.iterations(theta, most, 0))


if __name__ == "__main__":
    unittest.main()
