#!/usr/bin/env python3
"""Several hosts on one machine: network namespaces joined by a bridge, each with a host name of its own, so that MPI starts its daemons by a
remote shell and sends its messages over TCP.

    hosts.py COUNT [--ranks K] [--gpus] -- PROGRAM ARGUMENTS...

runs PROGRAM with K ranks on each of COUNT hosts, prints what it prints, ends with its status, and removes the hosts. With --gpus each host
sees one GPU of the machine. Linux, root and iproute2 are needed.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ADDRESS = "10.77.0.{}"


def why_not():
    """The reason why this machine cannot make such hosts, or None."""
    for tool in ("ip", "nsenter", "unshare", "mpirun"):
        if not shutil.which(tool):
            return f"{tool} is missing"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"tessera-try-{os.getpid()}"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if tried.returncode:
        return "ip netns add: " + tried.stderr.strip()
    subprocess.run(["ip", "netns", "del", name], check=True)
    tried = subprocess.run(["unshare", "--uts", "true"], capture_output=True, text=True)
    return "unshare --uts: " + tried.stderr.strip() if tried.returncode else None


class Hosts:
    """`count` hosts, numbered from 1, that exist while the object is used as a context. delay: microseconds that each frame takes between
    them; a relay delays frames, and there are no links to take down. gpus: host k sees the machine's GPU k - 1 alone."""

    def __init__(self, count, delay=None, gpus=False):
        self.count = count
        self.delay = delay
        self.gpus = gpus
        self.switch = self._namespace(0)
        self._relay = None

    def _namespace(self, host):
        return f"tessera-{os.getpid()}-{host}"

    @staticmethod
    def _ip(*words):
        subprocess.run(["ip", *map(str, words)], check=True)

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        try:
            names = [self._namespace(host) for host in range(self.count + 1)]
            for name in names:
                self._ip("netns", "add", name)
            if self.delay is None:
                self._join_by_bridge(names[1:])
            else:
                self._join_by_relay(names[1:])
            for host, name in enumerate(names[1:], 1):
                self._ip("-n", name, "link", "set", "lo", "up")
                self._ip("-n", name, "address", "add", ADDRESS.format(host) + "/24", "dev", "net")
                self._ip("-n", name, "link", "set", "net", "up")
            self._write_agent()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._relay:
            self._relay.terminate()
            self._relay.wait()
        for host in range(self.count + 1):
            subprocess.run(["ip", "netns", "del", self._namespace(host)], capture_output=True)
        self._folder.cleanup()

    def _join_by_bridge(self, names):
        self._ip("-n", self.switch, "link", "add", "bridge", "type", "bridge")
        self._ip("-n", self.switch, "link", "set", "bridge", "up")
        for host, name in enumerate(names, 1):
            self._ip("-n", self.switch, "link", "add", f"port{host}", "type", "veth", "peer", "name", "net", "netns", name)
            self._ip("-n", self.switch, "link", "set", f"port{host}", "master", "bridge", "up")

    def _join_by_relay(self, names):
        program = pathlib.Path(__file__).with_name("relay.py")
        self._relay = subprocess.Popen([sys.executable, "-B", str(program), str(self.delay), *names], stdout=subprocess.PIPE, text=True)
        if self._relay.stdout.readline() != "ready\n":
            raise RuntimeError("relay.py has not made its devices")
        for name in names:
            self._ip("-n", name, "link", "set", "net", "mtu", "65000")

    def _write_agent(self):
        """What mpirun calls in place of ssh: ADDRESS COMMAND..."""
        self.agent = pathlib.Path(self._folder.name) / "agent"
        visible = "export CUDA_VISIBLE_DEVICES=$((host - 1))\n" if self.gpus else ""
        self.agent.write_text(f"#!/bin/sh\nhost=${{1##*.}}\nshift\n{visible}"
                              f"exec nsenter --net=/run/netns/tessera-{os.getpid()}-$host \\\n"
                              "  unshare --uts sh -c 'hostname tessera-host-$0 && exec sh -c \"$*\"' $host \"$@\"\n")
        self.agent.chmod(0o755)

    def link(self, host, state):
        """Takes the host's cable out (`down`) or puts it back (`up`)."""
        self._ip("-n", self.switch, "link", "set", f"port{host}", state)

    def set_tcp_retries(self, retries):
        """How often TCP sends a packet again before it gives the connection up; about 0.2 s 2^(retries + 1) in all."""
        for host in range(1, self.count + 1):
            self._inside(host, "sysctl", "-qw", f"net.ipv4.tcp_retries2={retries}")

    def _inside(self, host, *command):
        subprocess.run(["ip", "netns", "exec", self._namespace(host), *command], check=True)

    def command(self, program, ranks=1, options=()):
        """The command that runs `program`, a list of words, with `ranks` ranks on each host."""
        network = ADDRESS.format(0) + "/24"
        hosts = ",".join(f"{ADDRESS.format(host)}:{ranks}" for host in range(1, self.count + 1))
        mpirun = ["mpirun", "--allow-run-as-root", "--bind-to", "none", "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", str(self.agent),
                  "--mca", "btl", "self,vader,tcp", "--mca", "btl_tcp_if_include", network, "--mca", "oob_tcp_if_include", network,
                  "--host", hosts, "-np", str(ranks * self.count), *options]
        return [str(self.agent), ADDRESS.format(1), *mpirun, *program]

    def start(self, program, ranks=1, options=(), **popen):
        """Starts `program` on all hosts; its process and those of mpirun are a session of their own."""
        return subprocess.Popen(self.command(list(map(str, program)), ranks, options), start_new_session=True, **popen)

    def run(self, program, ranks=1, options=(), seconds=300):
        """Runs `program` on all hosts. Returns a subprocess.CompletedProcess with its output; ends everything after `seconds`."""
        process = self.start(program, ranks, options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--ranks", type=int, default=1, help="ranks on each host")
    parser.add_argument("--gpus", action="store_true", help="host k sees GPU k - 1 alone")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    if reason := why_not():
        sys.exit("hosts.py: " + reason)
    with Hosts(options.count, gpus=options.gpus) as hosts:
        sys.exit(subprocess.run(hosts.command(options.program, options.ranks)).returncode)


if __name__ == "__main__":
    main()
