#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what each profile format costs, as ratios within one run.

  benchmarks/profiles.py [--build build] [--quick]

Folds a record of 50 000 calling contexts into each format that warpo-flamegraph lists, in turn with the visualizer on the
same record, and prints one line for each figure with what it is to reach. CPU times are user and system time of the whole
process, the least of several runs; memory is its largest resident set, which must not grow with the record. Exit code 1
if a figure is missed. --quick takes records of a tenth of the size and of the contexts.
"""

import os
import subprocess
import sys
import tempfile

from measure import CONTEXTS, FUNCTIONS, Figures, Run, alternate, start


def main():
    build, quick = start(__doc__, ["warpo-flamegraph", "warpo_trace_visualizer", "benchmarks"])
    small = 1_000_000 if quick else 10_000_000
    contexts = CONTEXTS // 10 if quick else CONTEXTS
    figures = Figures()
    listed = subprocess.run([os.path.join(build, "bin/warpo-flamegraph"), "--list-formats"], check=True,
                            capture_output=True, text=True)
    formats = [line.split(" - ")[0] for line in listed.stdout.splitlines()]

    with tempfile.TemporaryDirectory(dir=build) as folder:
        path = lambda name: os.path.join(folder, name)

        def generate(count):
            command = [os.path.join(build, "benchmarks/gen_record"), str(count), str(FUNCTIONS), "1", path("record"),
                       path("map"), str(contexts)]
            subprocess.run(command, check=True)

        def convert(tool, *options):
            if os.path.exists(path("out")):
                os.remove(path("out"))
            return Run([os.path.join(build, "bin", tool), "--mapping", path("map"), "--rate=1", *options, path("record"),
                        "-o", path("out")])

        print(f"Record of {contexts} calling contexts, {small // 1_000_000} million entries")
        generate(small)
        for name in formats:
            fold = lambda: convert("warpo-flamegraph", f"--format={name}")
            figures.add(f"{name}: time, times the visualizer's",
                        alternate(fold, lambda: convert("warpo_trace_visualizer")), "times", 0.5)
            figures.add(f"{name}: memory", fold().megabytes, "MB", 64)
            print(f"    its file: {os.path.getsize(path('out')) / contexts:.0f} bytes a context")

        print(f"The same, {10 * small // 1_000_000} million entries")
        generate(10 * small)
        for name in formats:
            figures.add(f"{name}: memory", convert("warpo-flamegraph", f"--format={name}").megabytes, "MB", 64)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
