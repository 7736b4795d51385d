"""For each test SharedX.Name, a program has as many tests SmallX.Name, which need no file: so a clone without ../shared tests as much.

    twins.py PROGRAM...
"""
import collections
import re
import subprocess
import sys


def counted(listing):
    """How many tests a listing by --gtest_list_tests has of each suite and name, without prefixes and numbers of instances."""
    counts, suite = collections.Counter(), None
    for line in listing.splitlines():
        head, name = re.match(r"(?:\w+/)?(\w+)\.(?: |$)", line), re.match(r"  (\w+)", line)
        if head:
            suite = head[1]
        elif name:
            counts[suite, name[1]] += 1
    return counts


def without_twins(listing):
    """Sentences about what a listing lacks."""
    counts = counted(listing)
    shared = {test: count for test, count in counts.items() if test[0].startswith("Shared")}
    broken = [] if shared else ["no suite is called SharedX: what reads ../shared/matrices?"]
    for (suite, name), count in shared.items():
        twin = suite.replace("Shared", "Small", 1)
        if counts[twin, name] < count:
            broken.append(f"{suite}.{name}: {count} with a shared matrix, {counts[twin, name]} called {twin}.{name} without")
    return broken


if __name__ == "__main__":
    sys.exit("\n".join(without_twins(subprocess.run([*sys.argv[1:], "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, check=True).stdout)) or 0)
