"""The progress of a solve on standard error."""
import json
import unittest

from program import Folder, Run, run_side_by_side

LAPLACE = ["--problem", "Laplace3D", "--nx", 13, "--ny", 13, "--nz", 13]


class Progress(unittest.TestCase):
    def test_levels_are_printed_on_request(self):
        folder = Folder()
        self.addCleanup(folder.close)
        for command in ("solve", "compare"):
            report = folder.path / f"{command}.json"
            run = Run(command, *LAPLACE, "--xml", "sa_amg", "--progress", "--json", report)
            self.assertEqual(run.status, 0, run)
            result = json.loads(report.read_text())
            for k, level in enumerate(result.get("runs", [result])[0]["levels"]):
                each = level["nonzeros"] / level["rows"]
                self.assertIn(f"  level {k}: {level['rows']} rows, {each:.1f} entries a row, ", run.err)

    def test_by_default_only_a_terminal_has_levels_of_long_setups(self):
        run = Run("solve", *LAPLACE, "--xml", "sa_amg")
        self.assertIn("setup ", run.err)
        self.assertNotIn("level 0", run.err)

    def test_no_progress_prints_only_results(self):
        run = Run("solve", *LAPLACE, "--xml", "sa_amg", "--no-progress")
        self.assertNotIn("setup ", run.err)
        self.assertIn("iterations", run.out)

    def test_progress_of_a_quiet_program_is_refused(self):
        run = Run("solve", *LAPLACE, "--xml", "sa_amg", "--quiet", "--progress")
        self.assertEqual(run.status, 2, run)
        self.assertIn("--progress would have no effect: --quiet is given", run.err)

    def test_methods_without_levels_print_none(self):
        for name in ("fsai", "ifpack2_jacobi"):
            run = Run("solve", *LAPLACE, "--xml", name, "--progress")
            self.assertEqual(run.status, 0, run)
            self.assertNotIn("level 0", run.err)


if __name__ == "__main__":
    run_side_by_side(Progress)
