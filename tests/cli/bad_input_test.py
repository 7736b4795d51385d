"""Bad input: exit status 2 and a message with the file, the line or the parameter; no hang on several ranks."""
import gzip
import lzma
import re
import unittest

from program import PACKAGES, RANKS, XML, Folder, Run, parameter, stratimikos, run_side_by_side

LAPLACE = ["--problem", "Laplace3D", "--nx", "6", "--ny", "6", "--nz", "6"]
MATRIX = "%%MatrixMarket matrix coordinate real general\n"
GOOD = MATRIX + "3 3 7\n1 1 2\n2 2 2\n3 3 2\n1 2 -1\n2 1 -1\n2 3 -1\n3 2 -1\n"


class BadInput(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def refused(self, arguments, *fragments):
        run = Run(*arguments)
        self.assertEqual(run.status, 2, run)
        for fragment in fragments:
            self.assertIn(fragment, run.err, run)
        if RANKS > 1:
            self.assertLessEqual(run.err.count("tessera: "), 1, f"printed more than once:\n{run}")
        return run

    def refused_list(self, text, *fragments):
        file = self.folder.put("list.xml", text)
        self.refused(["solve", *LAPLACE, "--xml", file], str(file), *fragments)

    def refused_ours(self, inside, *fragments):
        self.refused_list(stratimikos("Tessera", inside), *fragments)

    def refused_matrix(self, text, *fragments, extra=()):
        file = self.folder.put("A.mtx", text)
        self.refused(["solve", "--matrix", file, *extra, "--xml", XML / "sa_amg.xml"], *fragments)

    # The command line

    def test_no_subcommand(self):
        self.refused([], "subcommand")

    def test_an_option_that_does_not_exist(self):
        self.refused(["solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--tolerence", "1e-3"], "--tolerence",
                     "did you mean \"--tol\"?")

    def test_a_subcommand_that_does_not_exist(self):
        self.refused(["solv", *LAPLACE], "there is no subcommand solv", "did you mean \"solve\"?")

    def test_neither_problem_nor_matrix(self):
        self.refused(["solve", "--xml", XML / "sa_amg.xml"], "--problem")

    def test_both_problem_and_matrix(self):
        self.refused(["solve", *LAPLACE, "--matrix", "A.mtx", "--xml", XML / "sa_amg.xml"], "--matrix")

    def test_a_problem_that_the_gallery_does_not_have(self):
        self.refused(["solve", "--problem", "Laplase3D", "--xml", XML / "sa_amg.xml"], "Laplase3D", "Laplace3D")

    def test_a_grid_without_points(self):
        self.refused(["solve", "--problem", "Laplace2D", "--nx", "0", "--xml", XML / "sa_amg.xml"], "nx")

    def test_an_option_of_another_problem(self):
        self.refused(["solve", *LAPLACE, "--sigma", "2", "--xml", XML / "sa_amg.xml"], "sigma", "Laplace3D")

    def test_a_tolerance_above_one(self):
        self.refused(["solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--tol", "2"], "--tol", "1e-16 to below 1")

    def test_an_option_of_a_problem_out_of_range(self):
        self.refused(["solve", "--problem", "RotatedAnisotropy2D", "--eps", "-0.1", "--xml", XML / "sa_amg.xml"],
                     "--eps -0.1 is not a positive number")

    def test_a_file_that_cannot_be_written(self):
        file = self.folder.path / "nowhere" / "o.json"
        self.refused(["solve", *LAPLACE, "--xml", XML / "sa_amg.xml", "--json", file], str(file))

    # Lists

    def test_a_missing_list(self):
        self.refused(["solve", *LAPLACE, "--xml", self.folder.path / "no.xml"], "no.xml", "the presets in", "sa_amg, ")
        self.refused(["params", "--validate", "sa_agm"], "sa_agm: there is no such file", 'did you mean "sa_amg"')

    def test_no_list_at_all(self):
        for command in "solve", "compare":
            self.refused([command, *LAPLACE], "--list is required", "the presets in", "fsai, ", "ua_amg_paper")

    def test_a_list_that_would_be_overwritten(self):
        self.refused(["solve", *LAPLACE, "--xml", "sa_amg", "--json", XML / "sa_amg.xml"], "is the file of --list")

    def test_options_without_effect(self):
        A, b = self.folder.put("A.mtx", GOOD), self.folder.put("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n")
        files = ["--matrix", A, "--xml", XML / "sa_amg.xml"]
        for option in "--nx", "--eps", "--seed", "--refinements":
            self.refused(["solve", *files, option, "3"], f"{option} would have no effect", "--matrix")
            self.refused(["compare", *files, option, "3"], f"{option} would have no effect", "--matrix")
        self.refused(["solve", *files, "--rhs", b, "--rhs-kind", "ones"], "--rhs-kind would have no effect", "--rhs is given")
        self.refused(["solve", *files, "--rhs", b, "--columns", "2"], "--columns would have no effect", "--rhs is given")
        self.refused(["gallery", *LAPLACE, "--rhs-kind", "random", "--out", self.folder.path / "G.mtx"],
                     "--rhs-kind would have no effect", "--out-rhs")

    def test_malformed_xml(self):
        self.refused_list("<ParameterList>\n<Parameter name=\n</ParameterList>\n")

    def test_a_misspelt_parameter(self):
        self.refused_ours(parameter("smother: sweeps", "int", 2), "smother: sweeps", "did you mean", "smoother: sweeps")

    def test_a_parameter_of_the_wrong_type(self):
        self.refused_ours(parameter("max levels", "string", "many"), "max levels")

    def test_a_number_with_a_tail(self):
        self.refused_ours(parameter("max levels", "int", "3x"), "list.xml:1", "3x")

    def test_a_word_for_a_number(self):
        self.refused_ours(parameter("aggregation: drop tol", "double", "abc"), "list.xml:1", "abc")

    def test_a_parameter_given_twice(self):
        self.refused_ours(parameter("max levels", "int", 3) + parameter("max levels", "int", 4), "max levels")

    def test_a_value_out_of_range(self):
        self.refused_ours(parameter("max levels", "int", 0), "max levels", "0")

    def test_parameters_of_a_sparse_inverse_out_of_range(self):
        for name, kind, value, allowed in (("prefilter tolerance", "double", "1.0", "0 to below 1"),
                                           ("postfilter tolerance", "double", "-0.1", "0 to below 1"),
                                           ("pattern level", "int", "21", "0 to 20"),
                                           ("max row size", "int", "1025", "0 to 1024")):
            self.refused_ours(parameter("multigrid algorithm", "string", "fsai") + parameter("fsai: " + name, kind, value),
                              "fsai: " + name, allowed)

    def test_a_parameter_of_a_hierarchy_for_a_sparse_inverse(self):
        self.refused_ours(parameter("multigrid algorithm", "string", "fsai") + parameter("max levels", "int", "3"),
                          "max levels", "would have no effect")

    def test_a_sparse_inverse_of_a_matrix_that_is_not_positive_definite(self):
        file = self.folder.put("A.mtx", MATRIX + "2 2 4\n1 1 1\n2 2 1\n1 2 2\n2 1 2\n")
        self.refused(["solve", "--matrix", file, "--xml", XML / "fsai.xml"], "row 1", "positive definite")

    def test_an_unknown_choice(self):
        self.refused_ours(parameter("cycle type", "string", "X"), "cycle type", "X")

    def test_an_unknown_preconditioner(self):
        self.refused_list(stratimikos("Tesera"), "Tesera")

    def test_a_solver_that_belos_does_not_have(self):
        self.refused_list(stratimikos("Tessera", solver="Pseudo Block CQ"), "Pseudo Block CQ")

    def test_the_suggested_solvers_are_accepted(self):
        run = Run("params", "--validate", self.folder.put("list.xml", stratimikos("Tessera", solver="No Such")))
        names = re.search("choose one of (.*)", run.err)[1].split(", ")
        self.assertGreater(len(names), 10)
        for name in names:
            run = Run("params", "--validate", self.folder.put("list.xml", stratimikos("Tessera", solver=name)))
            self.assertEqual(run.status, 0, run)

    def test_a_misspelt_parameter_of_belos(self):
        self.refused_list(stratimikos("Tessera", solver_inside=parameter("Convergence Tolerence", "double", "1e-3")),
                          "Convergence Tolerence")

    def test_a_parameter_of_a_solver_of_the_wrong_type(self):
        for solver in "TESSERA CG", "Pseudo Block CG":
            for name, kind, value in (("Convergence Tolerance", "string", "abc"), ("Convergence Tolerance", "string", "1e-3"),
                                      ("Convergence Tolerance", "int", "1"), ("Maximum Iterations", "string", "100")):
                self.refused_list(stratimikos("Tessera", solver=solver, solver_inside=parameter(name, kind, value)),
                                  f"Solver Types->{solver}", name, "its type must be")

    def test_a_parameter_of_a_solver_out_of_its_range(self):
        for solver, name, kind, value, fragment in (("TESSERA CG", "Maximum Replacements", "int", "-1", "Maximum Replacements"),
                                                ("Block GMRES", "Num Blocks", "int", "0", "Num Blocks"),
                                                ("Block GMRES", "Orthogonalization", "string", "Gram", "ICGS"),
                                                ("GCRODR", "Output Style", "int", "2", "status tests"),
                                                ("Pseudo Block CG", "Deflation Quorum", "int", "0", "at least 1")):
            self.refused_list(stratimikos("Tessera", solver=solver, solver_inside=parameter(name, kind, value)),
                              f"Solver Types->{solver}", fragment)

    def test_a_solver_without_stopping_criterion(self):
        self.refused_list(stratimikos("Tessera", solver="Hybrid Block GMRES"), "Hybrid Block GMRES", "Convergence Tolerance")

    def test_parameters_that_another_package_refuses(self):
        chebyshev = (XML / "ifpack2_chebyshev.xml").read_text()
        for good, bad, fragment in (('type="int" value="4"', 'type="int" value="-4"', "chebyshev: degree"),
                                ('value="30.0"', 'value="0.0"', "chebyshev: ratio eigenvalue")):
            self.refused_list(chebyshev.replace(good, bad), "Preconditioner Types -> Ifpack2", fragment)
        endless = chebyshev.replace('type="int" value="4"', 'type="int" value="2147483647"')
        self.refused_list(endless, "Ifpack2 Settings", "chebyshev: degree", "at most 100000")

    @unittest.skipUnless("ML" in PACKAGES, "ML is not in this build")
    def test_parameters_for_which_ml_would_end_the_process(self):
        ml = (XML / "ml_sa_chebyshev.xml").read_text()
        for name, kind, value, fragment in (("smoother: type", "string", "none such", "smoother: type"),
                                        ("coarse: type", "string", "none such", "coarse: type"),
                                        ("smoother: sweeps", "int", "-5", "smoother: sweeps"),
                                        ("max levels", "int", "0", "max levels"),
                                        ("PDE equations", "int", "0", "PDE equations"),
                                        ("aggregation: type", "string", "user", "aggregation: type"),
                                        ("viz: enable", "bool", "true", "viz: enable"),
                                        ("smoother: type", "string", "Hiptmair", "->ML->ML Settings: ML has ended the program")):
            self.refused_list(re.sub(f'<Parameter name="{name}".*/>', "", ml).replace(
                '<ParameterList name="ML Settings">', '<ParameterList name="ML Settings">' + parameter(name, kind, value)), fragment)

    def test_parameters_one_level_too_high(self):
        good = stratimikos("Tessera")
        levels, tolerance = parameter("max levels", "int", 3), parameter("Convergence Tolerance", "double", "1e-3")
        for name, inside in (("Preconditioner Types", levels), ("Solver Types", tolerance)):
            opening = f'<ParameterList name="{name}">'
            self.refused_list(good.replace(opening, opening + inside), name + " -> ", "would have no effect")

    def test_a_sublist_of_another_solver_than_the_one_named(self):
        self.refused_list(stratimikos("Tessera").replace('<ParameterList name="Pseudo Block CG">', '<ParameterList name="Block CG">'),
                          'Solver Types -> "Block CG"', "Pseudo Block CG")

    def test_text_that_is_not_xml(self):
        good = stratimikos("Tessera")
        opening = '<ParameterList name="Tessera">'
        self.refused_list(good.replace(opening, opening + "\n# " + parameter("max levels", "int", 3)), "list.xml:2", "#")
        self.refused_list(good.replace(opening, opening + "\n<!-- \0 -->"), "list.xml:2", "UTF-8")
        self.refused_list('<ParameterList name="a">' * 10000 + "</ParameterList>" * 10000, "nested")
        self.refused_list(good.replace(opening, opening + parameter("m" * 1000000, "int", 3)), "1000000 bytes")

    def test_a_solver_package_that_is_not_belos(self):
        self.refused_list(stratimikos("Tessera").replace('value="Belos"', 'value="AztecOO"', 1), "AztecOO")

    def test_parameters_that_the_linear_solver_tessera_refuses(self):
        def whole(text):
            return text.replace('value="Belos"', 'value="Tessera"').replace('<ParameterList name="Belos">', '<ParameterList name="Tessera">')
        self.refused_list(whole(stratimikos("Ifpack2")), '"Ifpack2"', "Tessera or None")
        self.refused_list(whole(stratimikos("Tessera", solver_inside=parameter("Convergence Tolerence", "double", "1e-3"))),
                          "Linear Solver Types->Tessera->Solver Types", "did you mean")
        self.refused_list(stratimikos("Tessera").replace('value="Belos"', 'value="Tessera"'), '"Belos"', "would have no effect")
        self.refused_list(stratimikos("Tessera").replace('value="Belos"', 'value="Tesera"'), "did you mean", '"Tessera"')

    def test_a_name_that_stratimikos_does_not_know(self):
        self.refused_list(stratimikos("Tessera", frame=parameter("Preconditioner Typ", "string", "ML")),
                          "Preconditioner Typ")

    def test_a_misspelt_parameter_of_ifpack2(self):
        inside = '<ParameterList name="Ifpack2 Settings">' + parameter("chebyshev: degre", "int", 2) + "</ParameterList>"
        self.refused_list(stratimikos("Ifpack2", inside), "chebyshev: degre")

    @unittest.skipUnless("ML" in PACKAGES, "ML is not in this build")
    def test_a_misspelt_parameter_of_ml(self):
        inside = '<ParameterList name="ML Settings">' + parameter("smother: type", "string", "Chebyshev") + "</ParameterList>"
        self.refused_list(stratimikos("ML", inside), "smother: type")

    @unittest.skipUnless("MUELU" in PACKAGES, "MueLu is not in this build")
    def test_a_misspelt_parameter_of_muelu(self):
        file = self.folder.put("list.xml", stratimikos("MueLu", parameter("smother: type", "string", "CHEBYSHEV")))
        run = self.refused(["solve", *LAPLACE, "--xml", file], str(file), "smother: type", "Did you mean \"smoother: type\"?")
        self.assertNotRegex(run.out + run.err, "Throw|\\.[ch]pp|reuse: type")

    def test_a_missing_gpu(self):
        if "\ndevice 0" in Run("info").out:
            self.skipTest("there is a GPU")
        for command in ("solve", "compare"):
            self.refused([command, *LAPLACE, "--xml", XML / "sa_amg.xml", "--backend", "cuda"], "sa_amg.xml",
                         "`backend: type` is cuda, but", "CUDA", "auto or host")

    def test_a_gpu_for_a_preconditioner_on_the_host(self):
        inside = parameter("backend: type", "string", "host") + parameter("backend: device", "int", 0)
        self.refused_ours(inside, "backend: device", "would have no effect")

    # Files of numbers

    def test_a_missing_matrix(self):
        self.refused(["solve", "--matrix", self.folder.path / "no.mtx", "--xml", XML / "sa_amg.xml"], "no.mtx")

    def test_a_matrix_with_fewer_entries_than_its_header(self):
        self.refused_matrix(MATRIX + "3 3 7\n1 1 2\n2 2 2\n", "A.mtx")

    def test_a_matrix_with_an_index_out_of_range(self):
        self.refused_matrix(MATRIX + "3 3 3\n1 1 2\n2 2 2\n4 3 2\n", "A.mtx:5")

    def test_a_matrix_with_a_word_for_a_value(self):
        self.refused_matrix(MATRIX + "2 2 2\n1 1 one\n2 2 2\n", "A.mtx:3")

    def test_a_matrix_with_nan(self):
        self.refused_matrix(MATRIX + "2 2 2\n1 1 nan\n2 2 2\n", "A.mtx:3")

    def test_a_matrix_with_an_entry_twice(self):
        self.refused_matrix(MATRIX + "2 2 3\n1 1 2\n2 2 2\n1 1 2\n", "A.mtx")

    def test_a_matrix_without_banner(self):
        self.refused_matrix("2 2 2\n1 1 2\n2 2 2\n", "A.mtx")

    def test_compressed_files_that_are_cut_short_or_damaged(self):
        self.refused_matrix(gzip.compress(GOOD.encode())[:-9], "A.mtx: is compressed with gzip, but ends before its data do")
        self.refused_matrix(lzma.compress(GOOD.encode()) + b"rest", "A.mtx: is compressed with xz, but has other bytes after")
        file = self.folder.put("b.mtx.gz", gzip.compress(b"%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n")[:-5] + b"wrong")
        self.refused_matrix(GOOD, "b.mtx.gz: is compressed with gzip, but is damaged", extra=["--rhs", file])

    def test_a_complex_matrix(self):
        self.refused_matrix("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 0\n", "A.mtx", "complex")

    def test_a_rectangular_matrix(self):
        self.refused_matrix(MATRIX + "2 3 2\n1 1 2\n2 2 2\n", "A.mtx")

    def test_a_right_hand_side_of_another_length(self):
        file = self.folder.put("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n")
        self.refused_matrix(GOOD, "b.mtx", extra=["--rhs", file])

    def test_a_near_nullspace_of_another_length(self):
        file = self.folder.put("B.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n")
        self.refused_matrix(GOOD, "B.mtx", extra=["--nullspace", file])

    def test_a_near_nullspace_of_zeros(self):
        file = self.folder.put("B.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n")
        self.refused_matrix(GOOD, "near-nullspace is zero in column 0", extra=["--nullspace", file])

    def test_a_diagonal_whose_inverse_is_beyond_float(self):
        self.refused_matrix(MATRIX + "2 2 2\n1 1 2\n2 2 1e-50\n", "diagonal entry 1e-50", "`precision: hierarchy` to double")


if __name__ == "__main__":
    run_side_by_side(BadInput)
