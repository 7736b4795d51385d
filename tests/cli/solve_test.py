"""The program's results: JSON, files, exit statuses, the table."""
import csv
import gzip
import json
import lzma
import re
import unittest

from grids import laplace
from program import PACKAGES, RANKS, XML, Folder, Run, parameter, stratimikos
from schema import wrong_in_comparison, wrong_in_solve

LAPLACE = ["--problem", "Laplace3D", "--nx", "12", "--ny", "12", "--nz", "12"]
FSAI_KEYS = """factors nonzeros density pattern_nonzeros pattern_density filtered_share largest_row rows_cut row_bound rows_by_size format bytes
 peak_workspace_bytes checksum""".split()
PHASES = {"strength", "aggregation", "prolongator", "galerkin", "smoother"}
INDEFINITE = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -2\n"


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def solved(self, *arguments, status=0):
        file = self.folder.path / "o.json"
        run = Run(*arguments, "--json", file)
        self.assertEqual(run.status, status, run)
        result = json.loads(file.read_text())
        self.assertEqual((wrong_in_comparison if "runs" in result else wrong_in_solve)(result), [])
        return result, run


class Solve(Program):
    def test_json_has_every_key_and_valid_values(self):
        result, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--repeat", "2")
        self.assertEqual(result["rows"], 12 ** 3)
        self.assertEqual(result["nonzeros"], 7 * 12 ** 3 - 6 * 12 ** 2)
        self.assertEqual(result["ranks"], RANKS)
        self.assertEqual(result["preconditioner"], "SA-AMG")
        self.assertEqual(result["status"], "converged")
        self.assertLessEqual(result["relative_residual"], 1.001e-8)
        self.assertGreater(result["iterations"], 2)
        for name in ("setup_seconds", "solve_seconds", "total_seconds"):
            self.assertGreater(result[name]["min"], 0)
            self.assertGreaterEqual(result[name]["median"], result[name]["min"])
        self.assertGreaterEqual(set(result["phases"]), PHASES)
        self.assertGreater(result["peak_memory_bytes"], 0)
        self.assertGreaterEqual(result["operator_complexity"], 1)

    def test_levels_begin_with_the_matrix_and_shrink(self):
        result, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml")
        levels = result["levels"]
        self.assertGreaterEqual(len(levels), 2)
        self.assertEqual(levels[0]["rows"], result["rows"])
        self.assertEqual(levels[0]["nonzeros"], result["nonzeros"])
        self.assertEqual(levels[0]["aggregates"], levels[1]["rows"])
        for level in levels:
            self.assertRegex(level["checksum"], "^[0-9a-f]+$")

    def test_the_hierarchy_is_the_same_from_run_to_run(self):
        one, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml")
        other, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml")
        self.assertEqual(one["levels"], other["levels"])
        self.assertEqual(one["iterations"], other["iterations"])

    def test_a_saved_setup_is_loaded_in_another_process(self):
        for xml in ("sa_amg", "ua_amg_kcycle", "matching_amg_bootstrap", "fsai"):
            file = self.folder.path / xml
            saved, _ = self.solved("solve", *LAPLACE, "--xml", xml, "--save", file)
            self.assertTrue(all((self.folder.path / (xml + (f".{r}" if r else ""))).exists() for r in range(RANKS)))
            loaded, run = self.solved("solve", *LAPLACE, "--xml", xml, "--load", file)
            for key in ("iterations", "relative_residual", "levels"):
                self.assertEqual(loaded[key], saved[key], run)
            if "fsai" not in saved:
                self.assertIn("load", loaded["phases"])
                self.assertNotIn("strength", loaded["phases"])

    def test_a_setup_of_another_problem_is_refused(self):
        file = self.folder.path / "setup"
        self.solved("solve", *LAPLACE, "--xml", "sa_amg", "--save", file)
        for arguments, part in (((*LAPLACE[:-1], "13", "--xml", "sa_amg"), "was saved for another matrix"),
                                ((*LAPLACE, "--xml", "sa_amg_jacobi"), "was saved with other parameters"),
                                ((*LAPLACE, "--xml", "fsai"), "was saved with other parameters (\"class\"")):
            run = Run("solve", *arguments, "--load", file)
            self.assertEqual(run.status, 2, run)
            self.assertIn(part, run.err)
        run = Run("solve", *LAPLACE, "--xml", "ifpack2_jacobi", "--save", file)
        self.assertEqual(run.status, 2, run)
        self.assertIn("only setups of Tessera's go to files", run.err)

    def test_a_sparse_inverse_has_no_levels_but_figures_of_its_own(self):
        result, run = self.solved("solve", *LAPLACE, "--xml", XML / "fsai.xml")
        self.assertEqual(list(result)[-2:], ["fsai", "phases"])
        self.assertEqual((result["preconditioner"], result["levels"]), ("FSAI", []))
        fsai = result["fsai"]
        self.assertEqual(list(fsai), FSAI_KEYS)
        self.assertAlmostEqual(fsai["density"], fsai["nonzeros"] / result["nonzeros"])
        self.assertAlmostEqual(fsai["pattern_density"], fsai["pattern_nonzeros"] / result["nonzeros"])
        self.assertAlmostEqual(fsai["filtered_share"], 1 - fsai["nonzeros"] / fsai["pattern_nonzeros"])
        self.assertEqual(sum(fsai["rows_by_size"].values()), result["rows"])
        self.assertRegex(fsai["checksum"], "^[0-9a-f]+$")
        self.assertIn("Rows by size: {1: 1, ", run.out)

    def test_a_preset_is_given_by_its_name(self):
        by_name, _ = self.solved("solve", *LAPLACE, "--xml", "sa_amg")
        by_file, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml")
        self.assertEqual((by_name["levels"], by_name["iterations"]), (by_file["levels"], by_file["iterations"]))
        self.assertTrue(by_name["xml"].endswith("/sa_amg.xml"), by_name["xml"])
        result, _ = self.solved("compare", *LAPLACE, "--xml", "ua_amg.xml", "--xml", "fsai")
        self.assertEqual([one["converged"] for one in result["runs"]], [True, True])
        self.assertEqual(Run("params", "--validate", "sa_amg").status, 0)

    def test_the_right_hand_side_is_reported(self):
        for options, text in (([], "b = 1"), (["--rhs-kind", "random"], "b random"), (["--rhs-kind", "consistent"], "b = A times ones")):
            self.assertIn(f"; {text}; tolerance", self.solved("solve", *LAPLACE, "--xml", "sa_amg", *options)[1].out)
        singular = ["--problem", "NeumannLaplace2D", "--nx", "20", "--ny", "20"]
        self.assertIn("; b = 1 and -1, odd about the middle row", self.solved("solve", *singular, "--xml", "sa_amg")[1].out)
        files = [self.folder.path / "A.mtx", self.folder.path / "b.mtx"]
        self.assertEqual(Run("gallery", *LAPLACE, "--out", files[0], "--out-rhs", files[1]).status, 0)
        self.assertIn("; b = 1; tolerance", self.solved("solve", "--matrix", files[0], "--xml", "sa_amg")[1].out)
        self.assertIn(f"; b from {files[1]}; tolerance", self.solved("solve", "--matrix", files[0], "--rhs", files[1], "--xml", "sa_amg")[1].out)

    def test_a_report_describes_the_solve(self):
        anisotropy = ["--problem", "RotatedAnisotropy2D", "--nx", "60", "--ny", "60", "--eps", "1e-3"]
        result, run = self.solved("solve", *anisotropy, "--xml", XML / "matching_amg_bootstrap.xml")
        levels = re.search(r"^Levels: (\d+) \((\d+(?: \+ \d+)+), of (\d+) components\)$", run.out, re.M)
        self.assertTrue(levels, run)
        each = [int(number) for number in levels[2].split(" + ")]
        self.assertEqual((int(levels[1]), int(levels[3])), (sum(each), len(each)))
        self.assertEqual(int(levels[1]), len(result["levels"]))
        self.assertNotRegex(run.out, "Initialized|Computed")

    def test_a_sparse_inverse_of_a_matrix_with_a_singular_component(self):
        matrix = self.folder.put("A.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 8\n1 1 4\n1 2 -2\n2 1 -2\n2 2 1\n"
                                          "3 3 2\n3 4 -1\n4 3 -1\n4 4 2\n")
        for xml in ("fsai.xml", "fsai_adaptive.xml"):
            result, _ = self.solved("solve", "--matrix", matrix, "--rhs-kind", "consistent", "--xml", XML / xml)
            self.assertLessEqual(result["iterations"], 4)

    def test_rows_of_a_sparse_inverse_that_are_too_long_are_cut(self):
        file = self.folder.put("list.xml", stratimikos("Tessera", parameter("multigrid algorithm", "string", "fsai") +
                                                       parameter("fsai: max row size", "int", "3")))
        result, run = self.solved("solve", *LAPLACE, "--xml", file)
        cut = result["fsai"]["rows_cut"]
        self.assertGreater(cut, 1000)
        self.assertEqual((result["fsai"]["largest_row"], result["fsai"]["row_bound"]), (3, 3))
        self.assertIn(f"largest row: 3, rows cut: {cut}, row bound: 3", run.out)

    def test_options_override_the_list(self):
        result, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--tol", "1e-4")
        self.assertEqual(result["tolerance"], 1e-4)
        self.assertLessEqual(result["relative_residual"], 1.001e-4)
        self.assertGreater(result["relative_residual"], 1e-8)

    def test_too_few_iterations_is_status_one(self):
        result, run = self.solved("solve", *LAPLACE, "--xml", XML / "ifpack2_jacobi.xml", "--max-iterations", "3", status=1)
        self.assertEqual(result["status"], "not converged")
        self.assertEqual(result["iterations"], 3)
        self.assertIn("NOT CONVERGED", run.out)
        self.assertIn(f"not converged: {result['reason']}", run.out)
        self.assertIn("number of iterations, 3,", result["reason"])

    def test_history_goes_from_one_to_the_tolerance(self):
        file = self.folder.path / "h.csv"
        result, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--history", file)
        rows = list(csv.DictReader(file.open()))
        self.assertEqual([int(row["iteration"]) for row in rows], list(range(result["iterations"] + 1)))
        self.assertEqual(float(rows[0]["relative_residual"]), 1)
        self.assertLessEqual(float(rows[-1]["relative_residual"]), 1e-8)

    def test_the_solution_of_a_consistent_system_is_ones(self):
        file = self.folder.path / "x.mtx"
        self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--rhs-kind", "consistent", "--tol", "1e-10",
                    "--solution", file)
        lines = [line for line in file.read_text().splitlines() if not line.startswith("%")]
        self.assertEqual(lines[0].split(), [str(12 ** 3), "1"])
        self.assertEqual(len(lines), 1 + 12 ** 3)
        for value in lines[1:]:
            self.assertAlmostEqual(float(value), 1, delta=1e-6)

    def test_several_columns_are_solved_at_once(self):
        file = self.folder.path / "x.mtx"
        for xml in "sa_amg.xml", "ua_amg.xml", "fsai.xml":
            result, run = self.solved("solve", *LAPLACE, "--xml", XML / xml, "--columns", "9", "--rhs-kind", "consistent", "--solution", file)
            self.assertEqual(result["columns"], 9)
            self.assertIn("the first of 9 columns", run.out)
            lines = [line for line in file.read_text().splitlines() if not line.startswith("%")]
            self.assertEqual(lines[0].split(), [str(12 ** 3), "9"])
            for value in lines[1:1 + 12 ** 3]:
                self.assertAlmostEqual(float(value), 1, delta=1e-4)

    def test_a_file_of_b_may_have_several_columns(self):
        values = "\n".join(str(c + i % 4) for c in (1, 2, 3) for i in range(36))
        b = self.folder.put("b.mtx", f"%%MatrixMarket matrix array real general\n36 3\n{values}\n")
        files = [*laplace(self.folder, 6, 2)[0][:2], "--rhs", b]
        x = self.folder.path / "x.mtx"
        result, run = self.solved("solve", *files, "--xml", XML / "sa_amg.xml", "--solution", x)
        self.assertEqual(result["columns"], 3)
        self.assertIn("b of 3 columns from ", run.out)
        lines = [line for line in x.read_text().splitlines() if not line.startswith("%")]
        self.assertEqual(lines[0].split(), ["36", "3"])
        result, _ = self.solved("compare", *files, "--xml", XML / "sa_amg.xml", "--xml", XML / "fsai.xml")
        self.assertEqual(result["columns"], 3)
        run = Run("tune", *files, "--out", self.folder.path / "list.xml")
        self.assertEqual(run.status, 2, run)
        self.assertIn("b.mtx: has 3 columns, but lists are tried with one right-hand side", run.err)

    def test_singular_problems_of_the_gallery_get_a_right_hand_side_in_the_range(self):
        for problem in ("NeumannLaplace2D", "NeumannDelaunay2D"):
            for kind in ("ones", "random", "consistent"):
                with self.subTest(f"{problem} {kind}"):
                    self.solved("solve", "--problem", problem, "--nx", "20", "--ny", "31", "--rhs-kind", kind, "--xml", XML / "sa_amg.xml")

    def test_quiet_prints_nothing(self):
        _, run = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--quiet")
        self.assertEqual((run.out, run.err), ("", ""))

    def test_an_indefinite_matrix_is_not_called_converged(self):
        file = self.folder.put("A.mtx", INDEFINITE)
        for solver in ("Pseudo Block CG", "TESSERA CG"):
            xml = self.folder.put("none.xml", stratimikos("None", solver=solver))
            result, run = self.solved("solve", "--matrix", file, "--xml", xml, status=1)
            self.assertEqual(result["status"], "breakdown")
            self.assertRegex(result["reason"], "non-positive|not positive definite")
            self.assertNotRegex(result["reason"], "Throw|\\.[ch]pp")
            self.assertIn(f"breakdown: {result['reason']}", run.out)

    def test_the_history_is_that_of_the_first_repeat(self):
        once, thrice = self.folder.path / "1.csv", self.folder.path / "3.csv"
        for file, repeats in ((once, "1"), (thrice, "3")):
            self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--history", file, "--repeat", repeats)
        self.assertGreater(len(once.read_text().splitlines()), 3)
        self.assertEqual(once.read_text(), thrice.read_text())

    def test_the_first_setup_is_reported_separately(self):
        result, run = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--repeat", "3")
        self.assertIn(f"first setup {result['setup_seconds']['first']:.3f}", run.out)

    def test_other_solvers_of_belos_can_be_chosen(self):
        for solver in ("Block CG", "Block GMRES"):
            file = self.folder.put("list.xml", stratimikos("Tessera", solver=solver))
            result, _ = self.solved("solve", *LAPLACE, "--xml", file)
            self.assertEqual(result["solver"], solver)

    def test_the_linear_solver_tessera_is_the_same(self):
        whole, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg_whole.xml", "--backend", "host")
        belos, _ = self.solved("solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--backend", "host")
        for key in ("solver", "preconditioner", "iterations", "tolerance", "relative_residual", "levels"):
            self.assertEqual(whole[key], belos[key])
        self.assertEqual(whole["transfer_bytes"], {"to_device": 0, "to_host": 0})

    def test_levels_are_in_double_with_a_solver_that_does_not_support_float(self):
        for solver, inside, precision in (("GMRES", "", "double"), ("CG", "", "float"),
                                          ("GMRES", parameter("precision: hierarchy", "string", "float"), "float")):
            file = self.folder.put("list.xml", stratimikos("Tessera", inside, solver=solver))
            _, run = self.solved("solve", *LAPLACE, "--xml", file, "--tol", "1e-11")
            self.assertIn(f"Precision: {precision}", run.out)
            self.assertEqual("started again" in run.out, (solver, precision) == ("GMRES", "float"), run)


    def test_scales_beyond_float_take_the_same_iterations(self):
        A = self.folder.path / "A.mtx"
        self.assertEqual(Run("gallery", "--problem", "Laplace3D", "--nx", "9", "--ny", "9", "--nz", "9", "--out", A).status, 0)
        iterations = set()
        for scale in ("1", "1e45", "1e-45"):
            b = self.folder.put("b.mtx", f"%%MatrixMarket matrix array real general\n729 1\n" + f"{scale}\n" * 729)
            result, _ = self.solved("solve", "--matrix", A, "--rhs", b, "--xml", XML / "sa_amg.xml")
            iterations.add(result["iterations"])
        self.assertEqual(len(iterations), 1, iterations)


class Files(Program):
    def test_solve_reads_the_files_of_gallery(self):
        names = ("A", "b", "B", "X")
        A, b, B, X = (self.folder.path / (name + ".mtx") for name in names)
        size = ["--nx", "5", "--ny", "4", "--nz", "3"]
        run = Run("gallery", "--problem", "Elasticity3D", *size, "--out", A, "--out-rhs", b, "--out-nullspace", B,
                  "--out-coordinates", X)
        self.assertEqual(run.status, 0, run)
        xml = XML / "sa_amg.xml"
        direct, _ = self.solved("solve", "--problem", "Elasticity3D", *size, "--xml", xml)
        read, _ = self.solved("solve", "--matrix", A, "--rhs", b, "--nullspace", B, "--equations", "3", "--xml", xml)
        self.assertEqual((direct["rows"], direct["nonzeros"]), (read["rows"], read["nonzeros"]))
        self.assertLessEqual(abs(direct["iterations"] - read["iterations"]), 3)

    def test_materials_of_nodes_are_read(self):
        problem, points = laplace(self.folder, 20, 2)
        text = "%%MatrixMarket matrix array real general\n400 1\n"
        stripes = self.folder.put("K.mtx", text + "".join(f"{1 if x < 10 else 10000}\n" for x, _ in points))
        iterations = []
        for metric in ("unweighted", "material"):
            xml = self.folder.put(f"{metric}.xml", stratimikos("Tessera", parameter("aggregation: drop scheme", "string", "distance laplacian") +
                                                               parameter("aggregation: distance laplacian metric", "string", metric) +
                                                               parameter("aggregation: drop tol", "double", 0.1) +
                                                               parameter("coarse: max size", "int", 20)))
            result, _ = self.solved("solve", *problem, "--material", stripes, "--xml", xml)
            iterations.append((result["iterations"], result["operator_complexity"]))
        self.assertNotEqual(*iterations)
        run = Run("solve", *problem, "--xml", xml)
        self.assertEqual(run.status, 2, run)
        self.assertIn("numbers of materials for", run.err)
        short = self.folder.put("short.mtx", text.replace("400", "399") + "1\n" * 399)
        self.assertEqual(Run("solve", *problem, "--material", short, "--xml", xml).status, 2)

    def test_compressed_files_are_read_whatever_their_names(self):
        names = ("A", "b", "B")
        files = {name: self.folder.path / (name + ".mtx") for name in names}
        run = Run("gallery", "--problem", "Elasticity3D", "--nx", "5", "--ny", "4", "--nz", "3", "--out", files["A"], "--out-rhs", files["b"],
                  "--out-nullspace", files["B"])
        self.assertEqual(run.status, 0, run)
        results = []
        for pack, suffix in ((bytes, ""), (gzip.compress, ".gz"), (lzma.compress, ".xz"), (lzma.compress, ".txt")):
            A, b, B = (self.folder.put(file.name + suffix, pack(file.read_bytes())) for file in files.values())
            result, _ = self.solved("solve", "--matrix", A, "--rhs", b, "--nullspace", B, "--equations", "3", "--xml", "sa_amg")
            results.append({key: result[key] for key in ("rows", "nonzeros", "levels", "iterations", "relative_residual")})
        self.assertEqual(results[1:], results[:1] * 3)


class Compare(Program):
    @staticmethod
    def lists(*files):
        return [word for file in files for word in ("--xml", file)]

    @staticmethod
    def row(run, name):
        rows = [line for line in run.out.splitlines() if line.split(" ")[0] == name]
        return rows[0] if len(rows) == 1 else f"{len(rows)} rows {name}"

    def test_a_line_for_each_list_and_the_ratio_to_the_best(self):
        names = ["sa_amg", "ifpack2_jacobi", "ifpack2_chebyshev"]
        result, run = self.solved("compare", *LAPLACE, *self.lists(*(XML / (name + ".xml") for name in names)), "--repeat", "2")
        rows = [line for line in run.out.splitlines() if line.split(" ")[0] in names]
        self.assertEqual([row.split()[0] for row in rows], names)
        baselines = [one["total_seconds"]["min"] for one in result["runs"][1:]]
        ratio = result["runs"][0]["total_seconds"]["min"] / min(baselines)
        self.assertIn(f" {ratio:.2f} ", rows[0])
        self.assertIn(f" {result['runs'][0]['setup_seconds']['first']:.3f} ", rows[0])
        self.assertEqual(len(re.findall(r"^\[\d+/6\] ", run.err, re.M)), 6, run)

    def test_one_list_that_does_not_converge_is_status_one(self):
        result, run = self.solved("compare", *LAPLACE, *self.lists(XML / "sa_amg.xml", XML / "ifpack2_jacobi.xml"),
                                  "--max-iterations", "12", status=1)
        self.assertEqual([one["status"] for one in result["runs"]], ["converged", "not converged"])
        self.assertRegex(self.row(run, "ifpack2_jacobi"), "NOT CONVERGED: .* 12, was reached$")

    def test_lists_that_are_refused_leave_the_others_their_figures(self):
        """Each for another reason: malformed, a wrong name, a wrong name that is found in the setup only."""
        good = XML / "sa_amg.xml"
        malformed = self.folder.put("malformed.xml", "<ParameterList>")
        ours = self.folder.put("ours.xml", stratimikos("Tessera", parameter("max level", "int", 3)))
        inside = '<ParameterList name="Ifpack2 Settings">' + parameter("chebyshev: degre", "int", 2) + "</ParameterList>"
        late = self.folder.put("late.xml", stratimikos("Ifpack2", inside))
        result, run = self.solved("compare", *LAPLACE, *self.lists(malformed, late, good, ours), "--repeat", "2", status=2)
        self.assertEqual([one["status"] for one in result["runs"]], ["failed", "failed", "converged", "failed"])
        self.assertEqual([one["preconditioner"] for one in result["runs"]], ["", "Ifpack2", "SA-AMG", ""])
        for i, name, word in ((0, "malformed", ""), (1, "late", "chebyshev: degre"), (3, "ours", "max level")):
            self.assertIn(word, result["runs"][i]["reason"])
            self.assertIn(f"  failed: {' '.join(result['runs'][i]['reason'].split())}", self.row(run, name))
        self.assertRegex(self.row(run, "sa_amg"), r" \d+\.\d+ ")
        self.assertEqual(run.err.count("tessera: "), 3, "each is printed once\n" + str(run))

    def test_a_list_that_fails_by_the_matrix_leaves_the_others_their_figures(self):
        matrix = self.folder.put("A.mtx", INDEFINITE)
        none = self.folder.put("none.xml", stratimikos("None", solver="Block GMRES"))
        result, run = self.solved("compare", "--matrix", matrix, *self.lists(XML / "fsai.xml", none), status=2)
        self.assertEqual([one["status"] for one in result["runs"]], ["failed", "converged"])
        self.assertIn("failed: ", self.row(run, "fsai"))

    def test_without_a_valid_list_nothing_is_solved(self):
        bad = self.folder.put("bad.xml", stratimikos("Tessera", parameter("max level", "int", 3)))
        file = self.folder.path / "o.json"
        run = Run("compare", "--problem", "Laplace3D", *self.lists(bad), "--json", file)
        self.assertEqual((run.status, run.out), (2, ""))
        self.assertFalse(file.exists())

    @unittest.skipUnless({"ML", "MUELU"} - PACKAGES, "ML and MueLu are in this build")
    def test_a_preconditioner_that_is_not_in_this_build_is_no_error(self):
        name = "ML" if "ML" not in PACKAGES else "MueLu"
        absent = self.folder.put("absent.xml", stratimikos(name))
        result, run = self.solved("compare", *LAPLACE, *self.lists(absent, XML / "sa_amg.xml"))
        self.assertEqual([one["status"] for one in result["runs"]], ["failed", "converged"])
        self.assertIn(f"{name} is not in this build", self.row(run, "absent"))
        self.assertEqual(Run("compare", *LAPLACE, *self.lists(absent)).status, 2)

    def test_one_list_does_not_decide_on_the_tolerance_of_all(self):
        strict = self.folder.put("strict.xml", stratimikos("Tessera", solver_inside=parameter("Convergence Tolerance", "double", "1e-12")))
        result, run = self.solved("compare", *LAPLACE, *self.lists(XML / "fsai.xml", strict, XML / "sa_amg.xml"))
        self.assertEqual([one["tolerance"] for one in result["runs"]], [1e-8, 1e-8, 1e-8])
        self.assertIn(f"all are held to 1e-08, which most ask for ({strict} asks for 1e-12); --tol sets another for all", run.out)

    def test_of_two_tolerances_the_stricter_is_for_both(self):
        loose = self.folder.put("loose.xml", stratimikos("Ifpack2", solver_inside=parameter("Convergence Tolerance", "double", "1e-3")))
        lists = self.lists(loose, XML / "sa_amg.xml")
        result, run = self.solved("compare", *LAPLACE, *lists)
        self.assertEqual([one["tolerance"] for one in result["runs"]], [1e-8, 1e-8])
        self.assertLessEqual(max(one["relative_residual"] for one in result["runs"]), 1.001e-8)
        self.assertIn(f"all are held to 1e-08, the strictest of what most ask for ({loose} asks for 0.001); --tol sets another for all", run.out)
        result, run = self.solved("compare", *LAPLACE, *lists, "--tol", "1e-5")
        self.assertEqual([one["tolerance"] for one in result["runs"]], [1e-5, 1e-5])
        self.assertNotIn("asks for", run.out)


class Lists(Program):
    """Every list of xml_params is valid and solves."""

    def test_each_list_solves(self):
        anisotropy = ["--problem", "RotatedAnisotropy2D", "--nx", "30", "--ny", "30", "--eps", "1e-3"]
        files = sorted(XML.glob("*.xml"))
        self.assertGreaterEqual(len(files), 7)
        for file in files:
            package = file.name.split("_")[0].upper()
            if package in ("ML", "MUELU") and package not in PACKAGES:
                continue
            with self.subTest(file.name):
                self.assertEqual(Run("params", "--validate", file).status, 0)
                self.solved("solve", *(anisotropy if "anisotropic" in file.name else LAPLACE), "--xml", file)


class Others(Program):
    def test_help_is_status_zero(self):
        for arguments in (["--help"], ["solve", "--help"], ["compare", "--help"], ["gallery", "--help"]):
            run = Run(*arguments)
            self.assertEqual(run.status, 0, run)
            self.assertIn("--help", run.out)
            self.assertIn("Exit status", run.out)
        self.assertRegex(Run("--version").out, r"^tessera \d+\.\d+")

    def test_info_names_what_is_compiled_in(self):
        run = Run("info")
        self.assertEqual(run.status, 0, run)
        for word in ("Tessera", "Trilinos", "MPI", "compiler", f"ranks        {RANKS}", "threads", "CUDA", "ML", "MueLu",
                     "Stratimikos"):
            self.assertEqual(len(re.findall("^" + word + r"\b", run.out, re.M)), 1, run)

    def test_params_prints_the_table(self):
        for option in ("--list", "--markdown"):
            run = Run("params", option)
            self.assertEqual(run.status, 0, run)
            self.assertEqual(len(re.findall(r"^[ |`]*sa: damping factor", run.out, re.M)), 1)
            for default in "V (unsmoothed: K)", "mis2 (matching: matching)", "(matching: 1.6)":  # of every method
                self.assertIn(default, run.out)

    def test_params_refuses_a_bad_list(self):
        file = self.folder.put("list.xml", stratimikos("Tessera", parameter("max level", "int", 3)))
        run = Run("params", "--validate", file)
        self.assertEqual(run.status, 2, run)
        self.assertIn("max level", run.err)


if __name__ == "__main__":
    unittest.main()
