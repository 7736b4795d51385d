#!/usr/bin/env python3
"""relay.py MICROSECONDS NAMESPACE...

Makes a tap device `net` in each network namespace, and sends each frame from one of them to all others after a delay: a switch for kernels
without netem. Runs until it is ended; it does not sleep while frames wait for up to a millisecond.
"""
import collections
import ctypes
import fcntl
import os
import select
import struct
import sys
import time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
LARGEST_FRAME = 1 << 16
AWAKE = 1e-3  # seconds


def tap(namespace):
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(path):
        if libc.setns(os.open(path, os.O_RDONLY), 0):
            raise OSError(ctypes.get_errno(), f"setns {path}")
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    enter(f"/run/netns/{namespace}")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"net", IFF_TAP | IFF_NO_PI))
    libc.setns(home, 0)
    return device


def relay(devices, delay):
    waiting = collections.deque()  # (time, sender, frame)
    poll = select.epoll()
    for device in devices:
        poll.register(device, select.EPOLLIN)
    while True:
        left = waiting[0][0] - time.perf_counter() if waiting else None
        for device, _ in poll.poll(None if left is None else max(0, left - AWAKE)):
            try:
                while True:
                    waiting.append((time.perf_counter() + delay, device, os.read(device, LARGEST_FRAME)))
            except BlockingIOError:
                pass
        while waiting and waiting[0][0] <= time.perf_counter():
            _, sender, frame = waiting.popleft()
            for device in devices:
                if device != sender:
                    try:
                        os.write(device, frame)
                    except OSError:  # the device is down
                        pass


def main():
    devices = [tap(namespace) for namespace in sys.argv[2:]]
    print("ready", flush=True)
    relay(devices, 1e-6 * float(sys.argv[1]))


if __name__ == "__main__":
    main()
