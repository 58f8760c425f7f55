#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what trace points cost while recording is switched off in the module (--switchable), times the program as it is.

  benchmarks/switchable.py [--build build] [--quick]

In V8 (npm's new Node) programs of npm's run as they are, switched off, and beside that with trace points that call an import which does
nothing: CPU time, the quickest of many rounds, in turn. Exit code 1 if a figure is missed.
"""

import glob
import os
import sys
import tempfile

import call_kinds
from measure import start

OFF = {"WARPO_RECORDER_ENABLED": "0"}


def measure(bench, node, name):
    module = bench.ask(node, name)
    switchable = bench.instrument(module, name, "trace", "--switchable")
    forms = {"plain": (module, {}), "off": (switchable, OFF), "on": (switchable, {}), "trace": (bench.instrument(module, name, "trace"), {})}
    plain, off, on, trace = (min(times) for times in bench.times_of(node, name, forms).values())
    print(f"{name}: switched on {on / plain:.2f} times as it is, without --switchable {trace / plain:.2f} times")
    bench.figures.add(f"{name} in V8: switched off, times as it is", off / plain, "times", 1.15)


def main():
    build, quick = start(__doc__, ["warpo-instrument"])
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = call_kinds.Bench(build, folder, quick)
        for node in glob.glob(os.path.join(call_kinds.ROOT, "node_modules/node-linux-*/bin/node")):
            for name in "sql.js", "QuickJS", "resvg":
                measure(bench, node, name)
    sys.exit(1 if bench.figures.missed else 0)


if __name__ == "__main__":
    main()
