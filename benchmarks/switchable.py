#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what trace points cost while recording is switched off in the module (--switchable), times the program as it is.

  benchmarks/switchable.py [--build build] [--quick]

In V8 (npm's new Node) programs of npm's run as they are, switched off, and beside that with trace points that call an import which does
nothing: CPU time, the quickest of many rounds, in turn. Exit code 1 if a figure is missed.
"""

import call_kinds

OFF = {"WARPO_RECORDER_ENABLED": "0"}


def measure(bench, node, name):
    module = bench.ask(node, name)
    switchable = bench.instrument(module, name, "trace", "--switchable")
    forms = {"plain": (module, {}), "off": (switchable, OFF), "on": (switchable, {}), "trace": (bench.instrument(module, name, "trace"), {})}
    plain, off, on, trace = (min(times) for times in bench.times_of(node, name, forms).values())
    print(f"{name}: switched on {on / plain:.2f} times as it is, without --switchable {trace / plain:.2f} times")
    bench.figures.add(f"{name} in V8: switched off, times as it is", off / plain, "times", 1.15)


if __name__ == "__main__":
    call_kinds.run(__doc__, ["warpo-instrument"], ("sql.js", "QuickJS", "resvg", "canvaskit"), measure)
