#!/usr/bin/env python3
"""Every header of packages/ and every public header of src/ compiles alone. Run by ctest: headers_test.py COMPILE_COMMANDS.

A header that a source includes first has been compiled alone with that source, and so has the header that such a header includes first.
The others are compiled here, without an object; cmake/check_cache.py keeps what passed.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
import check_cache  # noqa: E402

COMMANDS = sys.argv.pop(1) if len(sys.argv) > 1 else ""
COMPILE = {"packages": "packages/multigrid/smoother.cpp", "src": "src/tpetra/import_matrix.cpp"}  # whose flags headers there are compiled with


def first_include(path):
    """The file of this tree that a file includes before any other line of code; None if there is none."""
    for line in path.read_text(encoding="utf-8").splitlines():
        code = line.split("//")[0].strip()
        if code in ("", "#pragma once"):
            continue
        name = re.match(r'#include "([^"]+)"', code)
        candidates = [folder / name[1] for folder in (path.parent, ROOT / "packages", ROOT / "src")] if name else []
        return next((found.resolve() for found in candidates if found.is_file()), None)
    return None


def compiled_alone(sources):
    """The headers with which the translation of some source begins."""
    found = set()
    for path in sources:
        header = first_include(path)
        while header and header not in found:
            found.add(header)
            header = first_include(header)
    return found


def command_for(entries, top):
    """The command that compiles a source of `top`, without the source, the output and the optimisation; None if the build has no such source."""
    entry = next((entry for entry in entries if entry["file"].endswith("/" + COMPILE[top])), None)
    if not entry:
        return None
    words = shlex.split(entry["command"])
    if os.path.basename(words[0]).startswith("ccache"):
        words = words[1:]
    kept, skip = [], False
    for word in words:
        if skip or word in ("-o", "-MF", "-MT", "-MQ"):
            skip = not skip
        elif word not in ("-c", "-MD", entry["file"]) and not re.fullmatch(r"-O[0-3]", word):
            kept.append(word)
    return kept + ["-fsyntax-only", "-I", str(ROOT / "packages"), "-I", str(ROOT / "src")]


def refusal(command, header):
    """The compiler's output for a header alone; None if the header compiles."""
    version = subprocess.run([command[0], "--version"], text=True, capture_output=True, check=True).stdout
    found = check_cache.key(header, version, *command)
    if check_cache.passed(found):
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "alone.cpp"
        source.write_text(f'#include "{header}"\n#include "{header}"\n', encoding="utf-8")
        ran = subprocess.run([*command, str(source)], cwd=folder, text=True, capture_output=True, check=False)
    if ran.returncode == 0 and not ran.stderr:
        check_cache.record(found)
        return None
    return f"{header}:\n{ran.stderr}"


class Headers(unittest.TestCase):
    def setUp(self):
        self.entries = json.loads(Path(COMMANDS).read_text(encoding="utf-8"))
        self.jobs = os.cpu_count()

    def test_compile_alone(self):
        built = [Path(entry["file"]) for entry in self.entries if Path(entry["file"]).is_relative_to(ROOT) and entry["file"].endswith(".cpp")]
        alone = compiled_alone(built)
        for top, pattern in (("packages", "*.hpp"), ("src", "Tessera_*.hpp")):
            command = command_for(self.entries, top)
            if not command:
                continue
            headers = sorted(path for path in (ROOT / top).rglob(pattern) if path.resolve() not in alone)
            with ThreadPoolExecutor(self.jobs) as pool:
                refused = [text for text in pool.map(lambda header, words=command: refusal(words, header), headers) if text]
            print(f"{top}: {len(headers)} headers compiled alone")
            self.assertEqual("", "\n".join(refused))

    def test_a_header_that_lacks_an_include_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            header = Path(folder) / "lacking.hpp"
            header.write_text("#pragma once\nstd::vector<int> numbers();\n", encoding="utf-8")
            self.assertIn("vector", refusal(command_for(self.entries, "packages"), header) or "")

    def test_the_first_include_of_a_source_and_of_its_header_are_found(self):
        alone = compiled_alone([ROOT / "packages/galerkin/prolongator.cpp"])
        self.assertIn((ROOT / "packages/galerkin/prolongator.cpp").resolve().with_name("block_filter_body.hpp"), alone)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
