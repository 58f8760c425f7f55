#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much slower programs of npm's run in V8 (npm's new Node) while the JavaScript recorder records them.

  benchmarks/programs.py [--build build] [--quick] [PROGRAM...]

Each program runs as it is, instrumented and recorded into a ring, which packs nothing, and with the usual policy, which writes the
whole record to a file; both with the clocks `none` and `thread`. Modules store their events by themselves (--events-in=memory). A run is a process of its own; the forms take turns, and of each the
least of several runs counts. A run is some rounds of the program, after as many that warm it up, and the closing of the record, a new one. Prints
the input of each program, and for each form CPU time of the main thread, CPU time of all threads (that of the clock `thread` is one) and
elapsed time, times those of the program as it is. Exit code 1 if a figure is missed.
"""

import contextlib
import os
import subprocess

from measure import Workshop, answer_of, bench_programs

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# How many rounds take about 300 ms.
ROUNDS = {"sql.js": 6, "QuickJS": 40, "resvg": 6, "tree-sitter": 30, "canvaskit": 2, "PGlite": 30, "esbuild": 8, "ffmpeg": 8}
# Of the main thread's CPU, times that of the program as it is, with clock `none`.
MOST = {"sql.js": 2.0, "canvaskit": 2.2, "PGlite": 2.0, "esbuild": 2.0, "ffmpeg": 2.0}
CLOCKS = "none", "thread"
POLICIES = "ring", "block"
FORMS = [None, *((clock, policy) for clock in CLOCKS for policy in POLICIES)]
TIMES = {"thread": "CPU of the main thread", "process": "CPU of all threads", "elapsed": "elapsed"}


class Bench(Workshop):
    def __init__(self, node, build, folder, quick):
        super().__init__(build, folder, quick)
        self.node = node

    def ask(self, *arguments):
        script = os.path.join(ROOT, "benchmarks/programs_v8.mjs")
        return answer_of([self.node, script, *map(str, arguments)])

    def instrument(self, modules):
        for number, module in enumerate(modules):
            instrumented = self.path(f"{number}.wasm")
            subprocess.run([self.tool("warpo-instrument"), "-q", "--all", "--events-in=auto", module, "-o", instrumented,
                            f"--trace-point-mapping-file={self.path('app.map')}"], check=True, stderr=subprocess.DEVNULL)
            yield instrumented

    def measure(self, name):
        about = self.ask(name)
        modules = list(self.instrument(about["modules"]))
        record = self.path("app.warpo")
        recorder = [os.path.join(self.build, "share/warpo/js"), record]
        least = {}
        for _ in range(3 if self.quick else 9):
            for form in FORMS:
                # To overwrite one, file systems free its pages, and some write all of the new one at once.
                with contextlib.suppress(FileNotFoundError):
                    os.remove(record)
                run = self.ask(name, ROUNDS[name], *([*recorder, *form, *modules] if form else []))
                least[form] = {key: min(value, least.get(form, run)[key]) for key, value in run.items()}
        plain = least[None]
        written = least["none", "block"]
        seconds = plain["thread"] / 1000
        print(f"{name}: {about['input']}")
        print(f"    {ROUNDS[name]} rounds take {seconds:.2f} s as it is; they and those before have {written['events'] / 1e6:.0f} million events of "
              f"{written['bytes'] / written['events']:.2f} bytes")
        for form in FORMS[1:]:
            ratios = ", ".join(f"{least[form][time] / plain[time]:.2f} {what}" for time, what in TIMES.items())
            print(f"    clock {form[0]}, {form[1]}: times as it is: {ratios}")
        for clock in CLOCKS:
            ratio = least[clock, "block"]["thread"] / least[clock, "ring"]["thread"]
            self.figures.add(f"{name}, clock {clock}: main thread, times a ring", ratio, "times", 1.2)
        if name in MOST:
            self.figures.add(f"{name}, clock none: main thread, times as it is", least["none", "block"]["thread"] / plain["thread"],
                             "times", MOST[name])


if __name__ == "__main__":
    bench_programs(__doc__, ROUNDS, ["warpo-instrument", "warpo-js"], Bench)
