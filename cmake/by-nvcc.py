#!/usr/bin/env python3
"""by-nvcc.py BUILD [--jobs N] [FILE...]: what nvcc says to the sources that include Trilinos.

A Trilinos with CUDA wants all that includes its headers compiled by nvcc (nvcc_wrapper). There is none in Debian, so this reads the
commands of a build of the preset cuda and has nvcc's front end translate each such source of src/, and the test of
Tessera_KokkosArrays.hpp, as CUDA: both passes, for the host and the device, without an object. Files: those alone. A source that nvcc
took before, and whose headers have not changed, is not read again (check_cache.py). Exit status 1 where nvcc refuses one.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import check_cache
from check_cache import ROOT

FOLDERS = ("src/tpetra", "src/ifpack2", "src/belos", "src/stratimikos")
TESTS = ("tests/belos/arrays_test.cpp",)
PASSED_ON = re.compile(r"-(I|D|std=|isystem)")


def as_cuda(entry, nvcc, folder):
    """The command of nvcc: the same headers and definitions, CUDA's own flags (cmake/TesseraTargets.cmake)."""
    words, kept = shlex.split(entry["command"]), []
    for k, word in enumerate(words):
        if word == "-isystem":
            kept += [word, words[k + 1]]
        elif PASSED_ON.match(word) and word != "-isystem":
            kept.append(word)
    return [nvcc, "-x", "cu", "--cuda", "-arch=sm_90", "--expt-relaxed-constexpr", "--extended-lambda", "--fmad=false",
            "-Xcompiler=-fopenmp", "-w", *kept, entry["file"], "-o", os.path.join(folder, Path(entry["file"]).name + ".ii")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    entries = {}
    for entry in json.loads((options.build / "compile_commands.json").read_text()):
        name = os.path.relpath(entry["file"], ROOT)
        if name in options.files or (not options.files and (os.path.dirname(name) in FOLDERS or name in TESTS)):
            entries.setdefault(name, entry)
    if not entries:
        sys.exit(f"by-nvcc: {options.build} has no command for such a source; configure it with the preset cuda")

    version = subprocess.run([nvcc, "--version"], text=True, capture_output=True, check=True).stdout

    def translate(name):
        """What nvcc printed of a source that it refuses, else None."""
        entry = entries[name]
        found = check_cache.key(entry["file"], version, *as_cuda(entry, nvcc, ""))
        if check_cache.passed(found):
            return None
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run(as_cuda(entry, nvcc, folder), cwd=entry["directory"], text=True, capture_output=True, check=False)
        if ran.returncode == 0:
            check_cache.record(found)
            return None
        return f"{name}:\n{ran.stdout}{ran.stderr}"

    with ThreadPoolExecutor(options.jobs) as pool:
        refused = [text for text in pool.map(translate, sorted(entries)) if text]
    print("".join(refused) + f"nvcc takes {len(entries) - len(refused)} of {len(entries)} sources that include Trilinos")
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main())
