"""Every preset on several hosts: levels, iterations and files are those of one host with the same number of ranks. TESSERA_BACKEND=cuda:
on two hosts with a GPU each."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from hosts import Hosts, why_not

TESSERA = os.environ["TESSERA"]
XML = pathlib.Path(os.environ["TESSERA_XML"])
MPIEXEC = os.environ["TESSERA_MPIEXEC"].split(";")
BACKEND = os.environ.get("TESSERA_BACKEND", "host")
GPUS = BACKEND == "cuda"
LAYOUTS = [(2, 1)] if GPUS else [(2, 1), (2, 2), (4, 1)]  # hosts, ranks on each
PROBLEMS = {
    "scalar": ["--problem", "Laplace3D", "--nx", "14", "--ny", "13", "--nz", "12"],
    "elastic": ["--problem", "Elasticity3D", "--nx", "6", "--ny", "6", "--nz", "5"],
    "singular": ["--problem", "NeumannLaplace2D", "--nx", "24", "--ny", "22"],
}
SOLVED = ("status", "iterations", "levels", "operator_complexity", "relative_residual")


OWN = '<ParameterList name="Tessera">'
# So that levels of small problems lie on several ranks.
SMALL = ('<Parameter name="coarse: max size" type="int" value="60"/>'
         '<Parameter name="repartition: min rows per proc" type="int" value="100"/>')


def presets(problem):
    """Tessera's presets for this problem: names and texts."""
    others = ("ml_", "muelu_", "ifpack2_") + (("classical",) if problem == "elastic" else ())
    for xml in sorted(XML.glob("*.xml")):
        text = xml.read_text()
        if xml.stem.startswith(others) or GPUS and 'value="IFPACK2"' in text:
            continue
        head, own, tail = text.rpartition(OWN)
        yield xml.stem, text if 'value="fsai"' in text else head + own + SMALL + tail


class OnHosts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tessera(self, hosts, ranks, *arguments):
        """The JSON of the program on these hosts (None: one host)."""
        file = self.folder / "result.json"
        program = [TESSERA, *map(str, arguments), "--backend", BACKEND, "--json", str(file)]
        if hosts is None:
            done = subprocess.run([*MPIEXEC, str(ranks), *program], capture_output=True, text=True, timeout=300)
        else:
            done = hosts.run(program, ranks // hosts.count)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        result = json.loads(file.read_text())
        file.unlink()
        return result

    def on_each_layout(self, check):
        for count, ranks in LAYOUTS:
            with self.subTest(hosts=count, ranks=ranks), Hosts(count, gpus=GPUS) as hosts:
                check(hosts, count * ranks)

    def test_presets_give_the_levels_and_iterations_of_one_host(self):
        def check(hosts, ranks):
            for problem, words in PROBLEMS.items():
                lists = []
                for name, text in presets(problem):
                    lists += ["--xml", str(self.folder / f"{name}.xml")]
                    (self.folder / f"{name}.xml").write_text(text)
                alone = self.tessera(None, ranks, "compare", *words, *lists)["runs"]
                spread = self.tessera(hosts, ranks, "compare", *words, *lists)["runs"]
                self.assertEqual(len(spread), len(lists) // 2)
                self.assertEqual({run["backend"] for run in spread}, {BACKEND})
                self.assertIn("converged", {run["status"] for run in spread})
                for one, several in zip(alone, spread):
                    with self.subTest(problem=problem, xml=one["xml"]):
                        self.assertEqual({key: several[key] for key in SOLVED}, {key: one[key] for key in SOLVED})

        self.on_each_layout(check)

    def test_several_columns_and_repeated_setups(self):
        words = [*PROBLEMS["scalar"], "--columns", "3", "--repeat", "2"]

        def check(hosts, ranks):
            for xml in ("sa_amg", "ua_amg_kcycle", "fsai"):
                one = self.tessera(None, ranks, "solve", *words, "--xml", xml)
                several = self.tessera(hosts, ranks, "solve", *words, "--xml", xml)
                self.assertEqual({key: several[key] for key in SOLVED}, {key: one[key] for key in SOLVED}, xml)

        self.on_each_layout(check)

    def test_a_setup_saved_on_one_host_is_loaded_on_several(self):
        def check(hosts, ranks):
            for xml in ("sa_amg", "matching_amg", "fsai"):
                file = self.folder / xml
                saved = self.tessera(None, ranks, "solve", *PROBLEMS["scalar"], "--xml", xml, "--save", file)
                loaded = self.tessera(hosts, ranks, "solve", *PROBLEMS["scalar"], "--xml", xml, "--load", file)
                for key in ("iterations", "levels", "relative_residual"):
                    self.assertEqual(loaded[key], saved[key], xml)

        self.on_each_layout(check)

    def test_each_rank_is_on_the_host_that_was_asked_for(self):
        with Hosts(3) as hosts:
            names = hosts.run(["hostname"], ranks=2).stdout.split()
        self.assertEqual(sorted(names), sorted(2 * [f"tessera-host-{host}" for host in (1, 2, 3)]))


if __name__ == "__main__":
    if reason := why_not():
        print("skipped, no hosts can be made here: " + reason)
        sys.exit(77)
    unittest.main()
