#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it costs that modules tell which calls a trap has ended (traps), as ratios to trace points alone.

  benchmarks/traps.py [--build build] [--quick]

In V8 (npm's new Node) two programs of npm's call an import that does nothing at their trace points: CPU time, the quickest of many
rounds, and the size of the module. With --traps-in=thread another such import is called wherever the host enters. Exit code 1 if a
figure is missed.
"""

import os

import call_kinds

FORMS = {"traps": [], "--traps-in=thread": ["--traps-in=thread"]}


def measure(bench, node, name):
    module = bench.ask(node, name)
    paths = {"trace": bench.instrument(module, name, "trace")}
    paths |= {form: bench.instrument(module, name, "trace,traps", *options) for form, options in FORMS.items()}
    times = bench.times_of(node, name, {form: (path, {}) for form, path in paths.items()})
    for form in FORMS:
        bench.figures.add(f"{name} in V8: time with {form}, times trace", min(times[form]) / min(times["trace"]), "times", 1.25)
        size = os.path.getsize(paths[form]) / os.path.getsize(paths["trace"])
        bench.figures.add(f"{name}: size with {form}, times trace", size, "times", 1.15)


if __name__ == "__main__":
    call_kinds.run(__doc__, ["warpo-instrument"], ("sql.js", "QuickJS"), measure)
