#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what converting records costs, as ratios within one run.

  benchmarks/conversion.py [--build build] [--quick]

Generates records, runs the tools and the yardstick (upstream_model.cpp) in turn, and prints one line for each figure with
what it is to reach. Times are user and system time of the whole process; memory is its largest resident set. Exit code 1
if a figure is missed. --quick takes records of a tenth of the size.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from measure import CONTEXTS, FUNCTIONS, Figures, Run, alternate, start


def main():
    build, quick = start(__doc__, ["all", "benchmarks"])
    tool = lambda name: os.path.join(build, "bin", name)
    helper = lambda name: os.path.join(build, "benchmarks", name)
    small = 1_000_000 if quick else 10_000_000
    large = 10 * small
    figures = Figures()

    with tempfile.TemporaryDirectory(dir=build) as folder:
        path = lambda name: os.path.join(folder, name)

        def generate(count, contexts=0):
            command = [helper("gen_record"), str(count), str(FUNCTIONS), "1", path("record"), path("map"), str(contexts)]
            subprocess.run(command, check=True)

        def fresh(name):
            """Of an output: removing an old one would count as the tool's time."""
            if os.path.exists(path(name)):
                os.remove(path(name))
            return path(name)

        def visualize(*options):
            return Run([tool("warpo_trace_visualizer"), "--mapping", path("map"), "--rate=1", *options,
                        path("record"), "-o", fresh("out")])

        def fold():
            return Run([tool("warpo-flamegraph"), "--mapping", path("map"), "--rate=1", "--format=folded",
                        path("record"), "-o", fresh("folded")])

        def read():
            return Run([tool("warpo-record-dump"), "--mapping", path("map"), "--rate=1", "--summary", path("record")])

        def model():
            return Run([helper("upstream_model"), path("map"), path("record"), fresh("model"), "1"])

        size = lambda name: os.path.getsize(path(name))

        print(f"Random record, {small // 1_000_000} million entries, {FUNCTIONS} functions, one module")
        generate(small)
        figures.add("visualizer: speed, times the model's", 1 / alternate(visualize, model), "times", 12, at_least=True)
        run = visualize()
        figures.add("visualizer: output an event (the model's: "
                    f"{size('model') / small:.1f})", size("out") / small, "bytes", 13)
        figures.add("visualizer: memory", run.megabytes, "MB", 64)
        figures.add("visualizer --max-slice-count=1", visualize("--max-slice-count=1").seconds * 1000, "ms", 30)
        run = visualize("--compress")
        figures.add("visualizer --compress: output an event", size("out") / small, "bytes", 4.2)
        figures.add("visualizer --compress: memory", run.megabytes, "MB", 64)
        run = fold()
        print("folded, almost every call a context of its own: "
              f"{run.megabytes:.0f} MB; {run.messages.strip().splitlines()[-1] if run.messages else 'no message'}")

        print(f"Record of {CONTEXTS} calling contexts, {small // 1_000_000} million entries")
        generate(small, CONTEXTS)
        figures.add("folded: time, times the visualizer's", alternate(fold, visualize), "times", 0.5)
        print(f"    of which reading and slicing, as --summary does, are {alternate(read, visualize):.2f}")
        print(f"    and it is {1 / alternate(fold, model):.1f} times as fast as the model")
        figures.add("folded: memory", fold().megabytes, "MB", 64)

        print(f"The same, {large // 1_000_000} million entries")
        generate(large, CONTEXTS)
        figures.add("visualizer: memory", visualize().megabytes, "MB", 64)
        figures.add("folded: memory", fold().megabytes, "MB", 64)

    print("Start of each tool")
    for name in sorted(os.listdir(os.path.join(build, "bin"))):
        if name.startswith("warpo"):
            starts = [Run([tool(name), "--version"]).seconds * 1000 for _ in range(9)]
            figures.add(name, statistics.median(starts), "ms", 20)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
