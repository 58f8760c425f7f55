#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what an order of functions is good for, and what recording it costs.

  benchmarks/order.py [--build build] [--quick] [--program name]

Three programs from npm are started several times, on something else each time. Runs with odd numbers, instrumented with
`order`, make the order; the others are what it is judged by.

  locality  how far into the code start-up reaches, in bytes and in pages of 4 KiB, in the module as warpo-reorder makes it; and
            how many of those pages it touches, which cannot become fewer than its functions fill
  split     wasm-split with the functions of the order: how large the primary module is, and whether a start that the order was
            not made of calls a function of the secondary
  native    the module compiled by wasm2c with -ffunction-sections, linked by lld with and without the order: page faults of the
            code of a start, with the program's file dropped from the page cache
  cost      a call of a function that has been executed before, with the test of its bit and without

Prints one line for each figure with what it is to reach; exit code 1 if one is missed. --quick takes one program, and leaves out
what needs a compiler.
"""

import glob
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from measure import Figures, parser, build_targets

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PROGRAMS = ["sql.js", "quickjs", "resvg"]
TRAINING, HELD_OUT = [1, 3, 5, 7, 9], [2, 4, 6, 8]
STARTS = 9
PAGE = 4096
# What is compiled is what the order names: inlining and merging functions would take some away.
C_FLAGS = ["-O1", "-w", "-ffunction-sections", "-fno-inline", "-fno-ipa-sra", "-fno-ipa-icf", "-fno-ipa-cp"]


def run(*command, **options):
    process = subprocess.run(command, capture_output=True, text=True, **options)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{process.stderr}")
    return process


class Program:
    """A program from npm, its module, and records of its starts."""

    def __init__(self, name, tools, node, folder):
        self.name, self.tools, self.node = name, tools, node
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        self.script = os.path.join(ROOT, "benchmarks/order_programs.mjs")
        self.module = run(node, self.script, name, "--module").stdout.strip()
        self.mapping = self.path("map")
        traced = self.path("traced.wasm")
        run(self.tool("warpo-instrument"), "-q", "--all", "--instrumentation=order", self.module, "-o", traced,
            "--trace-point-mapping-file", self.mapping)
        register = os.path.join(tools, "../share/warpo/js/register.mjs")
        for number in TRAINING + HELD_OUT:
            run(node, "--import", register, self.script, name, str(number), traced,
                env={**os.environ, "WARPO_RECORDER_FILE": self.record(number)})
        self.order = self.list_of(TRAINING, "names", "order")

    def path(self, file):
        return os.path.join(self.folder, file)

    def tool(self, name):
        return os.path.join(self.tools, name)

    def record(self, number):
        return self.path(f"{number}.warpo")

    def list_of(self, numbers, form, file):
        """What warpo-order makes of some runs."""
        run(self.tool("warpo-order"), "--no-progress", f"--module-file={self.module}", f"--mapping={self.mapping}",
            f"--format={form}", "-o", self.path(file), *(self.record(number) for number in numbers))
        return self.path(file)


def locality(program, figures):
    spans, pages, touched = [], [], []
    for number in HELD_OUT:
        startup = program.list_of([number], "names", "startup")
        report = run(program.tool("warpo-reorder"), program.module, f"--order={program.order}", f"--startup={startup}",
                     "-o", program.path("ordered.wasm")).stderr

        def sizes(what):
            return [int(size) for size in re.search(what + r".*: (\d+) before, (\d+) after", report).groups()]

        before, after = sizes("bytes of code up to the last function of start-up")
        spans.append(after / before)
        pages.append(math.ceil(after / PAGE) / math.ceil(before / PAGE))
        before, after = sizes("pages of 4 KiB")
        touched.append(after / before)
    figures.add(f"{program.name}, locality: code up to the last function", max(spans), "original", 0.5)
    figures.add(f"{program.name}, locality: pages up to the last function", max(pages), "original", 0.5)
    print(f"{program.name}, locality: pages that hold functions of start-up are {max(touched):.2f} times the original's")


def split(program, figures):
    keep = program.list_of(TRAINING, "keep-funcs", "keep")
    primary = program.path("primary.wasm")
    run("wasm-split", "-all", "--split", program.module, f"--keep-funcs=@{keep}", "-o1", primary,
        "-o2", program.path("secondary.wasm"))
    figures.add(f"{program.name}, split: size of the primary module", os.path.getsize(primary) /
                os.path.getsize(program.module), "original", 1)
    failed = 0
    for number in HELD_OUT:
        expected = run(program.node, program.script, program.name, str(number)).stdout
        start = subprocess.run([program.node, program.script, program.name, str(number), primary], capture_output=True, text=True)
        failed += start.returncode != 0 or start.stdout != expected
    figures.add(f"{program.name}, split: starts of {len(HELD_OUT)} that call the secondary module", failed, "", 0)


def symbols(file):
    """Address and size of each function, in hexadecimal."""
    lines = (line.split() for line in run("nm", "-S", file).stdout.splitlines())
    return {fields[3]: f"{fields[0]} {fields[1]}" for fields in lines if len(fields) == 4 and fields[2] in "tT"}


def cold_start(file, listing):
    """Page faults of touching the functions' code, and seconds of the process that does, from a cold cache."""
    descriptor = os.open(file, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
    begin = time.monotonic()
    faults = int(run(file, listing).stdout)
    return faults, time.monotonic() - begin


def cold_starts(files, functions, folder):
    """The ratio, second / first of the files, of page faults and of times: of the least of several starts in turn."""
    listings = []
    for file in files:
        known = symbols(file)
        listings.append(os.path.join(folder, f"functions.{len(listings)}"))
        with open(listings[-1], "w") as out:
            out.writelines(known[name] + "\n" for name in functions if name in known)
    starts = [[cold_start(*pair) for pair in zip(files, listings)] for _ in range(STARTS)]
    plain, ordered = ([min(each[which][i] for each in starts) for i in range(2)] for which in range(2))
    return ordered[0] / plain[0], ordered[1] / plain[1]


def native(program, figures, touch):
    c, objects = program.path("module.c"), [touch, program.path("module.o")]
    run("wasm2c", program.module, "-n", "module", "-o", c)
    runtime = next(path for path in ("/usr/share/wabt/wasm2c", "/usr/local/share/wabt/wasm2c") if os.path.isdir(path))
    run("cc", *C_FLAGS, f"-I{runtime}", "-c", c, "-o", objects[1])
    order = program.list_of(TRAINING, "lld", "symbols")
    # What the module imports is never called, so nobody has to define it.
    link = ["clang-19", "-fuse-ld=lld", "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-Wl,--no-warn-symbol-ordering", *objects, "-o"]
    run(*link, program.path("plain"))
    run(*link, program.path("ordered"), f"-Wl,--symbol-ordering-file={order}")
    faults, times = [], []
    for number in HELD_OUT:
        with open(program.list_of([number], "lld", "startup.symbols")) as file:
            functions = [line for line in file.read().splitlines() if line and not line.startswith("#")]
        ratios = cold_starts([program.path("plain"), program.path("ordered")], functions, program.folder)
        faults.append(ratios[0])
        times.append(ratios[1])
    figures.add(f"{program.name}, native: page faults of the code", max(faults), "original", 0.6)
    print(f"{program.name + ', native: time of a cold start':<58}{statistics.median(times):>9.2f} original", flush=True)


CALLS = """(module
  (func $fib (export "run") (param i32) (result i32)
    (if (i32.lt_u (local.get 0) (i32.const 2)) (then (return (i32.const 1))))
    (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2))))))"""
TIMES = """
const { readFileSync } = require("node:fs");
const runs = process.argv.slice(2).map((path) =>
  new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), { builtin: { tracePoint() {} } }).exports.run);
const calls = 2 * runs[0](30) - 1, least = runs.map(() => Infinity);
for (let i = 0; i < 40; i++)
  runs.forEach((run, which) => {
    const begin = process.hrtime.bigint();
    run(30);
    least[which] = Math.min(least[which], Number(process.hrtime.bigint() - begin) / calls);
  });
console.log((least[1] - least[0]).toFixed(3));
"""


def cost(tools, node, folder, figures):
    text, plain, traced, script = (os.path.join(folder, name) for name in ("calls.wat", "calls.wasm", "ordered.wasm", "times.cjs"))
    for path, contents in (text, CALLS), (script, TIMES):
        with open(path, "w") as file:
            file.write(contents)
    run("wat2wasm", text, "-o", plain)
    run(os.path.join(tools, "warpo-instrument"), "-q", "--instrumentation=order", plain, "-o", traced,
        "--trace-point-mapping-file", os.path.join(folder, "calls.map"))
    # What V8's optimising compiler makes of it, from the first call on.
    times = run(node, "--no-liftoff", "--no-wasm-tier-up", script, plain, traced).stdout
    figures.add("cost of a call after the first, in V8", float(times), "ns", 1)


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--program", action="append", choices=PROGRAMS, help="measure only this one; may be repeated")
    arguments = arguments.parse_args()
    build = build_targets(arguments, ["warpo-instrument", "warpo-order", "warpo-reorder", "warpo-js"])
    tools = os.path.join(build, "bin")
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        node = next(iter(glob.glob(os.path.join(ROOT, "node_modules/node-linux-*/bin/node"))), shutil.which("node"))
        cost(tools, node, folder, figures)
        touch = os.path.join(folder, "touch.o")
        if not arguments.quick:
            run("cc", "-O2", "-c", os.path.join(ROOT, "benchmarks/touch_code.c"), "-o", touch)
        for name in arguments.program or (PROGRAMS[1:2] if arguments.quick else PROGRAMS):
            program = Program(name, tools, node, folder)
            locality(program, figures)
            split(program, figures)
            if not arguments.quick:
                native(program, figures, touch)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
