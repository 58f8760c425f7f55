#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how true samples are, and what taking them costs.

  benchmarks/samples.py [--build build] [--quick]

True: 10 000 samples, taken every so much fuel, of three programs of npm's in V8, and in machine code of a generated program whose
shares are known and of two others whose exact fuel a trace has. Each function of which 10 samples or more are to be expected is
compared with the binomial distribution of its exact share, the others together; the figure is the deviation of the worst of
them, in standard deviations, and is to be below what the worst of as many functions has in 99 of 100 experiments.

Cost: a thousand samples a second, with the recorder, times the checks alone, of the same programs. Samples are due by the
clock on the wall: what they add of CPU time is divided by the time that passed, so that a program that waits for
others does not count as a slow one. The quickest of many rounds in V8, of whole processes in machine code. Exit code 1 if a
figure is missed.

By time: what `--due=time`, which counts nothing, and `warpo-run --sample` cost, samples included, times the plain program, in CPU time of
whole processes, in machine code and in the interpreter.
"""

import csv
import glob
import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from measure import PAIRS, Figures, Run, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SAMPLES = 10000
FREQUENCY = 1000
# A function with fewer samples to be expected is judged together with others.
FEW = 10
NEVER = 2**62
WASI_LIBRARY = "/usr/include/wasm32-wasi"


def worst_of(functions, probability):
    """What the largest of so many deviations, in standard deviations, stays below with this probability."""
    return statistics.NormalDist().inv_cdf((1 + probability ** (1 / functions)) / 2)


def deviation(exact, found):
    """The worst deviation of `found` samples of each function from its `exact` fuel, and of how many functions."""
    fuel, samples = sum(exact.values()), sum(found.values())
    groups = {}
    for name in exact.keys() | found.keys():
        group = groups.setdefault(name if samples * exact.get(name, 0) / fuel >= FEW else None, [0, 0])
        group[0] += exact.get(name, 0) / fuel
        group[1] += found.get(name, 0)
    sigmas = [abs(seen - samples * share) / (samples * share * (1 - share)) ** 0.5 for share, seen in groups.values()
              if 0 < share < 1]
    return max(sigmas), len(sigmas)


def generated(functions, rounds):
    """A program as text, and the fuel of each of its functions. They are called in turn, in an order drawn by lot, each
    with a loop as long as its number says."""
    order = [f for f in range(functions) for _ in range(rounds)]
    random.Random(1).shuffle(order)
    text = ["(module"]
    exact = {}
    for f in range(functions):
        turns = 10 * (f + 1)
        text.append(f"""(func $f{f} (local $i i32)
          (local.set $i (i32.const {turns}))
          (loop $again (br_if $again (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))""")
        # Two instructions, and five in each turn.
        exact[f"f{f}"] = rounds * (2 + 5 * turns)
    calls = " ".join(f"call $f{f}" for f in order)
    text.append(f'(func $main (export "_start") {calls}))')
    exact["main"] = len(order)
    return "\n".join(text), exact


class Bench:
    def __init__(self, build, folder, quick):
        self.build, self.folder, self.quick = build, folder, quick
        self.figures = Figures()
        self.environment = {**os.environ, "PATH": os.path.join(build, "bin") + os.pathsep + os.environ["PATH"]}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *command, stdin=subprocess.DEVNULL):
        return subprocess.run(command, check=True, stdin=stdin, capture_output=True, text=True, env=self.environment).stdout

    def judge(self, name, sigmas, functions):
        print(f"{name}: {functions} functions; the worst of as many is {worst_of(functions, 0.5):.1f} standard deviations "
              "off in every other experiment")
        self.figures.add(f"{name}: worst deviation of a share", sigmas, "sigmas", round(worst_of(functions, 0.99), 2))

    def instrument(self, module, name, *options):
        instrumented = self.path(f"{name}.wasm")
        self.run("warpo-instrument", "-q", "--all", *options, module, "-o", instrumented,
                 f"--trace-point-mapping-file={self.path(name + '.map')}")
        return instrumented

    # ---- V8 ----

    def true_in_v8(self, node, name, program):
        inputs = os.path.join(ROOT, "test/real-modules/Inputs")
        output = self.run(node, os.path.join(inputs, "sampled.mjs"), os.path.join(inputs, program), self.path("v8"),
                          str(SAMPLES))
        functions, sigmas = re.search(r"functions (\d+), sigmas ([\d.]+)", output).groups()
        self.judge(f"{name} in V8", float(sigmas), int(functions))

    def cost_in_v8(self, node, name):
        script = os.path.join(ROOT, "benchmarks/fuel_v8.mjs")
        sampled = self.instrument(json.loads(self.run(node, script, name)), f"{name}.engine", "--instrumentation=sample",
                                  "--stack=engine")
        package = os.path.join(self.build, "share/warpo/js")

        def measure(*arguments):
            return json.loads(self.run(node, script, name, sampled, "20" if self.quick else "60", *arguments))

        pairs = [(measure(str(FREQUENCY), package), measure(str(NEVER))) for _ in range(3 if self.quick else 7)]
        none = statistics.median(checks["milliseconds"] for _, checks in pairs)
        ratio = 1 + statistics.median((taken["milliseconds"] - none) / taken["elapsed"] for taken, _ in pairs)
        self.figures.add(f"{name} in V8: {FREQUENCY} samples a second, times checks", ratio, "times", 1.05)

    # ---- Machine code ----

    def report(self, record, mapping, *options):
        """What each function has of its own."""
        rows = csv.reader(self.run("warpo-report", "--format=csv", "--top=0", f"--mapping={self.path(mapping + '.map')}",
                                   "--columns=self", "--no-progress", *options, record).splitlines())
        return {row[-1]: int(row[0]) for row in list(rows)[1:]}

    # wasm2c translates no exceptions, and these programs throw none.
    def native(self, name, module, argument, standard_input=os.devnull, exact=None):
        def record(instrumented, *options):
            with open(standard_input) as stdin:
                self.run("warpo-run", "-q", "--engine=native", f"--record={self.path('app.warpo')}", *options, instrumented,
                         "--", str(argument), stdin=stdin)
            return self.path("app.warpo")

        traced = self.instrument(module, f"{name}.trace", "--unwind=none", "--instrumentation=trace,fuel")
        known = self.report(record(traced, "--only-fuel"), f"{name}.trace", "--weight=fuel")
        if exact is not None and {name: fuel for name, fuel in known.items() if fuel} != exact:
            sys.exit(f"{name}: the fuel of its functions is not what is known")
        sampled = self.instrument(module, f"{name}.sample", "--unwind=none", "--instrumentation=sample")
        every = max(sum(known.values()) // SAMPLES, 1)
        found = self.report(record(sampled, f"--sample-every={every}"), f"{name}.sample", "--weight=samples")
        self.judge(f"{name} in machine code", *deviation(known, found))

    def cost_in_native(self, name, argument, standard_input=os.devnull):
        def seconds(option):
            command = ["warpo-run", "-q", "--engine=native", f"--record={self.path('app.warpo')}", option,
                       self.path(f"{name}.sample.wasm"), "--", str(argument)]
            command[0] = os.path.join(self.build, "bin/warpo-run")
            begin = time.monotonic()
            run = Run(["sh", "-c", f'exec "$0" "$@" < "{standard_input}"', *command])
            return run.seconds, time.monotonic() - begin

        pairs = [(seconds(f"--frequency={FREQUENCY}"), seconds(f"--sample-every={NEVER}"))
                 for _ in range(3 if self.quick else PAIRS)]
        taken, elapsed = min(with_samples for with_samples, _ in pairs)
        ratio = 1 + (taken - min(none for _, none in pairs)[0]) / elapsed
        self.figures.add(f"{name} in machine code: {FREQUENCY} samples a second, times checks", ratio, "times", 1.05)

    def cost_by_time(self, engine, name, module, argument, standard_input=os.devnull):
        timed = self.instrument(module, f"{name}.timed", "--unwind=none", "--instrumentation=sample", "--due=time", "--stack=memory")
        told = self.instrument(module, f"{name}.told", "--unwind=none", "--instrumentation=sample", "--due=time")
        record = f"--record={self.path('app.warpo')}"
        forms = {"plain": [module], "timed": [record, timed], "told": [record, told], "sampled": ["--sample", record, module]}

        def seconds(form):
            command = [os.path.join(self.build, "bin/warpo-run"), "-q", f"--engine={engine}", *forms[form], "--", str(argument)]
            return Run(["sh", "-c", f'exec "$0" "$@" < "{standard_input}" 2> {os.devnull}', *command]).seconds

        for form in forms:
            seconds(form)  # compiles
        least = dict.fromkeys(forms, math.inf)
        for _ in range(3 if self.quick else PAIRS):
            for form in forms:
                least[form] = min(least[form], seconds(form))
        print(f"{name} in {engine}: {least['plain']:.2f} s of CPU time as it is; --due=time with --stack=shadow "
              f"{least['told'] / least['plain']:.2f} times that")
        self.figures.add(f"{name} in {engine}: --due=time --stack=memory, times as it is", least["timed"] / least["plain"], "times", 1.35)
        self.figures.add(f"{name} in {engine}: --sample, times as it is", least["sampled"] / least["plain"], "times", 1.1)


def main():
    build, quick = start(__doc__, ["warpo-run", "warpo-instrument", "warpo-report", "warpo-js"])
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = Bench(build, folder, quick)
        for node in glob.glob(os.path.join(ROOT, "node_modules/node-linux-*/bin/node")):
            for name, program in ("sql.js", "sql.mjs"), ("QuickJS", "quickjs.mjs"), ("resvg", "resvg.mjs"):
                bench.true_in_v8(node, name, program)
                bench.cost_in_v8(node, name)

        text, exact = generated(functions=40, rounds=50)
        with open(bench.path("generated.wat"), "w") as file:
            file.write(text)
        module = bench.path("generated.plain.wasm")
        bench.run("wat2wasm", "--debug-names", bench.path("generated.wat"), "-o", module)
        bench.native("generated", module, 0, exact=exact)

        markdown = bench.path("markdown.plain.wasm")
        example = os.path.join(ROOT, "examples/markdown")
        subprocess.run(["node", os.path.join(ROOT, "node_modules/assemblyscript/bin/asc.js"), "-o", markdown], cwd=example,
                       check=True)
        document = os.path.join(example, "document.md")
        bench.native("markdown", markdown, 2, document)
        bench.cost_in_native("markdown", 20 if quick else 100, document)
        bench.cost_by_time("native", "markdown", markdown, 400, document)
        bench.cost_by_time("interp", "markdown", markdown, 1, document)
        if shutil.which("clang-19") and os.path.isdir(WASI_LIBRARY):
            library = bench.path("library.plain.wasm")
            subprocess.run(["clang-19", "--target=wasm32-wasi", "-O2",
                            os.path.join(ROOT, "benchmarks/fuel_c_library.c"), "-o", library], check=True)
            bench.native("C library", library, 2)
            bench.cost_in_native("C library", 20 if quick else 100)
            bench.cost_by_time("native", "C library", library, 20)
            bench.cost_by_time("interp", "C library", library, 1)
    sys.exit(1 if bench.figures.missed else 0)


if __name__ == "__main__":
    main()
