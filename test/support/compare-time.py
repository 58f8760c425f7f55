"""Checks that a tool takes no more than fifty times as much of a processor on one input as on another of the same size.

usage: compare-time.py SOUND HOSTILE COMMAND...

The command gets the input as its last argument. Fifty is far from noise and far from quadratic, which would be thousands.
"""
import os
import subprocess
import sys


def best(command):
    """The least of a few runs, without the time that others had the processor."""
    times = []
    for _ in range(3):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        times.append(usage.ru_utime + usage.ru_stime)
    return max(min(times), 1e-3)


sound, hostile, *command = sys.argv[1:]
ratio = best(command + [hostile]) / best(command + [sound])
if ratio > 50:
    sys.exit(f"{' '.join(command)}: {hostile} takes {ratio:.0f} times as much as {sound}")
