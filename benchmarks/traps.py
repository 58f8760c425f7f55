#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it costs that modules tell which calls a trap has ended (traps), as ratios to trace points alone.

  benchmarks/traps.py [--build build] [--quick]

In V8 (npm's new Node) two programs of npm's call an import that does nothing at their trace points: CPU time, the quickest of many
rounds, and the size of the module. Exit code 1 if a figure is missed.
"""

import os

import call_kinds

FORMS = "trace", "trace,traps"


def measure(bench, node, name):
    times = bench.times_in_v8(node, name, FORMS)
    trace, traps = (min(times[form]) for form in FORMS)
    bench.figures.add(f"{name} in V8: time with traps, times trace", traps / trace, "times", 1.25)
    trace, traps = (os.path.getsize(bench.path(f"{name}.{form}.wasm")) for form in FORMS)
    bench.figures.add(f"{name}: size with traps, times trace", traps / trace, "times", 1.15)


if __name__ == "__main__":
    call_kinds.run(__doc__, ["warpo-instrument"], ("sql.js", "QuickJS"), measure)
