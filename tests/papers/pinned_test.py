"""A row of each paper's table of solves at the paper's own size must keep our value; the difference to the paper's is printed."""
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import Folder, Run, XML  # noqa: E402

# table, problem, list, what else the program is told, largest number of rows of the coarsest level (None: the list's), iterations: the paper's, ours
ROWS = [
    ("Bell, Dalton, Olson 2012, 5.6, 2a", ("Laplace3D", "--nx", 101, "--ny", 101, "--nz", 101), "sa_amg_paper", ("--rhs-kind", "random"), None, 27, 26),
    ("Brannick et al. 2013, 5.9, a million", ("Delaunay2D", "--nx", 1024, "--ny", 1024), "ua_amg_paper", ("--tol", 1e-6), None, 19, 20),
    ("Bernaschi et al. 2019, table 2, sigma 1, V", ("Darcy3D", "--nx", 100, "--ny", 100, "--nz", 100, "--sigma", 1), "matching_amg_paper", ("--tol", 1e-6), 4000, 91, 95),
    ("Bernaschi et al. 2019, table 1, ANI1", ("UnstructuredAnisotropy2D", "--refinements", 6, "--theta", 0), "matching_amg_paper", ("--tol", 1e-6), 2204, 192, 211),
    ("Bernaschi et al. 2019, table 1, ANI1, the list as it stands", ("UnstructuredAnisotropy2D", "--refinements", 6, "--theta", 0), "matching_amg_paper", ("--tol", 1e-6), None, 192, 222),
]

# Bernaschi, Bisson, Fantozzi, Janna 2016, table 5: matrix, decades and side of its stand-in with a sixteenth of the rows, k, tau, delta; the
# densities before and after the postfilter: the paper's, ours; ours iterations
FSAI_ROWS = [
    ("Thermal2", 1.5, 277, (6, 0.02, 0.07), (5.586, 1.737), (5.563, 1.745), 315),
    ("G3_circuit", 2, 315, (7, 0.02, 0.07), (4.207, 1.465), (4.624, 1.615), 396),
]


class Pinned(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def test_rows_are_what_they_were(self):
        for table, problem, name, told, coarsest, theirs, ours in ROWS:
            with self.subTest(table):
                text = (XML / f"{name}.xml").read_text()
                if coarsest:
                    sweeps = '<Parameter name="coarse: sweeps"'
                    self.assertEqual(text.count(sweeps), 1)
                    text = text.replace(sweeps, f'<Parameter name="coarse: max size" type="int" value="{coarsest}"/>{sweeps}')
                file, result = self.folder.put("list.xml", text), self.folder.path / "solve.json"
                run = Run("solve", "--problem", *problem, "--xml", file, *told, "--json", result)
                self.assertEqual(run.status, 0, run)
                iterations = json.loads(result.read_text())["iterations"]
                print(f"{table}: {iterations} iterations, {iterations / theirs - 1:+.0%} of the paper's {theirs}")
                self.assertAlmostEqual(iterations, ours, delta=1)  # dot products depend on the number of ranks in the last bits

    def test_densities_of_sparse_inverses_are_what_they_were(self):
        for matrix, decades, side, parameters, theirs, ours, iterations in FSAI_ROWS:
            with self.subTest(matrix):
                text = (XML / "fsai.xml").read_text()
                for name, value in zip(("fsai: pattern level", "fsai: prefilter tolerance", "fsai: postfilter tolerance"), parameters):
                    text, changed = re.subn(rf'("{name}" type="\w+" value=)"[^"]*"', rf'\1"{value}"', text)
                    self.assertEqual(changed, 1)
                file, result = self.folder.put("fsai.xml", text), self.folder.path / "solve.json"
                run = Run("solve", "--problem", "RandomNetwork2D", "--nx", side, "--ny", side, "--decades", decades, "--rhs-kind", "consistent", "--tol", 1e-8,
                          "--xml", file, "--json", result)
                self.assertEqual(run.status, 0, run)
                solve = json.loads(result.read_text())
                found = solve["fsai"]["pattern_density"], solve["fsai"]["density"]
                for what, paper, before, density in zip(("before", "after"), theirs, ours, found):
                    print(f"Bernaschi et al. 2016, table 5, {matrix}: density {density:.3f} {what} the postfilter, {density / paper - 1:+.0%} of the paper's {paper}")
                    self.assertAlmostEqual(density, before, delta=1e-3)
                self.assertAlmostEqual(solve["iterations"], iterations, delta=0.02 * iterations)  # hundreds of them, whose last bits ranks decide


if __name__ == "__main__":
    unittest.main()
