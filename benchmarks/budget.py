#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what warpo-instrument --budget predicts with what programs take in V8 (npm's new Node).

  benchmarks/budget.py [--build build] [--quick] [PROGRAM...]

Of each program a trace and samples of the program as it is are recorded. A module is made by each budget, from the trace alone and from
both, recorded with the clock of the trace, and compared with the program as it is: CPU time of the main thread, of several runs in turn
the least. Prints the prediction and what the program took, times as it is, and what was left out. Exit code 1 if a prediction with samples is
off by more than a quarter.
"""

import hashlib
import json
import os
import re
import subprocess

from measure import Workshop, answer_of, bench_programs
from truth import COMMANDS, DOCUMENT, ROOT, ROUNDS, SCRIPT, compile_c

BUDGET = 2
CLOCKS = "exact", "thread"
PROGRAMS = "C", "sql.js", "QuickJS"


class Bench(Workshop):
    def __init__(self, node, build, folder, quick):
        super().__init__(build, folder, quick)
        self.node = node
        self.register = os.path.join(build, "share/warpo/js/register.mjs")

    def load(self, name):
        """False if the program is not to be had."""
        rounds, *arguments = (COMMANDS[name][0], COMMANDS[name][1], DOCUMENT) if name in COMMANDS else (ROUNDS[name],)
        if name in COMMANDS:
            self.module = program = compile_c(self.folder)
            if not program:
                return False
        else:
            program = name
            (self.module,) = answer_of([self.node, SCRIPT, name])["modules"]
        with open(self.module, "rb") as file:
            self.hash = hashlib.sha256(file.read()).hexdigest()
        self.command = [SCRIPT, program, str(rounds), *arguments]
        return True

    def run(self, **settings):
        """What all rounds took, in milliseconds."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WARPO_")}
        options = ["--import", self.register] if settings else []
        result = subprocess.run([self.node, *options, *self.command], check=True, capture_output=True, text=True, env={**environment, **settings})
        return json.loads(result.stdout.splitlines()[-1])

    def traced(self, module, clock, record):
        """The program with that module in the place of its own."""
        folder = self.path("modules-" + os.path.basename(module))
        os.makedirs(folder, exist_ok=True)
        place = os.path.join(folder, self.hash + ".wasm")
        if not os.path.exists(place):
            os.link(module, place)
        return self.run(WARPO_RECORDER_INSTRUMENT="trace", WARPO_RECORDER_INSTRUMENT_FOLDER=folder, WARPO_RECORDER_CLOCK=clock, WARPO_RECORDER_FILE=record)

    def quietest(self, record, run):
        """Leaves in the file the record of the run that lasted the shortest: times of records are the machine's, with all that it does besides."""
        least = None
        for _ in range(3 if self.quick else 8):
            lasted = run(self.path("try.warpo"))["elapsed"]
            if least is None or lasted < least:
                least = lasted
                os.replace(self.path("try.warpo"), record)

    def instrument(self, name, *options):
        module = self.path(name)
        command = [self.tool("warpo-instrument"), "--all", *options, self.module, "-o", module]
        result = subprocess.run(command, capture_output=True, text=True)
        return module if result.returncode == 0 else None, result.stderr

    def measure(self, name):
        if not self.load(name):
            print(f"{name}: its compiler for WebAssembly is not installed")
            return
        samples = self.path("samples.warpo")
        self.quietest(samples, lambda file: self.run(WARPO_RECORDER_SAMPLER="engine", WARPO_RECORDER_FILE=file))
        whole, _ = self.instrument("whole.wasm")
        modules = {}
        for clock in CLOCKS:
            trace = self.path(f"trace-{clock}.warpo")
            self.quietest(trace, lambda file: self.traced(whole, clock, file))
            modules[clock, "all"] = whole, ""
            budget = [f"--budget={BUDGET}", f"--from={trace}"]
            modules[clock, "trace"] = self.instrument(f"{clock}-trace.wasm", *budget)
            modules[clock, "both"] = self.instrument(f"{clock}-both.wasm", *budget, f"--time-from={samples}")
            os.remove(trace)
        plain, least = [], {}
        for _ in range(2 if self.quick else 5):
            plain.append(self.run()["thread"])
            for (clock, way), (module, _) in modules.items():
                if module:
                    took = self.traced(module, clock, self.path("run.warpo"))["thread"]
                    least[clock, way] = min(took, least.get((clock, way), took))
        print(f"\n{name}: {min(plain) / 1000:.2f} s of CPU time as it is", flush=True)
        for (clock, way), (module, said) in modules.items():
            if not module:
                print(f"  {clock}, {way}: {said.strip()}")
                continue
            true = least[clock, way] / min(plain)
            predicted = re.search(r"predicted: ([0-9.]+) times", said)
            if not predicted:
                print(f"  {clock}, all functions: {true:.2f} times")
                continue
            predicted = float(predicted.group(1))
            print(f"  {clock}, {way}: predicted {predicted:.2f} times, true {true:.2f}")
            for line in said.splitlines():
                if re.search("--budget left out|predicted|although", line):
                    print("    " + line.split(": ", 1)[1])
            if way == "both":
                self.figures.add(f"{name}, {clock}: true and predicted, one over the other", max(true / predicted, predicted / true), "times", 1.25)


if __name__ == "__main__":
    bench_programs(__doc__, PROGRAMS, ["warpo-instrument", "warpo-js"], Bench)
