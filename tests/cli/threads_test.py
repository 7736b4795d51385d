"""OpenMP's threads wait for a short time, unless the user has set another policy."""
import os
import re
import unittest

from program import Run

CHOICES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def waiting(**chosen):
    """The settings that OpenMP has read, by name."""
    before = dict(os.environ)
    for name in CHOICES:
        os.environ.pop(name, None)
    os.environ.update(chosen, OMP_DISPLAY_ENV="VERBOSE")
    try:
        run = Run("--version")
    finally:
        os.environ.clear()
        os.environ.update(before)
    return run, dict(re.findall(r"(\w+) = '(\w*)'", run.err))


class Threads(unittest.TestCase):
    def test_waiting_threads_sleep_soon(self):
        run, read = waiting()
        self.assertEqual(run.status, 0, run)
        self.assertRegex(run.out, r"^tessera \d", run)
        self.assertEqual((read["OMP_WAIT_POLICY"], read["GOMP_SPINCOUNT"]), ("PASSIVE", "10000"), run)

    def test_the_users_settings_stay(self):
        self.assertEqual(waiting(OMP_WAIT_POLICY="active")[1]["OMP_WAIT_POLICY"], "ACTIVE")
        self.assertEqual(waiting(GOMP_SPINCOUNT="7")[1]["GOMP_SPINCOUNT"], "7")
        self.assertNotEqual(waiting(KMP_BLOCKTIME="1")[1]["GOMP_SPINCOUNT"], "10000")


if __name__ == "__main__":
    unittest.main()
