"""docs/stability.md compared with the code: every promised name exists. New names need not be promised."""
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
from program import TESSERA, XML, Folder, Run  # noqa: E402

PAGE = (ROOT / "docs/stability.md").read_text(encoding="utf-8")
WHAT_TO_DO = """
docs/stability.md promises these names to users from 1.0 on, and the code no longer has them. Give them back: a parameter or a choice
that is now called otherwise keeps its name as a second one (`aliases` or `retired` of its row in packages/settings/table.cpp), a method in
its `keys` (packages/settings/settings.cpp), a class or a function as an alias in its header, a key of JSON beside the new one
(src/cli/report_json.cpp). To take a promise back is a new major version: only then change the page and CHANGELOG.md."""


def section(page, title):
    """The indented lines of a section as lists of their parts between colons."""
    text = page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    return [[part.strip() for part in line.split(" :")] for line in text.splitlines() if line.startswith("    ")]


def words(text):
    return [word.strip() for word in text.split(",") if word.strip()]


def promised_parameters(page):
    """{name: (type, choices)}, second names included."""
    found = {}
    for name, *rest in section(page, "Parameters"):
        rest, _, seconds = " : ".join(rest).partition(";")
        kind, _, choices = rest.partition(" : ")
        for one in [name, *words(seconds)]:
            found[one] = (kind.strip(), words(choices) if one == name else [])
    return found


def known_parameters(markdown):
    """The same from the output of `tessera params --markdown`."""
    found = {}
    for name, kind, allowed, meaning in re.findall(r"^\| `([^`]+)` \| (\w+) \| .*? \| (.*?) \| (.*) \|$", markdown, re.M):
        found[name] = (kind, words(allowed))
        also = meaning.partition(" Also: ")[2]
        found.update({other: (kind, []) for other in re.findall(r"`([^`]+)`", also)})
    return found


def missing_parameters(promised, known):
    missing = []
    for name, (kind, choices) in promised.items():
        if name not in known:
            missing.append(f"parameter `{name}`")
            continue
        if known[name][0] != kind:
            missing.append(f"parameter `{name}` of type {kind} (it is {known[name][0]})")
        missing += [f"`{name}` = {choice}" for choice in choices if choice not in known[name][1]]
    return missing


class Stability(unittest.TestCase):
    maxDiff = None

    def nothing_missing(self, missing):
        self.assertEqual(missing, [], WHAT_TO_DO)

    def test_parameters(self):
        promised = promised_parameters(PAGE)
        self.assertGreater(len(promised), 80)
        printed = subprocess.run([TESSERA, "params", "--markdown"], capture_output=True, text=True, check=True).stdout
        self.nothing_missing(missing_parameters(promised, known_parameters(printed)))

    def test_names_of_methods_and_solvers(self):
        names = [name for first, *others in section(PAGE, "Names of methods and solvers") for name in [first, *words("".join(others))]]
        self.assertGreater(len(names), 10)
        tables = "".join((ROOT / file).read_text() for file in ("packages/settings/settings.cpp", "src/belos/Tessera_BelosSolvers.cpp"))
        self.nothing_missing([name for name in names if f'"{name}"' not in tables])

    def test_headers_and_what_they_declare(self):
        rows = section(PAGE, "Headers")
        self.assertGreater(len(rows), 10)
        missing = []
        for header, names in rows:
            files = list(ROOT.glob(f"src/*/{header}"))
            text = re.sub(r"//.*", "", files[0].read_text()) if files else ""
            missing += [f"{header}: {name}" for name in words(names) if not re.search(rf"\b{name}\b", text)]
        self.nothing_missing(missing)

    def test_keys_of_json(self):
        promised = {}
        for place, keys in section(PAGE, "JSON of solve and compare"):
            promised.setdefault(place, []).extend(words(keys))
        folder = Folder()
        self.addCleanup(folder.close)
        file = folder.path / "o.json"
        found = {}
        for place, lists in (("fsai", ["fsai"]), ("compare", ["sa_amg", "ua_amg"]), ("solve", ["sa_amg"])):
            run = Run("compare" if len(lists) > 1 else "solve", "--problem", "Laplace2D", "--nx", "20", "--ny", "20",
                      *(word for name in lists for word in ("--xml", XML / f"{name}.xml")), "--json", file)
            self.assertEqual(run.status, 0, run)
            found[place] = json.loads(file.read_text())
        solve, fsai = found["solve"], found["fsai"]["fsai"]
        places = {**found, "solve": {**solve, "fsai": fsai}, "fsai": fsai, "levels": solve["levels"][0], "setup_seconds": solve["setup_seconds"],
                  "solve_seconds": solve["solve_seconds"]}
        self.assertEqual(set(promised), set(places))
        self.nothing_missing([f"JSON, {place}: {key}" for place, keys in promised.items() for key in keys if key not in places[place]])


class WhatIsMissed(unittest.TestCase):
    """The test detects missing names."""

    PAGE = "# x\n\n## Parameters\n\nWords.\n\n    a: b : int ; old\n    c : string : x, y\n\n## Other\n"

    def test_names_types_and_choices_that_are_gone(self):
        promised = promised_parameters(self.PAGE)
        self.assertEqual(promised, {"a: b": ("int", []), "old": ("int", []), "c": ("string", ["x", "y"])})
        table = "| `a: b` | int | 1 | 0 to 2 | It. Also: `old`. |\n| `c` | string | x | x, y, z | It. |\n"
        self.assertEqual(missing_parameters(promised, known_parameters(table)), [])
        self.assertEqual(missing_parameters(promised, known_parameters(table.replace(" Also: `old`.", "").replace("x, y, z", "x, z"))),
                         ["parameter `old`", "`c` = y"])
        self.assertEqual(missing_parameters(promised, known_parameters(table.replace("int", "double", 1).replace("| `c`", "| `d`"))),
                         ["parameter `a: b` of type int (it is double)", "parameter `old` of type int (it is double)", "parameter `c`"])
        self.assertEqual(missing_parameters(promised, known_parameters(table + "| `new` | int | 1 | 0 to 2 | It. |\n")), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
