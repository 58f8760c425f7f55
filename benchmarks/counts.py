#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what counting costs in V8 (npm's new Node), and what hints of branches are worth there.

  benchmarks/counts.py [--build build] [--quick] [PROGRAM...]

Each program runs as it is, counting fuel, with counters on a spanning tree, with a counter for each run, and as it is with hints that
the counts have given; where it has two inputs, the hinted one with that which was not counted. A run is a process of its own; the forms take turns, and of each
the least CPU time of several runs counts. Prints the input of each program, how many counters it has, and the ratios. Exit code 1 if a figure
is missed.
"""

import json
import math
import os
import subprocess

from measure import Workshop, bench_programs

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# How many rounds take about 300 ms.
ROUNDS = {"sql.js": 6, "QuickJS": 40, "resvg": 6, "tree-sitter": 30}
FORMS = {"fuel": ["fuel"], "tree": ["counts"], "all": ["counts", "--counters=all"]}


class Bench(Workshop):
    def __init__(self, node, build, folder, quick):
        super().__init__(build, folder, quick)
        self.node = node
        self.ratios = {"tree": [], "hinted": []}

    def ask(self, *arguments):
        script = os.path.join(ROOT, "benchmarks/counts_v8.mjs")
        return json.loads(subprocess.run([self.node, *(str(each) for each in [script, *arguments])], check=True,
                                         stdout=subprocess.PIPE).stdout)

    def call(self, tool, *arguments):
        return subprocess.run([self.tool(tool), *arguments], check=True, stderr=subprocess.PIPE, text=True).stderr

    def instrument(self, form, modules):
        instrumentation, *options = FORMS[form]
        for number, module in enumerate(modules):
            output = self.path(f"{number}.{form}.wasm")
            self.call("warpo-instrument", "-q", f"--instrumentation={instrumentation}", *options, module, "-o", output)
            yield output

    def hint(self, counts, modules):
        for number, module in enumerate(modules):
            output = self.path(f"{number}.hinted.wasm")
            print("    " + self.call("warpo-reorder", f"--counts={counts}", module, "-o", output).strip().split("\n")[0])
            yield output

    def measure(self, name):
        about = self.ask(name)
        plain = about["modules"]
        print(f"{name}: {about['input']}")
        forms = {form: list(self.instrument(form, plain)) for form in FORMS}
        counts = self.path("app.counts")
        package = os.path.join(self.build, "share/warpo/js")
        self.ask(f"--counts={counts}", package, name, 1, "first", *forms["tree"])
        hinted = list(self.hint(counts, plain))
        other = "first" if about.get("other") is None else "other"
        if other == "other":
            print(f"    hinted: {about['other']}")
        runs = {"plain": ("first", plain), **{form: ("first", modules) for form, modules in forms.items()},
                "plain for hinted": (other, plain), "hinted": (other, hinted)}
        least = {}
        for _ in range(3 if self.quick else 11):
            for form, (which, modules) in runs.items():
                least[form] = min(self.ask(name, ROUNDS[name], which, *modules), least.get(form, math.inf))
        for form in FORMS:
            ratio = least[form] / least["plain"]
            if form == "tree":
                self.ratios["tree"].append(ratio)
                self.figures.add(f"{name}: counting, times as it is", ratio, "times", 1.25)
            else:
                print(f"    {form}: {ratio:.2f} times as it is")
        ratio = least["hinted"] / least["plain for hinted"]
        self.ratios["hinted"].append(ratio)
        self.figures.add(f"{name}: with hints, times as it is", ratio, "times", 1.02)

    def finish(self):
        for form, limit in ("tree", 1.20), ("hinted", 0.98):
            ratios = self.ratios[form]
            self.figures.add(f"geometric mean, {form}", math.exp(sum(map(math.log, ratios)) / len(ratios)), "times", limit)


if __name__ == "__main__":
    bench_programs(__doc__, ROUNDS, ["warpo-instrument", "warpo-reorder", "warpo-js"], Bench)
