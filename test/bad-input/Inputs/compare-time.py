"""Checks that a tool takes no more than fifty times as long on one input as on another of the same size.

usage: compare-time.py SOUND HOSTILE COMMAND...

The command gets the input as its last argument. Fifty is far from noise and far from quadratic, which would be thousands.
"""
import subprocess
import sys
import time


def best(command):
    times = []
    for _ in range(3):
        start = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    return min(times)


sound, hostile, *command = sys.argv[1:]
ratio = best(command + [hostile]) / best(command + [sound])
if ratio > 50:
    sys.exit(f"{' '.join(command)}: {hostile} takes {ratio:.0f} times as long as {sound}")
