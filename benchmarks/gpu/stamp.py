#!/usr/bin/env python3
"""When the GPU tests last ran, and how much of the GPU's code has changed since.

    benchmarks/gpu/stamp.py              prints it, as .ci/run does
    benchmarks/gpu/stamp.py --check      and fails where docs/building.md names another run

run.sh writes the stamp after its step `tests` (gpu-tests.json in the folder of results); it is kept as stamp.json beside this. A stamp is
{"commit", "date", "device", "driver", "gpus", "passed", "failed": [names of what failed]}.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPU_CODE = ["packages/*.cu", "packages/*.cuh", "packages/*_body.hpp", "packages/*_cuda.hpp", "src/*.cu"]


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else None


def changes(commit):
    """What has changed in the GPU's code since a commit, in words."""
    changed = git("diff", "--name-only", commit, "--", *GPU_CODE)
    if changed is None:
        return f"this checkout does not have {commit}, so what has changed since is not known"
    return f"{len(changed)} of {len(git('ls-files', '--', *GPU_CODE))} files of GPU code have changed since"


def in_words(stamp):
    counts = f"{stamp['passed']} passed, {len(stamp['failed'])} failed"
    names = f" ({', '.join(stamp['failed'])})" if stamp["failed"] else ""
    return f"{stamp['commit']} on {stamp['date']}, {stamp['gpus']} x {stamp['device']}, driver {stamp['driver']}: {counts}{names}"


def main():
    parser = argparse.ArgumentParser(description="When the GPU tests last ran.")
    parser.add_argument("--check", action="store_true", help="fail where docs/building.md names another run")
    arguments = parser.parse_args()
    stamp = json.loads((ROOT / "benchmarks/gpu/stamp.json").read_text())
    print(f"The GPU tests last ran at {in_words(stamp)}; {changes(stamp['commit'])}.")
    if arguments.check and in_words(stamp) not in " ".join((ROOT / "docs/building.md").read_text().split()):
        sys.exit(f"docs/building.md does not say \"{in_words(stamp)}\"")


if __name__ == "__main__":
    main()
