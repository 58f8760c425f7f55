#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what recording an event costs in V8, as ratios within one run.

  benchmarks/recording_v8.py [--build build] [--quick]

A module passes trace points in a loop, with each recorder in turn; the least of several rounds counts. The recorder is
compared with an import that does nothing, and with the least that a clocked recorder in JavaScript could do: performance.now()
and a store of time and id. Both halves of the buffer are overwritten in turn (policy ring), so that the trace point alone is
measured; what writing the record adds is printed below. Prints one line for each figure with what it is to reach, for each
Node there is: the one on the PATH, and npm's new one. Exit code 1 if a figure is missed.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

from measure import Figures, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# A trace point that begins a call and one that ends it, at depth 1, as in a function that calls a small one.
MODULE = """(module
  (import "builtin" "tracePoint" (func $tracePoint (param i32)))
  (func (export "run") (param $calls i32)
    (call $tracePoint (i32.const 16777216))
    (loop $again
      (call $tracePoint (i32.const 16777217))
      (call $tracePoint (i32.const -16777217))
      (br_if $again (local.tee $calls (i32.sub (local.get $calls) (i32.const 1)))))
    (call $tracePoint (i32.const -16777216))))"""
# The same as trace,fuel makes it of a module: it counts a straight run between the trace points.
FUEL_MODULE = """(module
  (import "builtin" "tracePointFuel" (func $tracePoint (param i32 i64)))
  (global $fuel (mut i64) (i64.const 0))
  (func (export "run") (param $calls i32)
    (call $tracePoint (i32.const 16777216) (global.get $fuel))
    (loop $again
      (global.set $fuel (i64.add (global.get $fuel) (i64.const 7)))
      (call $tracePoint (i32.const 16777217) (global.get $fuel))
      (call $tracePoint (i32.const -16777217) (global.get $fuel))
      (br_if $again (local.tee $calls (i32.sub (local.get $calls) (i32.const 1)))))
    (call $tracePoint (i32.const -16777216) (global.get $fuel))))"""


def measure(node, package, modules, rounds):
    script = os.path.join(ROOT, "benchmarks/recording_v8.mjs")
    output = subprocess.run([node, script, package, *modules, str(rounds)], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def main():
    build, quick = start(__doc__, ["warpo-js"])
    figures = Figures()
    nodes = [shutil.which("node"), *glob.glob(os.path.join(ROOT, "node_modules/node-linux-*/bin/node"))]
    with tempfile.TemporaryDirectory(dir=build) as folder:
        modules = []
        for name, module in ("loop", MODULE), ("fuel", FUEL_MODULE):
            text = os.path.join(folder, name + ".wat")
            modules.append(os.path.join(folder, name + ".wasm"))
            with open(text, "w") as file:
                file.write(module)
            subprocess.run(["wat2wasm", text, "-o", modules[-1]], check=True)
        for node in nodes:
            cost = measure(node, os.path.join(build, "share/warpo/js"), modules, 40 if quick else 400)
            print(f"Node {cost['version']}: an empty import takes {cost['empty']:.1f} ns, performance.now() and a store "
                  f"{cost['stored']:.1f} ns")
            figures.add("no clock, times an empty import", cost["none"] / cost["empty"], "times", 1.0)
            figures.add("only fuel, times an empty import", cost["fuel"] / cost["empty"], "times", 6 / 7)
            figures.add("clock thread, times an empty import", cost["thread"] / cost["empty"], "times", 2.0)
            figures.add("clock exact, times performance.now() and a store", cost["exact"] / cost["stored"], "times", 1.1)
            print(f"    with time and fuel {cost['exactFuel']:.1f} ns an event")
            print(f"    with the record written to nowhere: no clock {cost['noneWritten']:.1f} ns, exact "
                  f"{cost['exactWritten']:.1f} ns an event, {cost['bytes']:.2f} bytes")
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
