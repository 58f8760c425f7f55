#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what counting costs in V8 (npm's new Node) and in machine code, and what hints of branches are worth in V8.

  benchmarks/counts.py [--build build] [--quick] [PROGRAM...]

Each program runs as it is, counting fuel, with counters on a spanning tree, with a counter for each run, and as it is with hints that
the counts have given; where it has two inputs, the hinted one with that which was not counted. A run is a process of its own; the forms take turns, and of each
the least CPU time of several runs counts. Prints the input of each program, how many counters it has, and the ratios. Programs of npm's are
measured behind a warm-up; Lua, which clang has compiled, as a whole process of warpo-run with the start of its engine. `rewriting` is the
speed of warpo-instrument on DuckDB. Exit code 1 if a figure is missed.
"""

import json
import math
import os
import subprocess
import sys

from measure import Run, Workshop, bench_programs

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.append(os.path.join(ROOT, "test/support"))
import leb128
import lua

# How many rounds take about 300 ms.
ROUNDS = {"sql.js": 6, "QuickJS": 40, "resvg": 6, "tree-sitter": 30}
# The same of another input.
OTHER_ROUNDS = {"sql.js": 60, "QuickJS": 40}
FORMS = {"fuel": ["fuel"], "tree": ["counts"], "all": ["counts", "--counters=all"]}
DUCKDB = "node_modules/@duckdb/duckdb-wasm/dist/duckdb-mvp.wasm"
LUA_FLAGS = ["--target=wasm32-wasi", "-O2", "-w", "-DLUAI_THROW(L,c)=__builtin_trap()", "-DLUAI_TRY(L,c,a)={a}", "-Dluai_jmpbuf=int",
             "-Dluai_makeseed()=0", "-Dl_randomizePivot()=0"]
# What is counted, and what is run with hints.
LUA_SCRIPTS = {
    "first": """local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local words = {}
for i = 1, 60000 do words[#words + 1] = string.format("%d-%s", i * 7919 % 10007, ("x"):rep(i % 7)) end
table.sort(words)
print(fib(29), #table.concat(words), words[100])""",
    "other": """local sieve, count = {}, 0
for i = 2, 1200000 do
  if not sieve[i] then count = count + 1 for j = i * i, 1200000, i do sieve[j] = true end end
end
local text = ("the quick brown fox "):rep(4000)
local sum = 0
for word in text:gmatch("%a+") do sum = sum + #word:upper() end
print(count, sum)""",
}


def globals_in(path):
    """How many globals of its own a module has."""
    with open(path, "rb") as file:
        data = file.read()

    at = 8
    while at < len(data):
        kind = data[at]
        size, contents = leb128.unsigned(data, at + 1)
        if kind == 6:
            return leb128.unsigned(data, contents)[0]
        at = contents + size
    return 0


class Bench(Workshop):
    def __init__(self, node, build, folder, quick):
        super().__init__(build, folder, quick)
        self.node = node
        # Where warpo-run looks for it.
        os.environ["PATH"] = os.path.dirname(node) + os.pathsep + os.environ["PATH"]
        self.ratios = {"tree": [], "tree, machine code": [], "hinted": []}

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

    def counters_of(self, module):
        """How many counters a module would get: its new globals."""
        counted = self.path("counters.wasm")
        self.call("warpo-instrument", "-q", "--instrumentation=counts", module, "-o", counted)
        return globals_in(counted) - globals_in(module)

    def share(self, name, counts, modules):
        runs = 0
        for module in modules:
            table = self.path("counts.csv")
            self.call("warpo-annotate", f"--module-file={module}", "--format=csv", counts, "-o", table)
            with open(table, encoding="utf-8") as file:
                runs += sum(line.startswith("run,") for line in file)
        counters = sum(map(self.counters_of, modules))
        self.figures.add(f"{name}: {counters} counters, of {runs} runs", 100 * counters / runs, "%", 65)

    def measure(self, name):
        if name == "rewriting":
            self.measure_rewriting()
        elif name == "Lua":
            self.measure_lua()
        else:
            self.measure_npm(name)

    def measure_rewriting(self):
        module = os.path.join(ROOT, DUCKDB)
        command = [self.tool("warpo-instrument"), "-q", "--instrumentation=counts", module, "-o", self.path("duckdb.wasm")]
        seconds = min(Run(command).seconds for _ in range(2 if self.quick else 5))
        self.figures.add("rewriting, of CPU time", os.path.getsize(module) / seconds / 1e6, "MB/s", 100, at_least=True)

    def compile_lua(self):
        sources, guest = os.path.join(ROOT, "node_modules/lua-src/src"), os.path.join(ROOT, "examples/lua-guest")
        output = self.path("lua.wasm")
        subprocess.run(["clang-19", *LUA_FLAGS, f"-I{guest}/include", f"-I{sources}", f"{guest}/lua.c",
                        *lua.sources(sources), "-o", output], check=True)
        return output

    def run_lua(self, engine, script, module, *options):
        command = [self.tool("warpo-run"), "-q", f"--engine={engine}", *options, module]
        # Where nothing is said, counts go to the folder that it runs in.
        return Run(["sh", "-c", f'cd "{self.folder}" && "$@" < {script}.lua', "sh", *command]).seconds

    def measure_lua(self):
        plain = self.compile_lua()
        for script, text in LUA_SCRIPTS.items():
            with open(self.path(f"{script}.lua"), "w", encoding="utf-8") as file:
                file.write(text)
        forms = {form: next(self.instrument(form, [plain])) for form in FORMS}
        counts = self.path("lua.counts")
        self.run_lua("node", "first", forms["tree"], f"--record={counts}")
        print("Lua: fib, and words sorted")
        self.share("Lua", counts, [plain])
        hinted = next(self.hint(counts, [plain]))
        print("    hinted: a sieve, and words found in a text")
        runs = {("node", "first", form): module for form, module in {"plain": plain, **forms}.items()}
        runs.update({("native", "first", form): module for form, module in {"plain": plain, "tree": forms["tree"]}.items()})
        runs.update({("node", "other", "plain"): plain, ("node", "other", "hinted"): hinted})
        for (engine, script, _), module in runs.items():
            if engine == "native":
                self.run_lua(engine, script, module)  # compiles
        least = {}
        for _ in range(3 if self.quick else 11):
            for run, module in runs.items():
                least[run] = min(self.run_lua(*run[:2], module), least.get(run, math.inf))
        ratio = {run: seconds / least[run[0], run[1], "plain"] for run, seconds in least.items()}
        for form in FORMS:
            self.add_counting("Lua", form, ratio["node", "first", form])
        self.ratios["tree, machine code"].append(ratio["native", "first", "tree"])
        self.figures.add("Lua, machine code: counting, times as it is", ratio["native", "first", "tree"], "times", 1.15)
        self.add_hinted("Lua", ratio["node", "other", "hinted"])

    def add_counting(self, name, form, ratio):
        if form == "tree":
            self.ratios["tree"].append(ratio)
            self.figures.add(f"{name}: counting, times as it is", ratio, "times", 1.25)
        else:
            print(f"    {form}: {ratio:.2f} times as it is")

    def add_hinted(self, name, ratio):
        self.ratios["hinted"].append(ratio)
        self.figures.add(f"{name}: with hints, times as it is", ratio, "times", 1.02)

    def measure_npm(self, name):
        about = self.ask(name)
        plain = about["modules"]
        print(f"{name}: {about['input']}")
        forms = {form: list(self.instrument(form, plain)) for form in FORMS}
        counts = self.path("app.counts")
        package = os.path.join(self.build, "share/warpo/js")
        self.ask(f"--counts={counts}", package, name, 1, "first", *forms["tree"])
        self.share(name, counts, plain)
        hinted = list(self.hint(counts, plain))
        other = "first" if about.get("other") is None else "other"
        if other == "other":
            print(f"    hinted: {about['other']}")
        runs = {"plain": ("first", plain), **{form: ("first", modules) for form, modules in forms.items()},
                "plain for hinted": (other, plain), "hinted": (other, hinted)}
        least = {}
        for _ in range(3 if self.quick else 11):
            for form, (which, modules) in runs.items():
                rounds = (OTHER_ROUNDS if which == "other" else ROUNDS)[name]
                least[form] = min(self.ask(name, rounds, which, *modules), least.get(form, math.inf))
        for form in FORMS:
            self.add_counting(name, form, least[form] / least["plain"])
        self.add_hinted(name, least["hinted"] / least["plain for hinted"])

    def finish(self):
        for form, limit in ("tree", 1.20), ("tree, machine code", 1.12), ("hinted", 0.98):
            ratios = self.ratios[form]
            if not ratios:
                continue
            self.figures.add(f"geometric mean, {form}", math.exp(sum(map(math.log, ratios)) / len(ratios)), "times", limit)


if __name__ == "__main__":
    bench_programs(__doc__, ["rewriting", *ROUNDS, "Lua"],
                   ["warpo-instrument", "warpo-reorder", "warpo-annotate", "warpo-run", "warpo-js"], Bench)
