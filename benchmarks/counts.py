#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what counting costs in V8 (npm's new Node) and in machine code, and what hints of branches are worth in V8.

  benchmarks/counts.py [--build build] [--quick] [PROGRAM...]

Each program runs as it is, counting fuel, with counters on a spanning tree, with a counter for each run, and as it is with hints that
the counts have given; where it has two inputs, the hinted one with that which was not counted. A run is a process of its own; the forms take turns, and of each
the least CPU time of several runs counts. Prints the input of each program, how many counters it has, and the ratios. Programs of npm's are
measured behind a warm-up; those that clang has compiled (Lua, SQLite, and C++ that reads JSON) as a whole process of warpo-run with the start of its
engine, but with hints behind a warm-up, too: in processes in which both modules take turns, of which the median of the ratios counts. `rewriting` is the speed of warpo-instrument on DuckDB, `reading` how long an instance's counters take to be fetched, `annotating` what
warpo-annotate takes for SQLite. Exit code 1 if a figure is missed.
"""

import json
import math
import os
import shutil
import statistics
import subprocess
import sys

from measure import Run, Workshop, answer_of, bench_programs

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.append(os.path.join(ROOT, "test/support"))
import leb128
import lua
import sqlite_inputs

# How many rounds take about 300 ms.
ROUNDS = {"sql.js": 6, "QuickJS": 40, "resvg": 6, "tree-sitter": 30}
# A second, of the input that runs with hints: these gain a few percent, and a thread's CPU time is known to 4 ms.
HINTED_ROUNDS = {"sql.js": 240, "QuickJS": 160, "resvg": 24, "tree-sitter": 120}
FORMS = {"fuel": ["fuel"], "tree": ["counts"], "all": ["counts", "--counters=all"]}
COMPILED = os.path.join(ROOT, "benchmarks/compiled")
DUCKDB = "node_modules/@duckdb/duckdb-wasm/dist/duckdb-mvp.wasm"
TARGET = ["--target=wasm32-wasi", "-O2", "-w"]
LUA_FLAGS = ["-DLUAI_THROW(L,c)=__builtin_trap()", "-DLUAI_TRY(L,c,a)={a}", "-Dluai_jmpbuf=int", "-Dluai_makeseed()=0",
             "-Dl_randomizePivot()=0"]
SQLITE_FLAGS = ["-DSQLITE_OS_OTHER", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_TEMP_STORE=3",
                "-DSQLITE_OMIT_WAL", "-DSQLITE_OMIT_LOCALTIME"]


def lua_command():
    code, guest = os.path.join(ROOT, "node_modules/lua-src/src"), os.path.join(ROOT, "examples/lua-guest")
    return ["clang-19", *TARGET, *LUA_FLAGS, f"-I{guest}/include", f"-I{code}", f"{guest}/lua.c", *lua.sources(code)]


def sqlite_command():
    code = os.path.join(ROOT, "node_modules/better-sqlite3/deps/sqlite3")
    return ["clang-19", *TARGET, *SQLITE_FLAGS, f"-I{code}", os.path.join(COMPILED, "sqlite.c"), f"{code}/sqlite3.c"]


def json_command():
    return ["clang++-19", *TARGET, "-std=c++20", "-fno-exceptions", os.path.join(COMPILED, "json.cpp")]


def json_text(rounds, of_numbers):
    """Lists of objects; of numbers mostly, or of texts."""
    items = [{"id": i * 7919 % 10007, "position": [i / 3, -i, i * 1e-5], "on": i % 3 == 0} if of_numbers else
             {"name": f"item {i * 31 % 977}", "words": ["the quick \"brown\" fox", "jumps\nover"], "next": None, "of": {"x": str(i)}}
             for i in range(2000)]
    return f"{rounds} {json.dumps(items)}"


class Compiled:
    """A program that clang compiles and that reads its standard input: what is counted (`first`), and what is run with hints (`other`)."""

    def __init__(self, command, first, other, hinted_limit=1.02):
        self.command, self.inputs, self.about = command, {"first": first[1], "other": other[1]}, (first[0], other[0])
        self.hinted_limit = hinted_limit


COMPILED_PROGRAMS = {
    "Lua": Compiled(lua_command, ("fib, and words sorted",
                                  """local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local words = {}
for i = 1, 60000 do words[#words + 1] = string.format("%d-%s", i * 7919 % 10007, ("x"):rep(i % 7)) end
table.sort(words)
print(fib(29), #table.concat(words), words[100])"""),
                    ("a sieve, and words found in a text",
                     """local sieve, count = {}, 0
for i = 2, 5000000 do
  if not sieve[i] then count = count + 1 for j = i * i, 5000000, i do sieve[j] = true end end
end
local text = ("the quick brown fox "):rep(20000)
local sum = 0
for word in text:gmatch("%a+") do sum = sum + #word:upper() end
print(count, sum)""")),
    "SQLite": Compiled(sqlite_command, ("a log of readings of the weather", sqlite_inputs.text(1, sqlite_inputs.weather, 50)),
                       ("a shop, with its customers and their orders", sqlite_inputs.text(1, sqlite_inputs.shop, 50)),
                       hinted_limit=0.95),
    "C++ JSON": Compiled(json_command, ("objects of numbers", json_text(150, True)), ("objects of texts", json_text(300, False))),
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
        return answer_of([self.node, script, *map(str, arguments)])

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

    def counters_of(self, modules, *options):
        """How many counters modules would get: their new globals."""
        def count(module):
            counted = self.path("counters.wasm")
            self.call("warpo-instrument", "-q", "--instrumentation=counts", *options, module, "-o", counted)
            return globals_in(counted) - globals_in(module)
        return sum(map(count, modules))

    def share(self, name, counts, modules):
        runs = 0
        for module in modules:
            table = self.path("counts.csv")
            self.call("warpo-annotate", f"--module-file={module}", "--format=csv", counts, "-o", table)
            with open(table, encoding="utf-8") as file:
                runs += sum(line.startswith("run,") for line in file)
        counters = self.counters_of(modules, "--unwind=none")
        self.figures.add(f"{name}: {counters} counters, of {runs} runs", 100 * counters / runs, "%", 65)
        print(f"    and {self.counters_of(modules) - counters} of functions that exceptions may leave")

    def measure(self, name):
        if name == "rewriting":
            self.measure_rewriting()
        elif name == "reading":
            self.measure_reading()
        elif name == "annotating":
            self.measure_annotating()
        elif name in COMPILED_PROGRAMS:
            self.measure_compiled(name, COMPILED_PROGRAMS[name])
        else:
            self.measure_npm(name)

    def measure_rewriting(self):
        module = os.path.join(ROOT, DUCKDB)
        command = [self.tool("warpo-instrument"), "-q", "--instrumentation=counts", module, "-o", self.path("duckdb.wasm")]
        runs = [Run(command) for _ in range(2 if self.quick else 5)]
        megabytes = os.path.getsize(module) / 1e6
        self.figures.add("rewriting, elapsed", megabytes / min(run.elapsed for run in runs), "MB/s", 100, at_least=True)
        print(f"    of CPU time on all cores: {megabytes / min(run.seconds for run in runs):.0f} MB/s")

    def measure_reading(self):
        """The counters of a module of 1400 functions, each of 500 conditions."""
        plain = self.path("conditions.wasm")
        conditions = "(if (local.get 0) (then (nop)))" * 500
        with open(self.path("conditions.wat"), "w", encoding="utf-8") as file:
            file.write(f"(module {f'(func (param i32) {conditions})' * 1400})")
        subprocess.run(["wat2wasm", file.name, "-o", plain], check=True)
        counted = next(self.instrument("tree", [plain]))
        command = [self.node, os.path.join(ROOT, "benchmarks/counts_read.mjs"), os.path.join(self.build, "share/warpo/js"), counted]
        seconds = min(answer_of(command)["seconds"] for _ in range(2 if self.quick else 5))
        self.figures.add(f"reading {globals_in(counted)} counters, elapsed", seconds, "s", 1)

    def measure_annotating(self):
        """SQLite with debug information."""
        plain, counts = self.path("debug.wasm"), self.path("debug.counts")
        compiler, *arguments = sqlite_command()
        # A wasm-opt that clang finds would remove the debug information.
        subprocess.run([shutil.which(compiler), f"-fuse-ld={shutil.which('wasm-ld-19')}", *arguments, "-g", "-o", plain], check=True,
                       env={"PATH": ""})
        self.write_inputs(COMPILED_PROGRAMS["SQLite"])
        self.run_compiled("node", "first", next(self.instrument("tree", [plain])), f"--record={counts}")
        command = [self.tool("warpo-annotate"), f"--module-file={plain}", counts, "-o", self.path("annotated")]
        for form in "text", "html", "lcov", "cobertura", "sample-profile":
            runs = [Run([*command, f"--format={form}"]) for _ in range(2 if self.quick else 5)]
            self.figures.add(f"annotating, {form}, of CPU time", min(run.seconds for run in runs), "s", 1)
            self.figures.add(f"annotating, {form}: memory", max(run.megabytes for run in runs), "MB", 100)

    def write_inputs(self, program):
        for which, text in program.inputs.items():
            with open(self.path(f"{which}.txt"), "w", encoding="utf-8") as file:
                file.write(text)

    def run_compiled(self, engine, which, module, *options):
        command = [self.tool("warpo-run"), "-q", f"--engine={engine}", *options, module]
        # Where nothing is said, counts go to the folder that it runs in.
        return Run(["sh", "-c", f'cd "{self.folder}" && "$@" < {which}.txt', "sh", *command]).seconds

    def measure_compiled(self, name, program):
        plain = self.path("plain.wasm")
        subprocess.run([*program.command(), "-o", plain], check=True)
        self.write_inputs(program)
        forms = {form: next(self.instrument(form, [plain])) for form in FORMS}
        counts = self.path("compiled.counts")
        self.run_compiled("node", "first", forms["tree"], f"--record={counts}")
        print(f"{name}: {program.about[0]}")
        self.share(name, counts, [plain])
        hinted = next(self.hint(counts, [plain]))
        print(f"    hinted: {program.about[1]}")
        runs = {("node", "first", form): module for form, module in {"plain": plain, **forms}.items()}
        runs.update({("native", "first", form): module for form, module in {"plain": plain, "tree": forms["tree"]}.items()})
        for (engine, which, _), module in runs.items():
            if engine == "native":
                self.run_compiled(engine, which, module)  # compiles
        least = {}
        for _ in range(3 if self.quick else 11):
            for run, module in runs.items():
                least[run] = min(self.run_compiled(*run[:2], module), least.get(run, math.inf))
        ratio = {run: seconds / least[run[0], run[1], "plain"] for run, seconds in least.items()}
        for form in FORMS:
            self.add_counting(name, form, ratio["node", "first", form])
        self.ratios["tree, machine code"].append(ratio["native", "first", "tree"])
        self.figures.add(f"{name}, machine code: counting, times as it is", ratio["native", "first", "tree"], "times", 1.15)
        self.add_hinted(name, self.pairs(plain, hinted), program.hinted_limit)

    def pairs(self, plain, hinted):
        """The median ratio, over processes with several pairs of runs each: processes differ more than the pairs of one."""
        script = os.path.join(ROOT, "benchmarks/counts_pairs.mjs")
        pairs = "2" if self.quick else "5"
        times = [answer_of([self.node, "--no-warnings", "--expose-gc", script, "4", pairs, self.path("other.txt"), plain, hinted])
                 for _ in range(1 if self.quick else 15)]
        return statistics.median(after / before for each in times for before, after in each)

    def add_counting(self, name, form, ratio):
        if form == "tree":
            self.ratios["tree"].append(ratio)
            self.figures.add(f"{name}: counting, times as it is", ratio, "times", 1.25)
        else:
            print(f"    {form}: {ratio:.2f} times as it is")

    def add_hinted(self, name, ratio, limit=1.02):
        self.ratios["hinted"].append(ratio)
        self.figures.add(f"{name}: with hints, times as it is", ratio, "times", limit)

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
                rounds = (HINTED_ROUNDS if "hinted" in form else ROUNDS)[name]
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
    bench_programs(__doc__, ["rewriting", "reading", "annotating", *ROUNDS, *COMPILED_PROGRAMS],
                   ["warpo-instrument", "warpo-reorder", "warpo-annotate", "warpo-run", "warpo-js"], Bench)
