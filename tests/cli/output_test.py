"""The files of the program are written completely or not at all, and never replace an input; a failed write is an error."""
import json
import os
import subprocess
import unittest

from program import RANKS, TESSERA, XML, Folder, Run, parameter, run_side_by_side, stratimikos

LAPLACE = ["--problem", "Laplace3D", "--nx", "6", "--ny", "6", "--nz", "6"]
SOLVE = ["solve", *LAPLACE, "--xml", XML / "sa_amg.xml"]
OUTPUTS = ("--json", "--history", "--solution")
GALLERY = ["gallery", "--problem", "Elasticity2D", "--nx", "5", "--ny", "5"]
GALLERY_OUTPUTS = ("--out", "--out-rhs", "--out-nullspace", "--out-coordinates")


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)

    def names(self):
        return sorted(path.name for path in self.folder.path.iterdir())

    def ends(self, status, *arguments):
        run = Run(*arguments)
        self.assertEqual(run.status, status, run)
        self.assertLessEqual(run.err.count("tessera: "), 1, f"printed more than once:\n{run}")
        return run

    def test_a_full_disk_is_an_error(self):
        for option in OUTPUTS:
            run = self.ends(2, *SOLVE, option, "/dev/full")
            self.assertIn("/dev/full: cannot be written to its end (No space left on device)", run.err)
        run = self.ends(2, "compare", *SOLVE[1:], "--json", "/dev/full")
        self.assertIn("No space left", run.err)
        for option in GALLERY_OUTPUTS:
            out = [] if option == "--out" else ["--out", self.folder.path / "A.mtx"]
            self.assertIn("No space left", self.ends(2, *GALLERY, *out, option, "/dev/full").err)

    @unittest.skipIf(RANKS > 1, "mpiexec passes output on")
    def test_standard_output_on_a_full_disk_is_an_error(self):
        for arguments in (SOLVE, ["--help"], ["--version"], ["info"], ["params", "--list"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([TESSERA, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("standard output cannot be written to its end", done.stderr)

    def test_files_appear_complete_and_alone(self):
        old = self.folder.put("o.json", "old")
        self.ends(0, *SOLVE, "--json", old, "--history", self.folder.path / "h.csv", "--solution", self.folder.path / "x.mtx")
        self.assertEqual(self.names(), ["h.csv", "o.json", "x.mtx"])
        self.assertEqual(json.loads(old.read_text())["status"], "converged")

    def test_bad_input_leaves_no_file_and_no_change(self):
        bad = self.folder.put("bad.xml", stratimikos("Tessera", parameter("max level", "int", 3)))
        old = self.folder.put("old.json", "old")
        for file in (old, self.folder.path / "new.json"):
            self.ends(2, "solve", *LAPLACE, "--xml", bad, "--json", file, "--history", self.folder.path / "h.csv")
        self.assertEqual(self.names(), ["bad.xml", "old.json"])
        self.assertEqual(old.read_text(), "old")

    def test_an_input_is_never_overwritten(self):
        xml = self.folder.put("mine.xml", (XML / "sa_amg.xml").read_text())
        matrix, rhs = self.folder.path / "A.mtx", self.folder.path / "b.mtx"
        self.ends(0, *GALLERY, "--out", matrix, "--out-rhs", rhs)
        (self.folder.path / "soft.xml").symlink_to("mine.xml")
        os.link(xml, self.folder.path / "hard.xml")
        spelt = self.folder.path / ".." / self.folder.path.name / "." / "mine.xml"
        before = {path.name: path.read_bytes() for path in self.folder.path.iterdir()}
        solve = ["solve", "--matrix", matrix, "--rhs", rhs, "--xml", xml]
        for option in OUTPUTS:
            for name in ("mine.xml", "soft.xml", "hard.xml", spelt):
                self.assertIn("is the file of --list", self.ends(2, *solve, option, self.folder.path / name).err)
            self.assertIn("is the file of --matrix", self.ends(2, *solve, option, matrix).err)
        self.assertIn("is the file of --rhs", self.ends(2, *solve, "--solution", rhs).err)
        self.assertIn("is the file of --list", self.ends(2, "compare", *SOLVE[1:], "--xml", xml, "--json", spelt).err)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.path.iterdir()}, before)

    def test_two_outputs_are_two_files(self):
        file = self.folder.path / "o"
        self.assertIn("--json", self.ends(2, *SOLVE, "--json", file, "--history", self.folder.path / "." / "o").err)
        self.assertIn("--out", self.ends(2, *GALLERY, "--out", file, "--out-rhs", file).err)
        self.assertEqual(self.names(), [])
        self.ends(0, *SOLVE, "--json", "/dev/null", "--history", "/dev/null")

    def test_missing_data_of_the_gallery_are_reported_before_any_write(self):
        self.ends(2, "gallery", "--problem", "Laplace2D", "--out", self.folder.path / "A.mtx", "--out-nullspace",
                  self.folder.path / "B.mtx")
        self.assertEqual(self.names(), [])

    @unittest.skipIf(RANKS > 1, "mpiexec passes output on")
    def test_files_may_be_standard_output_and_pipes(self):
        done = Run(*SOLVE, "--quiet", "--json", "/dev/stdout")
        self.assertEqual(json.loads(done.out)["status"], "converged")
        shell = subprocess.run(["bash", "-c", '"$0" "$@" --quiet --json >(cat) | cat', TESSERA, *map(str, SOLVE)],
                               capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(shell.stdout)["status"], "converged")
        out = self.folder.path / "out"
        with open(out, "w", encoding="utf-8") as stream:
            subprocess.run([TESSERA, *map(str, SOLVE), "--json", "/dev/stdout"], stdout=stream, stderr=subprocess.DEVNULL, check=True)
        text = out.read_text()
        self.assertTrue(text.startswith("Laplace3D: 216 rows"), text)
        self.assertEqual(json.loads(text[text.index("\n{"):])["status"], "converged")


if __name__ == "__main__":
    run_side_by_side(Outputs)
