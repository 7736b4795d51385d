"""Solves that do not converge: status, reason and exit status are the same for Belos' conjugate gradients and Tessera's."""
import json
import math

from program import Folder, Run, parameter, run_side_by_side, stratimikos
import unittest

SOLVERS = ("Pseudo Block CG", "TESSERA CG")


def market(n, entries):
    """A symmetric or any other matrix of `entries` (i, j, value), from 1."""
    lines = [f"{i} {j} {value!r}" for i, j, value in entries]
    return "\n".join(["%%MatrixMarket matrix coordinate real general", f"{n} {n} {len(lines)}", *lines, ""])


def grid(side, couple=lambda row, column: -1.0):
    """The 5-point Laplacian with Neumann boundaries; couple(row, column) off the diagonal."""
    entries = []
    for row in range(side * side):
        i, j = row % side, row // side
        near = [row + step for step, inside in ((-1, i > 0), (1, i + 1 < side), (-side, j > 0), (side, j + 1 < side)) if inside]
        entries += [(row + 1, column + 1, couple(row, column)) for column in near] + [(row + 1, row + 1, float(len(near)))]
    return market(side * side, entries)


def column(values):
    return "\n".join(["%%MatrixMarket matrix array real general", f"{len(values)} 1", *map(repr, values), ""])


def numbers(file):
    """Of a dense Matrix Market file with one column."""
    return [float(line) for line in file.read_text().split("\n")[2:] if line]


class Status(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def ends(self, status, *arguments, exit_status=1):
        file = self.folder.path / "o.json"
        run = Run("solve", *arguments, "--json", file)
        self.assertEqual(run.status, exit_status, run)
        result = json.loads(file.read_text())
        self.assertEqual(result["status"], status, run)
        self.assertIn(result["reason"], run.out)
        self.assertNotIn("nan", run.out)
        self.assertNotIn("::", result["reason"])
        return result

    def lists(self, preconditioner="Tessera"):
        return [self.folder.put(f"{solver.split()[0]}.xml", stratimikos(preconditioner, solver=solver)) for solver in SOLVERS]

    def test_the_rounding_level_is_reached_and_reported(self):
        problem = ["--problem", "Darcy3D", "--nx", "12", "--ny", "12", "--nz", "12", "--sigma", "5"]
        for xml in self.lists():
            result = self.ends("rounding level", *problem, "--xml", xml, "--tol", "1e-11")
            self.assertRegex(result["reason"], r"^reached the rounding level \d\.\de-\d\d \(asked for 1e-11; backward error ")
            self.assertLess(result["backward_error"], 2.3e-16)
            self.assertGreater(result["relative_residual"], 1e-11)
            self.assertLess(result["iterations"], 300)

    def test_compare_reports_it_in_its_table(self):
        problem = ["--problem", "Darcy3D", "--nx", "12", "--ny", "12", "--nz", "12", "--sigma", "5", "--tol", "1e-11"]
        run = Run("compare", *problem, *(word for xml in self.lists() for word in ("--xml", xml)))
        self.assertEqual(run.status, 1, run)
        self.assertEqual(run.out.count("ROUNDING LEVEL: reached the rounding level"), 2, run)

    def test_an_attainable_tolerance_is_met(self):
        problem = ["--problem", "Darcy3D", "--nx", "12", "--ny", "12", "--nz", "12", "--sigma", "5"]
        for xml in self.lists():
            result = self.ends("converged", *problem, "--xml", xml, "--tol", "1e-6", exit_status=0)
            self.assertEqual(result["reason"], "")
            self.assertGreater(result["backward_error"], 0)

    def test_a_tolerance_near_the_rounding_level_is_met(self):
        problem = ["--problem", "Darcy3D", "--nx", "12", "--ny", "12", "--nz", "12", "--sigma", "5"]
        for xml in self.lists():
            level = self.ends("rounding level", *problem, "--xml", xml, "--tol", "1e-12")
            tolerance = level["relative_residual"] / level["backward_error"] * 2.3e-16
            self.ends("converged", *problem, "--xml", xml, "--tol", repr(tolerance), exit_status=0)

    def test_penalties_cause_warnings_and_are_judged_by_row(self):
        lines = grid(20).split("\n")
        b = [0.0] * 400
        for row in range(0, 400, 50):
            b[row] = 1e12 * (1 + row)
            at = next(k for k, line in enumerate(lines) if line.startswith(f"{row + 1} {row + 1} "))
            lines[at] = f"{row + 1} {row + 1} {float(lines[at].split()[2]) + 1e12!r}"
        files = ["--matrix", self.folder.put("A.mtx", "\n".join(lines)), "--rhs", self.folder.put("b.mtx", column(b))]
        levels = parameter("coarse: max size", "int", "50")
        for solver in SOLVERS:
            xml = self.folder.put("n.xml", stratimikos("Tessera", levels, solver))
            result = self.ends("converged", *files, "--xml", xml, exit_status=0)
            self.assertGreater(result["row_wise_backward_error"], 1e-4)
            self.assertEqual(len(result["warnings"]), 1)
            self.assertRegex(result["warnings"][0], r"^8 of 400 rows, with large diagonal entries .* hold all of ")
        for solver in SOLVERS:
            rows = parameter("stopping: test", "string", "row-wise")
            xml = self.folder.put("r.xml", stratimikos("Tessera", levels, solver, rows))
            result = self.ends("converged", *files, "--xml", xml, exit_status=0)
            self.assertLess(result["row_wise_backward_error"], 1e-8)
            self.assertEqual(result["warnings"], [])

    def test_a_right_hand_side_out_of_range_is_reported(self):
        A = self.folder.put("A.mtx", grid(20))
        for preconditioner in ("Tessera", "None"):
            for xml in self.lists(preconditioner):
                result = self.ends("not converged", "--matrix", A, "--xml", xml)
                self.assertIn("the matrix is singular, and 100 % of the right-hand side lies in its nullspace", result["reason"])
                self.assertLess(result["iterations"], 60)

    def test_a_component_out_of_range_is_enough(self):
        A = self.folder.put("A.mtx", grid(20))
        # the mean is 4 / 5 of the norm: 4 with +3 and -3
        b = self.folder.put("b.mtx", column([4.0 + (3 if i % 2 else -3) for i in range(400)]))
        for preconditioner in ("Tessera", "None"):
            for xml in self.lists(preconditioner):
                x = self.folder.path / "x.mtx"
                result = self.ends("not converged", "--matrix", A, "--rhs", b, "--xml", xml, "--solution", x)
                self.assertIn("the matrix is singular, and 80 % of the right-hand side", result["reason"])
                self.assertLess(result["iterations"], 60)
                largest = max(map(abs, numbers(x)))
                self.assertTrue(math.isfinite(largest))
                if preconditioner == "Tessera":
                    self.assertLess(largest, 100)

    def test_a_right_hand_side_in_range_is_solved(self):
        A = self.folder.put("A.mtx", grid(20))
        b = self.folder.put("b.mtx", column([3.0 if i % 2 else -3.0 for i in range(400)]))
        for preconditioner in ("Tessera", "None"):
            for xml in self.lists(preconditioner):
                self.ends("converged", "--matrix", A, "--rhs", b, "--xml", xml, exit_status=0)

    def test_a_matrix_that_is_not_symmetric_is_reported(self):
        A = self.folder.put("A.mtx", grid(20, lambda row, column: -1.5 if row < column else -0.5))
        for xml in self.lists("None"):
            result = self.ends("breakdown", "--matrix", A, "--xml", xml)
            if result["relative_residual"] is None:
                self.assertIsNone(result["backward_error"])
            self.assertRegex(result["reason"], r"^the matrix is not symmetric: a\(\d+, \d+\) is -[01].5, a\(\d+, \d+\) is -[01].5; .*; rows count from 0$")

    def test_values_that_are_not_numbers_are_printed_in_words(self):
        A = self.folder.put("A.mtx", market(2, [(1, 1, 1e308), (2, 2, 1e308)]))
        for xml in self.lists("None"):
            result = self.ends("breakdown", "--matrix", A, "--xml", xml)
            self.assertRegex(result["reason"], "not a positive number: .*too large|inf; look for .*too large to be squared")

    def test_tiny_and_huge_right_hand_sides_are_scaled(self):
        counts = set()
        for power in (0, -200, 200, 45):
            b = self.folder.put("b.mtx", column([float(f"1e{power}")] * 400))
            for xml in self.lists():
                x = self.folder.path / "x.mtx"
                result = self.ends("converged", "--matrix", self.folder.put("A.mtx", pinned()), "--rhs", b, "--xml", xml,
                                   "--solution", x, exit_status=0)
                counts.add(result["iterations"])
                self.assertGreater(max(numbers(x)) / float(f"1e{power}"), 0.1)
        self.assertLessEqual(max(counts) - min(counts), 1, counts)


def pinned():
    """grid(20) with 1 added to the first diagonal entry."""
    lines = grid(20).split("\n")
    at = lines.index("1 1 2.0")
    return "\n".join(lines[:at] + ["1 1 3.0"] + lines[at + 1:])


if __name__ == "__main__":
    run_side_by_side(Status)
