#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what each format of timelines costs, as ratios to the default one within one run.

  benchmarks/timelines.py [--build build] [--quick]

Prints of each format the CPU time of a conversion, times that of `perfetto`, the bytes an event, and the memory at its
largest, which has a limit for a record ten times as long, too. Exit code 1 if a figure is missed. --quick takes records
of a tenth of the size.
"""

import os
import subprocess
import sys
import tempfile

from measure import CONTEXTS, FUNCTIONS, Figures, Run, start

RUNS = 5
# What a page holds is chosen when all is known.
MEMORY = {"html": 512}


def main():
    build, quick = start(__doc__, ["warpo_trace_visualizer", "gen_record"])
    visualizer = os.path.join(build, "bin/warpo_trace_visualizer")
    listed = subprocess.run([visualizer, "--list-formats"], check=True, capture_output=True, text=True).stdout
    formats = [line.split(" - ")[0] for line in listed.splitlines()]
    small = 100_000 if quick else 1_000_000
    figures = Figures()

    # Not to a disk: how fast that is has nothing to do with the format. The sizes are counted on the way.
    with tempfile.TemporaryDirectory(dir=build) as folder:
        record, names = os.path.join(folder, "record"), os.path.join(folder, "map")

        def generate(count):
            subprocess.run([os.path.join(build, "benchmarks/gen_record"), str(count), str(FUNCTIONS), "1", record, names,
                            str(CONTEXTS)], check=True)

        def convert(name):
            return Run([visualizer, "--mapping", names, "--rate=1", f"--format={name}", record, "-o", "/dev/null"])

        def size(name):
            command = [visualizer, "--mapping", names, "--rate=1", f"--format={name}", record, "-o", "-"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                return sum(len(block) for block in iter(lambda: process.stdout.read(1 << 20), b""))

        generate(small)
        seconds = {name: [] for name in formats}
        for _ in range(RUNS):
            for name in formats:
                seconds[name].append(convert(name).seconds)
        for name in formats:
            ratio = min(seconds[name]) / min(seconds["perfetto"])
            print(f"{name:<20}{ratio:>6.1f} times the CPU time of perfetto{size(name) / small:>9.1f} bytes an event")
        for count in (small, 10 * small):
            generate(count)
            for name in formats:
                figures.add(f"{name}, {count / 1e6:g} million entries: memory", convert(name).megabytes, "MB", MEMORY.get(name, 64))
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
