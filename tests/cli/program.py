"""Runs the program as a user would, on one rank or several, with a time limit so that a hang is a failure."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.environ["TESSERA"]
MPIEXEC = os.environ["TESSERA_MPIEXEC"].split(";")  # program and its flag for the number of ranks
RANKS = int(os.environ["TESSERA_RANKS"])
XML = pathlib.Path(os.environ["TESSERA_XML"])
PACKAGES = set(os.environ["TESSERA_PACKAGES"].split(";"))  # ML and MueLu, if compiled in
SECONDS = 120


class Run:
    def __init__(self, *arguments):
        command = [TESSERA, *map(str, arguments)]
        if RANKS > 1:
            command = [*MPIEXEC, str(RANKS), *command]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.arguments = " ".join(arguments if all(isinstance(a, str) for a in arguments) else map(str, arguments))

    def __str__(self):
        return f"tessera {self.arguments}\nstatus {self.status}\nstdout:\n{self.out}\nstderr:\n{self.err}"


class Folder:
    """A temporary folder for input."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self._folder.name)

    def put(self, name, text):
        (self.path / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return self.path / name

    def close(self):
        self._folder.cleanup()


def stratimikos(preconditioner, inside="", solver="Pseudo Block CG", solver_inside="", frame=""):
    """A Stratimikos list in one line; tests give the varying parts as XML."""
    return (f'<ParameterList><Parameter name="Linear Solver Type" type="string" value="Belos"/>'
            f'<Parameter name="Preconditioner Type" type="string" value="{preconditioner}"/>{frame}'
            f'<ParameterList name="Linear Solver Types"><ParameterList name="Belos">'
            f'<Parameter name="Solver Type" type="string" value="{solver}"/>'
            f'<ParameterList name="Solver Types"><ParameterList name="{solver}">{solver_inside}</ParameterList>'
            f'</ParameterList></ParameterList></ParameterList>'
            f'<ParameterList name="Preconditioner Types"><ParameterList name="{preconditioner}">{inside}</ParameterList>'
            f'</ParameterList></ParameterList>\n')


def parameter(name, kind, value):
    return f'<Parameter name="{name}" type="{kind}" value="{value}"/>'


def run_side_by_side(cases):
    """Runs the tests of a TestCase class concurrently, because mpiexec starts and ends slowly."""
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(cases)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda case: case.run(), suite))
    failures = [failure for result in results for failure in result.failures + result.errors]
    for case, trace in failures:
        print(f"{case.id()}\n{trace}", file=sys.stderr)
    skipped = sum(len(result.skipped) for result in results)
    print(f"{len(results)} tests, {len(failures)} failed, {skipped} skipped")
    sys.exit(1 if failures or not results else 0)
