#!/usr/bin/env python3
"""by-nvcc.py BUILD [--jobs N] [FILE...]: what nvcc says to the sources that include Trilinos.

A Trilinos with CUDA wants all that includes its headers compiled by nvcc (nvcc_wrapper). There is none in Debian, so this reads the
commands of a build of the preset cuda and has nvcc's front end translate each such source of src/, and the test of
Tessera_KokkosArrays.hpp, as CUDA: both passes, for the host and the device, without an object. Files: those alone. Exit status 1 where
nvcc refuses one.
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

ROOT = Path(__file__).resolve().parent.parent
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

    def translate(name):
        with tempfile.TemporaryDirectory() as folder:
            entry = entries[name]
            return name, subprocess.run(as_cuda(entry, nvcc, folder), cwd=entry["directory"], text=True, capture_output=True, check=False)

    refused = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, ran in pool.map(translate, sorted(entries)):
            if ran.returncode != 0:
                refused += 1
                print(f"{name}:\n{ran.stdout}{ran.stderr}")
    print(f"nvcc takes {len(entries) - refused} of {len(entries)} sources that include Trilinos")
    return refused > 0


if __name__ == "__main__":
    sys.exit(main())
