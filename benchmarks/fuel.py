#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what counting fuel costs, as ratios within one run.

  benchmarks/fuel.py [--build build] [--quick]

In V8 (npm's new Node) three programs of npm's run as they are, counting fuel, and with checks for samples too, one of which is
taken every million instructions; what counts is CPU time, of several processes in turn the median of the quickest of many rounds.
In machine code (engine native) it is the example program and one that lives in the C library, if clang and wasi-libc are there; CPU times of whole
processes, the least of several runs in turn. Exit code 1 if a figure is missed.
"""

import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from measure import PAIRS, Run, Workshop, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FORMS = {"fuel": ["--instrumentation=fuel"], "sample": ["--instrumentation=sample", "--stack=engine"]}
EVERY = 1000000
WASI_LIBRARY = "/usr/include/wasm32-wasi"


class Bench(Workshop):
    def instrument(self, module, name, form):
        instrumented = self.path(f"{name}.{form}.wasm")
        subprocess.run([self.tool("warpo-instrument"), "-q", "--all", *FORMS[form], module, "-o", instrumented,
                        f"--trace-point-mapping-file={self.path('app.map')}"], check=True, stderr=subprocess.DEVNULL)
        return instrumented

    def in_v8(self, node, name):
        def ask(*arguments):
            script = os.path.join(ROOT, "benchmarks/fuel_v8.mjs")
            return json.loads(subprocess.run([node, script, name, *arguments], check=True, capture_output=True).stdout)

        module = ask()
        forms = {"plain": module, **{form: self.instrument(module, name, form) for form in FORMS}}
        times = {form: [] for form in forms}
        for _ in range(3 if self.quick else 7):
            for form, path in forms.items():
                result = ask(path, "20" if self.quick else "60", str(EVERY))
                times[form].append(result["milliseconds"])
        plain, fuel, sample = (statistics.median(times[form]) for form in ("plain", "fuel", "sample"))
        print(f"{name}: {int(result['fuel']) / 1e6:.0f} million instructions a round, {plain:.1f} ms in V8")
        self.figures.add(f"{name} in V8: fuel, times plain", fuel / plain, "times", 2.0)
        self.figures.add(f"{name} in V8: checks and samples, times fuel", sample / fuel, "times", 1.15)

    def in_native(self, name, module, argument, standard_input=None):
        fuel = self.instrument(module, name, "fuel")

        def run(path):
            command = [self.tool("warpo-run"), "-q", "--engine=native", f"--record={self.path('app.warpo')}", path, "--",
                       str(argument)]
            if standard_input:
                command = ["sh", "-c", 'exec "$0" "$@" < ' + standard_input, *command]
            return Run(command).seconds

        run(module), run(fuel)  # compiles them
        pairs = [(run(fuel), run(module)) for _ in range(3 if self.quick else PAIRS)]
        ratio = min(fuel for fuel, _ in pairs) / min(plain for _, plain in pairs)
        self.figures.add(f"{name} in machine code: fuel, times plain", ratio, "times", 2.5)


def main():
    build, quick = start(__doc__, ["warpo-run", "warpo-instrument"])
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = Bench(build, folder, quick)
        for node in glob.glob(os.path.join(ROOT, "node_modules/node-linux-*/bin/node")):
            for name in "sql.js", "QuickJS", "resvg":
                bench.in_v8(node, name)
        markdown = bench.path("markdown.wasm")
        example = os.path.join(ROOT, "examples/markdown")
        subprocess.run(["node", os.path.join(ROOT, "node_modules/assemblyscript/bin/asc.js"), "-o", markdown], cwd=example,
                       check=True)
        bench.in_native("markdown", markdown, 20 if quick else 100, os.path.join(example, "document.md"))
        if shutil.which("clang-19") and os.path.isdir(WASI_LIBRARY):
            library = bench.path("library.wasm")
            subprocess.run(["clang-19", "--target=wasm32-wasi", "-O2",
                            os.path.join(ROOT, "benchmarks/fuel_c_library.c"), "-o", library], check=True)
            bench.in_native("C library", library, 20 if quick else 100)
    sys.exit(1 if bench.figures.missed else 0)


if __name__ == "__main__":
    main()
