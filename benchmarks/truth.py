#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what each way to record says of a program with V8's own profile of the program as it is, in another process.

  benchmarks/truth.py [--build build] [--quick] [PROGRAM...]

For each function of more than 1 % of the time in V8's profiles of a few plain runs (`node --cpu-prof`), averaged: its share there, and how
far apart these runs are (`+-`); then its share by samples of the program as it is, of as many runs, by traces with the clocks `exact` and
`thread`, as recorded and with --subtract-overhead, by a trace with --time-from, and by fuel; of commands of WASI, by a trace of the machine
code of engine `native` too. Only functions of the module count. Time of those that `warpo record --trace` leaves out counts for their callers
wherever a trace is compared. Below that, for each way: the worst deviation and that of functions above 5 %, in points; which ranks it gives to
the hottest ten; how long the functions took, times as long as in the plain run, in CPU time of its thread; for traces, times as long as in one without
inlining; how much of the former was the probes', by the plain run, all of the fastest run; and CPU time of the whole process, times the plain one's, the least of all runs. Samples count, not the time between them, which contains what the
thread waited for a processor. Traces and fuel show what V8 would inline as functions, so their shares are compared with V8's profiles of runs
in which it inlines nothing, where the version of Node has an option for that; samples and times are compared with the program as it is. Exit code 1 if a figure is missed.
"""

import csv
import functools
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

from measure import Workshop, answer_of, build_targets, parser, rust_compiler
from plain_samples import TABLE, compile_example

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
SCRIPT = os.path.join(ROOT, "benchmarks/truth_v8.mjs")
DOCUMENT = os.path.join(ROOT, "examples/markdown/document.md")
# Words of a text are counted, and sorted by how many there are.
WORDS = """use std::collections::HashMap;
fn next(seed: &mut u32) -> u32 {
    *seed = seed.wrapping_mul(1103515245).wrapping_add(12345);
    *seed >> 8
}
fn word(seed: &mut u32) -> String {
    let length = 2 + next(seed) % 3;
    (0..length).map(|_| char::from(b'a' + (next(seed) % 6) as u8)).collect()
}
fn main() {
    let rounds: u32 = std::env::args().nth(1).map_or(0, |text| text.parse().unwrap());
    let mut seed = 1;
    for _ in 0..rounds {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for _ in 0..20000 {
            *counts.entry(word(&mut seed)).or_default() += 1;
        }
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        println!("{:?}", sorted.first());
    }
}
"""
# Rounds of a second and more in all, as V8's profiles of shorter runs differ from each other by ten points: which code was optimised when
# is chance. Of commands the argument too, and for engine native another one. A fifth with --quick.
ROUNDS = {"sql.js": 30, "QuickJS": 150, "resvg": 15, "canvaskit": 5}
COMMANDS = {"C": (5, "2", "20"), "Rust": (10, "40", "400"), "AssemblyScript": (15, "60", "600")}
# Plain runs, as many with samples, and with clock `exact`.
RUNS = 3
# Of each plain run, of each trace with clock `thread`, and of those in machine code: the machine's speed changes within seconds, by up to
# a half.
TRIES = 3
# Runs with samples, and the plain ones that they are compared with, have so many times the rounds: in fewer, what is optimised when
# differs too much.
SAMPLED_ROUNDS = 4
# In percent: where probes took more of the functions' time, no correction is asked for.
MOST_PROBES = 80
# Functions that are fewer standard errors apart may change places among the first five.
TIE = 2


def compile_c(folder):
    source, program = os.path.join(folder, "table.c"), os.path.join(folder, "C.wasm")
    runtime = glob.glob("/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a")
    if not os.path.isdir("/usr/include/wasm32-wasi") or not runtime:
        return None
    with open(source, "w") as file:
        file.write(TABLE)
    # Linked apart: clang would have the names of functions taken away.
    subprocess.run(["clang-19", "-O2", "-fno-inline", "--target=wasm32-wasi", "--sysroot=/usr", "-c", source, "-o", program + ".o"], check=True)
    library = "/usr/lib/wasm32-wasi"
    subprocess.run(["wasm-ld-19", f"-L{library}", f"{library}/crt1-command.o", program + ".o", "-lc", *runtime, "-o", program], check=True)
    return program


def compile_rust(folder):
    command = rust_compiler()
    if not command:
        return None
    source, program = os.path.join(folder, "words.rs"), os.path.join(folder, "Rust.wasm")
    with open(source, "w") as file:
        file.write(WORDS)
    subprocess.run([*command, source, "-o", program], check=True)
    return program


COMPILERS = {"C": compile_c, "Rust": compile_rust, "AssemblyScript": compile_example}


class Shown:
    """What a way says: the time of each function of the module, and CPU time of the process; of a few runs all of them. Shares are those of
    `parts`, where these are not of time: numbers of samples, as the time of a sample contains what the thread waited for a processor."""

    def __init__(self, times, took, message="", parts=None, total=None):
        self.total = sum(times.values()) if total is None else total
        self.cpu, self.thread = took["cpu"], took["thread"]
        self.parts = times if parts is None else parts
        self.runs = [self]
        self.dropped = 0
        subtracted = re.search(r"subtracted ([0-9.]+) % of the time", message)
        self.subtracted = float(subtracted.group(1)) if subtracted else None
        self.is_guess = "are a guess" in message
        # Nothing is subtracted, and the tool says that the clock stood still.
        self.stood_still = "nothing is subtracted" in message

    @classmethod
    def of(cls, runs):
        """Of a few runs: the times of the one whose thread took the least, as whatever else the machine does only adds; the sum of what shares are of.
        Those that stood still are left out if others did not."""
        all_runs = runs
        runs = [run for run in runs if not run.stood_still] or runs
        fastest = min(runs, key=lambda run: run.thread)
        shown = cls({}, {"cpu": min(run.cpu for run in runs), "thread": fastest.thread}, total=fastest.total)
        shown.dropped = len(all_runs) - len(runs)
        shown.runs = runs
        shown.subtracted = fastest.subtracted
        shown.is_guess = all(run.is_guess for run in runs)
        shown.stood_still = runs[0].stood_still
        shown.parts = {name: sum(run.parts.get(name, 0) for run in runs) for run in runs for name in run.parts}
        return shown

    def share(self, function):
        return share_in(self.parts, function)

    def spread(self, function):
        """How far apart the runs are."""
        shares = [share_in(run.parts, function) for run in self.runs]
        return max(shares) - min(shares)

    def agree(self, first, second):
        """Whether the first function has more than the second in each run."""
        return all(share_in(run.parts, first) > share_in(run.parts, second) for run in self.runs)


@functools.cache
def not_inlined():
    """Options with which V8's profile tells apart what it would inline: to a trace these are functions of their own."""
    option = "--no-wasm-inlining"
    return [option] if subprocess.run(["node", option, "--eval", ""], capture_output=True).returncode == 0 else []


def share_in(parts, function):
    total = sum(parts.values())
    return 100 * parts.get(function, 0) / total if total else 0


class Program:
    def __init__(self, bench, name):
        self.bench, self.name = bench, name
        if name in ROUNDS:
            about = answer_of(["node", SCRIPT, name])
            self.modules, self.about = about["modules"], about["input"]
            self.set_command(ROUNDS[name], name)
            return
        program = COMPILERS[name](bench.folder)
        self.modules, self.about = [program] if program else [], "a command"
        rounds, argument, self.native_argument = COMMANDS[name]
        self.set_command(rounds, program or "", argument, DOCUMENT)

    def set_command(self, rounds, program, *arguments):
        rounds = max(1, rounds // 5) if self.bench.quick else rounds
        self.command, self.sampled_command = (["node", SCRIPT, program, str(count), *arguments] for count in (rounds, SAMPLED_ROUNDS * rounds))

    def read_functions(self):
        """Names of the functions that the module defines, by what V8 and we call them, and of those that traces leave out."""
        def instrument(*options):
            info = self.bench.path("info.json")
            subprocess.run([self.bench.tool("warpo-instrument"), "-q", self.modules[0], "-o", self.bench.path("traced.wasm"), "--unwind=none",
                            f"--info-file={info}", *options], check=True, stderr=subprocess.DEVNULL)
            with open(info) as file:
                return [function for function in json.load(file)["functions"] if function["kind"] == "defined"]

        self.left_out = {function["name"] for function in instrument() if "leftOut" in function}
        functions = instrument("--all")
        self.names = {function["name"]: function["name"] for function in functions}
        for function in functions:
            for form in "func[{}]", "wasm-function[{}]":
                self.names.setdefault(form.format(function["index"]), function["name"])

    def run(self, *command, **environment):
        """What the rounds took, in milliseconds (truth_v8.mjs)."""
        output = subprocess.run(command or self.command, check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout
        return json.loads(output.splitlines()[-1])

    def profile(self, command):
        """V8's profile, and what the rounds took while it was made."""
        folder = self.bench.path("profiles")
        shutil.rmtree(folder, ignore_errors=True)
        node, *rest = command
        took = self.run(node, "--cpu-prof", f"--cpu-prof-dir={folder}", *rest)
        (file,) = glob.glob(folder + "/*.cpuprofile")
        with open(file) as text:
            return json.load(text), took

    def plain(self):
        """`plain`: runs of as many rounds as those with samples; `short`: as those with traces; `apart`: where V8 inlines nothing."""
        node, *rest = self.command
        shown = {}
        for name, command in ("plain", self.sampled_command), ("short", self.command), ("apart", [node, *not_inlined(), *rest]):
            took = min((self.run(*command) for _ in range(TRIES)), key=lambda took: took["thread"])
            profile = self.profile(command)
            shown[name] = self.shown(*profile, took, set())
            shown[name + ", folded"] = self.shown(*profile, took, self.left_out)
        return shown

    def shown(self, profile, profiled, plain, left_out):
        """Of functions by V8's profile, where those that are left out count for their callers. Their time is CPU time of the thread, as that between samples
        contains what it waited, without what profiling cost."""
        frames = {node["id"]: node["callFrame"] for node in profile["nodes"]}
        caller = {child: node["id"] for node in profile["nodes"] for child in node.get("children", [])}

        def name_of(node):
            frame = frames.get(node)
            return self.names.get(frame["functionName"]) if frame and frame["url"].startswith("wasm://") else None

        samples = {}
        for node in profile["samples"]:
            while name_of(node) in left_out:
                node = caller.get(node)
            if name := name_of(node):
                samples[name] = samples.get(name, 0) + 1
        awake = sum(frames[node]["functionName"] != "(idle)" for node in profile["samples"])
        cost = profiled["thread"] / plain["thread"]
        total = 1e6 * profiled["whole"] / cost * sum(samples.values()) / awake
        return Shown(samples, plain, total=total)

    def report(self, record, took, *options, weight="time", parts=None):
        times, message = self.table(record, weight, options)
        return Shown(times, took, message, parts and self.table(record, parts, options)[0])

    def table(self, record, weight, options):
        command = [self.bench.tool("warpo-report"), "--format=csv", "--columns=self,function", "--top=0", "--no-demangle", f"--weight={weight}", *options, record]
        result = subprocess.run(command, check=True, capture_output=True, text=True)
        sums = {}
        for own, name in list(csv.reader(result.stdout.splitlines()))[1:]:
            if name in self.names:
                name = self.names[name]
                sums[name] = sums.get(name, 0) + float(own)
        return sums, result.stderr

    def record(self, name, command, *options, **environment):
        record = self.bench.path(name)
        return record, self.run(self.bench.tool("warpo-record"), "-q", *options, "-o", record, *command, **environment)

    def samples(self):
        self.sampled, took = self.record("samples.warpo", self.sampled_command)
        return {"samples": self.report(self.sampled, took, parts="samples")}

    def trace(self, clock):
        trace, took = self.record("trace.warpo", self.command, "--trace", WARPO_RECORDER_CLOCK=clock)
        shown = {clock: self.report(trace, took), clock + " -": self.report(trace, took, "--subtract-overhead")}
        if clock == "thread":
            shown["time-from"] = self.report(trace, took, f"--time-from={self.sampled}", parts="time-samples")
        return shown

    def fuel(self):
        fuel, took = self.record("fuel.warpo", self.command, "--fuel", WARPO_RECORDER_CLOCK="fuel")
        return {"fuel": self.report(fuel, took, weight="fuel")}

    def native(self):
        """Of machine code: the trace as recorded and corrected, and CPU time of the plain run, which stands for its functions' time."""
        def run(module, *options):
            command = [self.bench.tool("warpo-run"), "-q", "--engine=native", *options, module, "--", self.native_argument]
            before = os.times()
            with open(DOCUMENT) as document:
                subprocess.run(command, check=True, stdin=document, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            after = os.times()
            return 1000 * (after.children_user + after.children_system - before.children_user - before.children_system)

        trace = self.bench.path("native.warpo")
        plain = lambda: run(self.modules[0])
        traced = lambda: run(self.bench.path("traced.wasm"), f"--record={trace}")
        plain(), traced()  # compiles them
        plains, runs = [], []
        for _ in range(TRIES):
            plains.append(plain())
            cpu = traced()
            # The packing thread's time is part of that, so the record says which run was the fastest.
            took = {"cpu": cpu, "thread": sum(self.table(trace, "time", [])[0].values())}
            runs.append({"native": self.report(trace, took), "native -": self.report(trace, took, "--subtract-overhead")})
        for way in runs[0]:
            shown = Shown.of([run[way] for run in runs])
            shown.plain_total, shown.plain_cpu = 1e6 * min(plains), min(plains)
            yield way, shown

    def measure(self, runs):
        shown = {}
        for _ in range(runs):
            traces = [lambda: self.trace("exact"), *TRIES * [lambda: self.trace("thread")]]
            for measured in self.plain, self.samples, *traces:
                for way, run in measured().items():
                    shown.setdefault(way, []).append(run)
        shown = {way: Shown.of(runs) for way, runs in shown.items()}
        shown.update(self.fuel())
        if self.name in COMMANDS:
            shown.update(self.native())
        return shown


def ranks(truth, shown):
    order = sorted(shown.parts, key=shown.parts.get, reverse=True)
    hottest = sorted(truth.parts, key=truth.parts.get, reverse=True)[:10]
    return " ".join(str(order.index(function) + 1) if function in order else "-" for function in hottest)


def misplaced(truth, shown):
    """How far the first five are apart that have changed places with a function of less, in each run of the truth: in standard errors of the
    difference, as both are of so many samples."""
    def error(a, b):
        def variance(way):
            total = sum(way.parts.values())
            first, second = way.share(a) / 100, way.share(b) / 100
            return (first + second - (first - second) ** 2) / total if total else 0
        return 100 * math.sqrt(variance(truth) + variance(shown))

    order = sorted(truth.parts, key=truth.parts.get, reverse=True)
    return max([(truth.share(first) - truth.share(second)) / error(first, second) for i, first in enumerate(order[:5]) for second in order[i + 1:]
                if shown.share(first) < shown.share(second) and truth.agree(first, second)], default=0)


class Bench(Workshop):
    def show(self, name):
        program = Program(self, name)
        if not program.modules:
            print(f"{name}: its compiler for WebAssembly is not installed")
            return
        program.read_functions()
        shown = program.measure(2 if self.quick else RUNS)
        plain = shown["plain"]
        folded, short, short_folded, apart, apart_folded = (shown.pop(name) for name in (
            "plain, folded", "short", "short, folded", "apart", "apart, folded"))
        as_it_is = lambda way: {"plain": plain, "samples": plain, "time-from": folded}.get(way, short_folded)
        # The trace of `native` leaves nothing out.
        truth_of = lambda way: apart if way.startswith("native") else apart_folded if as_it_is(way) is short_folded else as_it_is(way)
        print(f"\n{name}: {program.about}; {plain.cpu / 1000:.2f} s of CPU time as it is")
        ways = list(shown)
        row = lambda title, cells: print(f"{title[:28]:<28}" + "".join(f"{cell:>10}" for cell in cells), flush=True)
        row("", ["plain", "+-", "apart", *ways[1:]])
        hot_of = lambda truth: [function for function in sorted(truth.parts, key=truth.parts.get, reverse=True) if truth.share(function) > 1]
        hot = hot_of(plain)
        for function in dict.fromkeys(function for truth in (plain, apart_folded, folded) for function in hot_of(truth)):
            row(function, [f"{plain.share(function):.1f}", f"{plain.spread(function):.1f}", f"{apart_folded.share(function):.1f}"] +
                [f"{shown[way].share(function):.1f}" if truth_of(way).share(function) else "" for way in ways[1:]])

        def deviation(way, least):
            truth = truth_of(way)
            return max([abs(shown[way].share(function) - truth.share(function)) for function in hot_of(truth) if truth.share(function) > least],
                       default=0)

        def total(way):
            return shown[way].total / getattr(shown[way], "plain_total", as_it_is(way).total)

        spread = max(map(plain.spread, hot), default=0)
        row("worst deviation, points", ["", f"{spread:.1f}", ""] + [f"{deviation(way, 1):.1f}" for way in ways[1:]])
        row("of functions above 5 %", ["", "", ""] + [f"{deviation(way, 5):.1f}" for way in ways[1:]])
        row("their time, times plain", ["", "", ""] + ["" if way == "fuel" else f"{total(way):.2f}" for way in ways[1:]])
        row("times without inlining", ["", "", ""] + [f"{shown[way].total / truth_of(way).total:.2f}" if truth_of(way) in (apart, apart_folded) and way != "fuel" and not hasattr(shown[way], "plain_total") else "" for way in ways[1:]])
        row("CPU time, times plain", ["", "", ""] + [f"{shown[way].cpu / getattr(shown[way], 'plain_cpu', plain.cpu if way == 'samples' else short.cpu):.2f}" for way in ways[1:]])
        row("subtracted, %", ["", "", ""] + [f"{shown[way].subtracted:.0f}" if shown[way].subtracted is not None else "" for way in ways[1:]])
        probes = {way: max(0, 100 - 100 / total(way[:-2])) for way in ways if way.endswith(" -")}
        row("probes' true share, %", ["", "", ""] + [f"{probes[way]:.0f}" if way in probes else "" for way in ways[1:]])
        for way in probes:
            if shown[way].dropped:
                print(f"{way}: the clock stood still in {shown[way].dropped} of {shown[way].dropped + len(shown[way].runs)} runs, which are left out")
        for way in ways:
            print(f"ranks of the hottest ten by {way}: {ranks(truth_of(way), shown[way])}")
        for way in "samples", "time-from":
            self.figures.add(f"{name}, {way}: worst deviation", deviation(way, 1), "points", 3)
            self.figures.add(f"{name}, {way}: moved among the first five, by", misplaced(truth_of(way), shown[way]), "errors", TIE)
        for way in probes:
            if shown[way].stood_still:
                print(f"{name}, {way}: nothing is subtracted, as the clock stood still, and the tool says so")
                continue
            if probes[way] > MOST_PROBES:
                self.figures.add(f"{name}, {way}: says that it is a guess", shown[way].is_guess, "", 1, at_least=True)
                continue
            if not way.startswith("native"):
                self.figures.add(f"{name}, {way}: deviation above 5 %", deviation(way, 5), "points", 8)
            self.figures.add(f"{name}, {way}: time, times plain", max(total(way), 1 / total(way)), "times", 1.25)


def main():
    command_line = parser(__doc__)
    names = [*COMPILERS, *ROUNDS]
    command_line.add_argument("programs", nargs="*", choices=[[], *names], default=[])
    arguments = command_line.parse_args()
    build = build_targets(arguments, ["warpo-run", "warpo-record", "warpo-report", "warpo-instrument", "warpo-js"])
    print(subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout.strip(), "runs them")
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = Bench(build, folder, arguments.quick)
        for name in arguments.programs or names:
            bench.show(name)
    sys.exit(1 if bench.figures.missed else 0)


if __name__ == "__main__":
    main()
