#!/usr/bin/env python3
"""Times of setups and cycles on two hosts, by the latency between them (tests/hosts).

    latency.py PROGRAM SIDE RUNS MICROSECONDS...

runs PROGRAM (message_counts) with a rank on each of two hosts, and prints its lines with the latency before each.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "hosts"))
import hosts


def main():
    program, side, runs, *latencies = sys.argv[1:]
    if reason := hosts.why_not():
        sys.exit("latency.py: " + reason)
    for latency in latencies:
        with hosts.Hosts(2, delay=latency) as two:
            found = two.run([str(pathlib.Path(program).resolve()), side, runs])
        if found.returncode:
            sys.exit(found.stderr)
        for line in found.stdout.splitlines():
            print(f"{latency} us, {line}", flush=True)


if __name__ == "__main__":
    main()
