#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it costs to record heaps (--instrumentation=heap) and to read what was recorded.

  benchmarks/heap.py [--build build] [--quick] [PROGRAM...]

Each program runs in npm's new Node as it is, recorded, and (but for sql.js) with `--heap-stack=memory` and sampled 512 KiB apart with the engine's stack. How much of the latter no recorder can
avoid is shown by a run without warpo in which each call of an allocator calls an empty function. Each run is a process of its own, in turn; of each the least CPU time of all threads
of several runs counts: of sql.js behind a warm-up, of the others (Lua, and C++, compiled by clang, Rust by rustc, AssemblyScript by asc) the
whole process of warpo-run with the start of its engine. The size is that of the record with all that is in it, by heap events. `reading` makes the
table of a record of millions of events: CPU time of warpo-report, and its memory by what was live. Exit code 1 if a figure is missed.
"""

import contextlib
import csv
import math
import os
import subprocess
import sys
import tempfile

import counts
from measure import Run, Workshop, answer_of, bench_programs, rust_compiler

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
ROUNDS = 30
# What its JavaScript calls _malloc and _free; its realloc has no name.
SQL_JS = "alloc:Ia(size)->address,free:Ja(address)"

LUA_SCRIPT = """local kept, sum = {}, 0
for round = 1, 24 do
  local words = {}
  for i = 1, 60000 do words[#words + 1] = { string.format("%d-%s", i * 7919 % 10007, ("x"):rep(i % 7)), i } end
  for i = 1, #words, 7 do sum = sum + #words[i][1] end
  kept[round % 3] = words
end
print(sum)"""

RUST = """use std::collections::BTreeMap;
fn main() {
    let mut kept: Vec<BTreeMap<String, Vec<usize>>> = Vec::new();
    for round in 0..36 {
        let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for i in 0..60000usize {
            words.entry("x".repeat(i % 40) + &(i * 7919 % 10007).to_string()).or_default().push(i);
        }
        if round % 3 == 0 { kept.push(words); }
    }
    println!("{}", kept.iter().map(|words| words.len()).sum::<usize>());
}"""

ASSEMBLYSCRIPT = """class Word { constructor(public text: string, public places: i32[]) {} }
export function run(): i32 {
  let sum = 0;
  for (let round = 0; round < 36; ++round) {
    const kept = new Map<string, Word>();
    for (let i = 0; i < 40000; ++i) {
      const text = "word " + (i * 7919 % 10007).toString();
      if (!kept.has(text)) kept.set(text, new Word(text, []));
      kept.get(text).places.push(i);
    }
    sum += kept.size;
  }
  return sum;
}"""


def linked(command):
    """Compiles and links a program in two steps: clang hands it to a wasm-opt that is there by chance if it links with -O, which takes names away."""
    def build(bench, output):
        objects = tempfile.mkdtemp(dir=bench.folder)
        subprocess.run([*(os.path.abspath(part) if os.path.exists(part) else part for part in command()), "-c"], check=True, cwd=objects)
        files = [os.path.join(objects, name) for name in os.listdir(objects)]
        subprocess.run([command()[0], "--target=wasm32-wasi", *files, "-o", output], check=True)
    return build


def compiled(name, text, command):
    def build(bench, output):
        source = bench.path(name)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([*command(), source, "-o", output], check=True)
    return build


def rust_command():
    return rust_compiler() or sys.exit("no compiler of Rust for WebAssembly is installed: utils/setup --test")


def asc_command():
    return ["node", os.path.join(ROOT, "node_modules/assemblyscript/bin/asc.js"), "--debug"]


# How each is made, what it reads, and how it is run.
COMPILED = {
    "Lua": (linked(counts.lua_command), LUA_SCRIPT, []),
    "C++ JSON": (linked(counts.json_command), counts.json_text(160, False), []),
    "Rust": (compiled("app.rs", RUST, rust_command), "", []),
    "AssemblyScript": (compiled("app.ts", ASSEMBLYSCRIPT, asc_command), "", ["--invoke=run"]),
}


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    return path


class Bench(Workshop):
    def __init__(self, node, build, folder, quick):
        super().__init__(build, folder, quick)
        self.node = node
        # Where warpo-run looks for it.
        os.environ["PATH"] = os.path.dirname(node) + os.pathsep + os.environ["PATH"]
        self.record = self.path("app.warpo")

    def instrument(self, module, *options, name="heap"):
        output = self.path(f"{name}.wasm")
        subprocess.run([self.tool("warpo-instrument"), "-q", "--instrumentation=heap", *options, module, "-o", output], check=True, stderr=subprocess.DEVNULL)
        return output

    def events_of(self, record):
        # Not read here: the memory of what this starts would begin with that of this.
        command = [self.tool("warpo-record-dump"), "--format=yaml", record]
        return int(subprocess.run(["sh", "-c", '"$@" | grep -c "^  - heap: .[afr]"', "sh", *command], check=True, stdout=subprocess.PIPE).stdout)

    def measure(self, name):
        if name == "reading":
            self.measure_reading()
            return
        runs = self.compiled(name) if name in COMPILED else self.sql_js()
        least = [math.inf] * len(runs)
        for _ in range(3 if self.quick else 9):
            least = [min(known, run()) for known, run in zip(least, runs)]
        events = self.events_of(self.record)
        print(f"{name}: {least[0]:.2f} s, {events} heap events")
        self.figures.add(f"{name}: exact, times as it is", least[1] / least[0], "times", 2.2)
        if len(runs) > 2:
            self.figures.add(f"{name}: sampled, times as it is", least[3] / least[0], "times", 1.15)
            print(f"    {least[2] / least[0]:.2f} times with --heap-stack=memory")
            print(f"    {least[5] / least[4]:.2f} times with an empty function in the recorder's place")
        packed = self.path("packed.warpo")
        subprocess.run([self.tool("warpo-record-dump"), "--format=warpo", "--compress", self.record, "-o", packed], check=True)
        self.figures.add(f"{name}: record", os.path.getsize(self.record) / events, "B/event", 6)
        self.figures.add(f"{name}: record with zstd", os.path.getsize(packed) / events, "B/event", 2.5)

    def compiled(self, name):
        build, text, options = COMPILED[name]
        module = self.path(f"{name.replace(' ', '')}.wasm")
        build(self, module)
        with open(self.path("input.txt"), "w", encoding="utf-8") as file:
            file.write(text)
        heap = self.instrument(module)
        memory = self.instrument(module, "--heap-stack=memory", name="memory")
        sampled = self.instrument(module, "--heap-stack=engine", name="sampled")
        record = self.path("sampled.warpo")

        def run(path, *recording):
            # To overwrite one, file systems free its pages, and some write all of the new one at once.
            for option in recording:
                if option.startswith("--record="):
                    remove(option.removeprefix("--record="))
            command = [self.tool("warpo-run"), "-q", "--engine=node", *options, *recording, path]
            return Run(["sh", "-c", f'"$@" < {self.path("input.txt")}', "sh", *command]).seconds

        def run_empty(path):
            script = os.path.join(ROOT, "benchmarks/empty_import.mjs")
            entry = [option.removeprefix("--invoke=") for option in options]
            return Run(["sh", "-c", f'"$@" < {self.path("input.txt")}', "sh", self.node, "--no-warnings", script, path, *entry]).seconds
        return (lambda: run(module), lambda: run(heap, f"--record={self.record}"), lambda: run(memory, f"--record={record}"),
                lambda: run(sampled, f"--record={record}", "--heap-sample-every=512KiB"), lambda: run_empty(module), lambda: run_empty(sampled))

    def sql_js(self):
        def ask(*arguments):
            script = os.path.join(ROOT, "benchmarks/programs_v8.mjs")
            return answer_of([self.node, script, "sql.js", *map(str, arguments)])
        heap = self.instrument(ask()["modules"][0], f"--allocator={SQL_JS}")
        package = os.path.join(self.build, "share/warpo/js")
        return (lambda: ask(ROUNDS)["process"] / 1000,
                lambda: ask(ROUNDS, package, remove(self.record), "exact", "block", heap)["process"] / 1000)

    def measure_reading(self):
        """Of Lua's record, which it makes anew with more in it."""
        recorded = self.compiled("Lua")[1]
        with open(self.path("input.txt"), "w", encoding="utf-8") as file:
            file.write(LUA_SCRIPT.replace("1, 24", f"1, {24 if self.quick else 100}"))
        recorded()
        events = self.events_of(self.record)
        table = [self.tool("warpo-report"), "--heap", self.record, "-o", self.path("table.txt")]
        runs = [Run(table) for _ in range(3 if self.quick else 7)]
        self.figures.add(f"reading, {events} events", events / min(run.seconds for run in runs) / 1e6, "M/s", 20, at_least=True)
        rows = csv.DictReader(subprocess.run([*table[:2], "--format=csv", self.record], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines())
        live = next(row["objects"] for row in rows if row["what"] == "at the peak" and row["objects"])
        print(f"    in {max(run.megabytes for run in runs):.0f} MB, with {live} objects at most")


if __name__ == "__main__":
    bench_programs(__doc__, ["sql.js", *COMPILED, "reading"],
                   ["warpo-instrument", "warpo-record-dump", "warpo-report", "warpo-run", "warpo-js"], Bench)
