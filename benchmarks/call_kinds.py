#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it costs that calls tell how they were entered (call-kinds), as ratios to trace points alone.

  benchmarks/call_kinds.py [--build build] [--quick]

In V8 (npm's new Node) two programs of npm's call an import that does nothing at their trace points; CPU time, the quickest of
many rounds. In machine code (engine native) a recursive function calls itself directly or through a table, and is recorded into a
ring; CPU times of whole processes, the least of several runs in turn. The size of a record of each is printed too. Exit code 1 if a
figure is missed.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

from measure import PAIRS, Run, Workshop, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FORMS = "trace", "trace,call-kinds"

# The same function, which calls itself both ways or one.
FIB = """(module
  (type $t (func (param i32) (result i32)))
  (table funcref (elem $fib))
  (func $fib (export "run") (type $t)
    (if (result i32) (i32.lt_u (local.get 0) (i32.const 2))
      (then (local.get 0))
      (else (i32.add ({first} (i32.sub (local.get 0) (i32.const 1)){index})
                     ({second} (i32.sub (local.get 0) (i32.const 2)){index}))))))"""
DIRECT = FIB.format(first="call $fib", second="call $fib", index="")
INDIRECT = FIB.format(first="call_indirect (type $t)", second="call_indirect (type $t)", index=" (i32.const 0)")


class Bench(Workshop):
    def instrument(self, module, name, form, *options):
        instrumented = self.path(f"{name}.{form}{''.join(options)}.wasm")
        subprocess.run([self.tool("warpo-instrument"), "-q", "--all", "--unwind=none", f"--instrumentation={form}", *options, module,
                        "-o", instrumented, f"--trace-point-mapping-file={self.path('app.map')}"], check=True,
                       stderr=subprocess.DEVNULL)
        return instrumented

    def times_in_v8(self, node, name, forms):
        """Of each way to instrument it, the milliseconds of CPU time that a program took, several times in turn."""
        module = self.ask(node, name)
        return self.times_of(node, name, {form: (self.instrument(module, name, form), {}) for form in forms})

    def ask(self, node, *arguments, **environment):
        script = os.path.join(ROOT, "benchmarks/fuel_v8.mjs")
        run = subprocess.run([node, script, *arguments], check=True, capture_output=True, env={**os.environ, **environment})
        return json.loads(run.stdout)

    def times_of(self, node, name, forms):
        """The same of modules, each with the environment that it runs in."""
        times = {form: [] for form in forms}
        for _ in range(2 if self.quick else 5):
            for form, (path, environment) in forms.items():
                times[form].append(self.ask(node, name, path, "20" if self.quick else "60", "1", **environment)["milliseconds"])
        return times

    def in_v8(self, node, name):
        times = self.times_in_v8(node, name, FORMS)
        trace, kinds = (min(times[form]) for form in FORMS)
        self.figures.add(f"{name} in V8: with kinds, times trace", kinds / trace, "times", 1.25)

    def in_native(self, name, text):
        source = self.path(f"{name}.wat")
        with open(source, "w") as file:
            file.write(text)
        forms = [self.instrument(source, name, form) for form in FORMS]

        def run(path, argument):
            return Run([self.tool("warpo-run"), "-q", "--engine=native", f"--record={self.path('app.warpo')}", path,
                        "--invoke=run", f"--arg={argument}"]).seconds

        sizes = []
        for path in forms:  # compiles them
            run(path, 20)
            sizes.append(os.path.getsize(self.path("app.warpo")) / (2 * 21891))
        print(f"{name}: {sizes[0]:.2f} bytes an event, with kinds {sizes[1]:.2f}")
        # A ring that stays in the processor's cache: the writing of the record is not in it.
        os.environ["WARPO_RECORDER_POLICY"], os.environ["WARPO_RECORDER_BUFFER"] = "ring", str(1 << 18)
        rounds = [[run(path, 26 if self.quick else 31) for path in forms] for _ in range(3 if self.quick else PAIRS)]
        del os.environ["WARPO_RECORDER_POLICY"], os.environ["WARPO_RECORDER_BUFFER"]
        trace, kinds = (min(column) for column in zip(*rounds))
        self.figures.add(f"{name} in machine code: with kinds, times trace", kinds / trace, "times", 1.25)


def run(text, tools, names, measure, further=lambda bench: None):
    """A benchmark: `measure(bench, node, name)` for these programs in npm's Node, and what is `further` to do."""
    build, quick = start(text, tools)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = Bench(build, folder, quick)
        for node in glob.glob(os.path.join(ROOT, "node_modules/node-linux-*/bin/node")):
            for name in names:
                measure(bench, node, name)
        further(bench)
    sys.exit(1 if bench.figures.missed else 0)


def measure_native(bench):
    bench.in_native("direct calls", DIRECT)
    bench.in_native("calls through a table", INDIRECT)


if __name__ == "__main__":
    run(__doc__, ["warpo-run", "warpo-instrument"], ("sql.js", "QuickJS"), Bench.in_v8, measure_native)
