"""What a killed rank and a cut cable do to a run on two hosts: no hang, a status that is not 0, a message, and no file left half written."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from hosts import Hosts, why_not

TESSERA = os.environ["TESSERA"]
LONG = ["solve", "--problem", "Laplace3D", "--nx", "40", "--xml", "sa_amg", "--repeat", "1000"]  # minutes, if nothing ends it
SECONDS = 60  # within which a run with a fault must have ended
RETRIES = 3  # of TCP, instead of 15 (a quarter of an hour)


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.hosts = Hosts(2)
        self.hosts.__enter__()
        self.addCleanup(self.hosts.__exit__)

    def start(self, *arguments):
        output = self.folder / "result.json"
        process = self.hosts.start([TESSERA, *arguments, "--json", output], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def ranks(self):
        """The process of each rank, once all of them run."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = {}
            for entry in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    command = (entry / "cmdline").read_bytes().split(b"\0")
                    environment = dict(word.split(b"=", 1) for word in (entry / "environ").read_bytes().split(b"\0") if b"=" in word)
                except (OSError, ValueError):
                    continue
                if str(self.folder / "result.json").encode() in command and b"OMPI_COMM_WORLD_RANK" in environment:
                    found[int(environment[b"OMPI_COMM_WORLD_RANK"])] = int(entry.name)
            if len(found) == 2:
                return found
            time.sleep(0.1)
        self.fail("the ranks did not start")

    def require_end(self, process):
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.fail(f"the run still hangs {SECONDS} seconds after the fault")
        self.assertNotEqual(process.returncode, 0, out + err)
        self.assertEqual(list(self.folder.iterdir()), [], err)
        return err

    def test_a_killed_rank_ends_the_run(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                process = self.start(*LONG)
                pids = self.ranks()
                time.sleep(3)
                os.kill(pids[rank], signal.SIGKILL)
                err = self.require_end(process)
                self.assertRegex(err, rf"rank {1 - rank} was ended by signal 15 during (the setup|the solve|reading|input)")

    def test_a_cable_that_is_out_for_a_second_changes_nothing(self):
        process = self.start(*LONG[:-1], "20")
        self.ranks()
        time.sleep(2)
        self.hosts.link(2, "down")
        time.sleep(1)
        self.hosts.link(2, "up")
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, out + err)

    def test_a_cable_that_stays_out_ends_the_run(self):
        self.hosts.set_tcp_retries(RETRIES)
        process = self.start(*LONG)
        self.ranks()
        time.sleep(3)
        self.hosts.link(2, "down")
        self.require_end(process)


if __name__ == "__main__":
    if reason := why_not():
        print("skipped, no hosts can be made here: " + reason)
        sys.exit(77)
    unittest.main()
