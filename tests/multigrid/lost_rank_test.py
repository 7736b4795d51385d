"""A rank that is lost in the middle of an exchange ends the job with an error, or is an error on all ranks: nobody waits for it."""
import os
import pathlib
import subprocess
import time
import unittest
import uuid

PROGRAM = os.environ["TESSERA_LOST_RANK"]
MPIEXEC = os.environ["TESSERA_MPIEXEC"].split(";")  # program and its flag for the number of ranks
SECONDS = 60  # a hang is a failure
RANKS = 3


def commands_with(token):
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:  # ended meanwhile
            continue
        if token.encode() in words:
            found.append(words)
    return found


class LostRank(unittest.TestCase):
    def run_losing(self, where, how):
        token = uuid.uuid4().hex
        job = subprocess.run([*MPIEXEC, str(RANKS), PROGRAM, where, how, token], capture_output=True, text=True, timeout=SECONDS)
        end = time.monotonic() + SECONDS
        while commands_with(token) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(commands_with(token), [], "ranks outlive the job")
        self.out = job.stdout
        self.assertEqual(self.out.count(": lost\n"), where != "nowhere", self.out + job.stderr)
        self.assertNotIn("not solved", self.out)
        return job

    def expect_end_of_job(self, where, how):
        job = self.run_losing(where, how)
        self.assertNotEqual(job.returncode, 0, self.out)
        self.assertNotIn("done", self.out)
        return job

    def test_a_job_that_loses_nobody_succeeds(self):
        job = self.run_losing("nowhere", "killed")
        self.assertEqual((job.returncode, self.out.count(": done\n")), (0, RANKS), self.out + job.stderr)

    def test_a_rank_that_is_killed_in_a_setup_ends_the_job(self):
        self.expect_end_of_job("setup", "killed")

    def test_a_rank_that_is_killed_in_a_cycle_ends_the_job(self):
        self.expect_end_of_job("cycle", "killed")

    def test_an_exception_that_nobody_catches_ends_the_job(self):
        self.assertIn("bad_alloc", self.expect_end_of_job("cycle", "thrown").stderr)

    def test_memory_that_ends_in_an_exchange_of_a_setup_is_an_error_on_all_ranks_and_they_go_on(self):
        job = self.run_losing("setup", "memory")
        for rank in range(RANKS):
            self.assertIn(f"rank {rank}: setup, level ", self.out)
        self.assertEqual((job.returncode, self.out.count(": done\n")), (0, RANKS), self.out + job.stderr)


if __name__ == "__main__":
    unittest.main()
