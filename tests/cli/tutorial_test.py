"""The commands of docs/tutorial.md run in its order in one folder and print the figures that it quotes."""
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from program import MPIEXEC, SECONDS, TESSERA

TUTORIAL = pathlib.Path(__file__).resolve().parents[2] / "docs/tutorial.md"


def commands():
    return [line.strip() for line in TUTORIAL.read_text(encoding="utf-8").splitlines() if re.match(r"    (mpirun|tessera) ", line)]


def words(command):
    """As a user types it, with the paths of the program and of MPI's launcher."""
    all_words = shlex.split(command)
    if all_words[0] == "mpirun":
        all_words = [*MPIEXEC, *all_words[2:]]
    return [TESSERA if word == "tessera" else word for word in all_words]


class Tutorial(unittest.TestCase):
    def test_its_commands_run_and_print_its_figures(self):
        text = TUTORIAL.read_text(encoding="utf-8")
        self.assertEqual(len(commands()), text.count("\n## "))  # one a step
        with tempfile.TemporaryDirectory() as folder:
            output = {}
            for command in commands():
                done = subprocess.run(words(command), cwd=folder, capture_output=True, text=True, timeout=SECONDS)
                self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
                output[command.split("tessera ")[1].split()[0], "mpirun" in command] = done.stdout
            for name in ("A.mtx", "b.mtx", "report.html", "mine.xml", "result.json"):
                self.assertTrue((pathlib.Path(folder) / name).stat().st_size > 0, name)
        iterations = int(re.search(r"converges, in (\d+) iterations", text)[1])
        self.assertIn(f"converged in {iterations} iterations", output["solve", False])
        for line in re.findall(r"^    (\S+ +(?:SA|UA|MATCHING)-AMG +\d+)", text, re.MULTILINE):
            self.assertIn(line, output["compare", False])
        for line in re.findall(r"^    (# +\d+ +\d+ +\d+)", text, re.MULTILINE):  # rows and entries of each level
            self.assertIn(line, output["solve", False])


if __name__ == "__main__":
    unittest.main()
