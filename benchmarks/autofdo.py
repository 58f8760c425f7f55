#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what clang makes of the profile that counts give (warpo-annotate --format=sample-profile), beside instrumentation PGO.

  benchmarks/autofdo.py [--build build] [--quick] [PROGRAM...]

Each program is compiled with -O2: as it is, with our profile, and with that of clang's own counters (-fprofile-generate, without values,
whose runtime for WebAssembly is compiled/profile_runtime.c). Both profiles are of the same input; all three then run on another one in npm's
new Node, and take turns. Of each the least CPU time of several whole processes of warpo-run counts. Exit code 1 if a figure is missed.
"""

import math
import os
import shutil
import subprocess

import sqlite_inputs
from counts import COMPILED, COMPILED_PROGRAMS, ROOT, TARGET, Compiled, json_command, json_text, sqlite_command
from measure import Run, Workshop, bench_programs

FORMS = ["plain", "counts", "clang's counters"]


def lz77_command():
    return ["clang-19", *TARGET, os.path.join(COMPILED, "lz77.c")]


def syntax_command():
    library, grammar = (os.path.join(ROOT, "node_modules", each) for each in
                        ("tree-sitter/vendor/tree-sitter/lib", "tree-sitter-javascript/src"))
    return ["clang-19", *TARGET, "-Wno-error=implicit-function-declaration", f"-I{library}/include", f"-I{library}/src",
            f"-I{grammar}", os.path.join(COMPILED, "syntax.c"), f"{library}/src/lib.c", f"{grammar}/parser.c", f"{grammar}/scanner.c"]


def words(rounds):
    return f"{rounds}\n" + " ".join(f"the {'quick brown fox jumps over'.split()[i * i % 5]} {i * 7919 % 977}" for i in range(20000))


def program_text(rounds, path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return f"{rounds}\n{file.read()}"


PROGRAMS = {
    **COMPILED_PROGRAMS,
    "SQLite": Compiled(sqlite_command, ("a log of readings of the weather", sqlite_inputs.text(1, sqlite_inputs.weather, 50)),
                       ("a shop, with its customers and their orders", sqlite_inputs.text(6, sqlite_inputs.shop, 50))),
    "C++ JSON": Compiled(json_command, ("objects of numbers", json_text(12, True)), ("objects of texts", json_text(60, False))),
    "LZ77": Compiled(lz77_command, ("words", words(6)), ("JSON", json_text(50, True).replace(" ", "\n", 1))),
    "tree-sitter": Compiled(syntax_command, ("a part of the recorder", program_text(60, "js/recorder/recorder.mjs")),
                            ("a benchmark", program_text(200, "benchmarks/npm_programs.mjs"))),
}


class Bench(Workshop):
    def __init__(self, node, build, folder, quick):
        super().__init__(build, folder, quick)
        # Where warpo-run looks for it.
        os.environ["PATH"] = os.path.dirname(node) + os.pathsep + os.environ["PATH"]
        self.seconds = {}
        # clang lets a wasm-opt that it finds work on what it links, which refuses the debug information: so it finds the linker alone.
        self.linker_folder = self.path("linker")
        os.mkdir(self.linker_folder)
        os.symlink(shutil.which("wasm-ld-19"), os.path.join(self.linker_folder, "wasm-ld-19"))

    def call(self, *command):
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    def compile(self, program, output, *options):
        compiler, *arguments = program.command()
        subprocess.run([shutil.which(compiler), *arguments, *options, "-o", output], check=True,
                       env={**os.environ, "PATH": self.linker_folder})
        return output

    def run(self, which, module, *options):
        command = [self.tool("warpo-run"), "-q", "--engine=node", *options, module]
        # Where nothing is said, artifacts go to the folder that it runs in.
        return Run(["sh", "-c", f'cd "{self.folder}" && "$@" < {which}.txt', "sh", *command]).seconds

    def by_counts(self, program):
        app, counted = self.path("app.wasm"), self.path("counted.wasm")
        counts, profile = self.path("app.counts"), self.path("app.prof")
        self.compile(program, app, "-g", "-fdebug-info-for-profiling")
        self.call(self.tool("warpo-instrument"), "-q", "--instrumentation=counts", app, "-o", counted)
        self.run("first", counted, f"--record={counts}")
        self.call(self.tool("warpo-annotate"), f"--module-file={app}", "--format=sample-profile", counts, "-o", profile)
        return self.compile(program, self.path("by-counts.wasm"), f"-fprofile-sample-use={profile}")

    def by_clang(self, program):
        runtime, profile = self.path("runtime.o"), self.path("app.profdata")
        self.call("clang-19", *TARGET, "-c", os.path.join(COMPILED, "profile_runtime.c"), "-o", runtime)
        without_values = ["-mllvm", "-disable-vp"]
        counting = self.compile(program, self.path("counting.wasm"), "-fprofile-generate", *without_values, runtime)
        self.run("first", counting, f"--dir={self.folder}::/")
        self.call("llvm-profdata-19", "merge", self.path("raw"), "-o", profile)
        return self.compile(program, self.path("by-clang.wasm"), f"-fprofile-use={profile}", *without_values)

    def measure(self, name):
        program = PROGRAMS[name]
        for which, text in program.inputs.items():
            with open(self.path(f"{which}.txt"), "w", encoding="utf-8") as file:
                file.write(text)
        print(f"{name}: profiles of {program.about[0]}; run: {program.about[1]}", flush=True)
        modules = dict(zip(FORMS, [self.compile(program, self.path("plain.wasm")), self.by_counts(program), self.by_clang(program)]))
        seconds = {form: [] for form in FORMS}
        for _ in range(3 if self.quick else 11):
            for form, module in modules.items():
                seconds[form].append(self.run("other", module))
        least = self.seconds[name] = {form: min(times) for form, times in seconds.items()}
        for form in FORMS:
            print(f"    {form + ':':<18} {least[form]:.3f} s, {least[form] / least['plain']:.3f} times plain,"
                  f" module {os.path.getsize(modules[form])} bytes", flush=True)

    def mean(self, form, other):
        return math.exp(sum(math.log(each[form] / each[other]) for each in self.seconds.values()) / len(self.seconds))

    def finish(self):
        print(f"clang's counters, times plain, geometric mean: {self.mean(FORMS[2], FORMS[0]):.3f}")
        self.figures.add("counts, times plain, geometric mean", self.mean(FORMS[1], FORMS[0]), "times", 0.98)
        self.figures.add("counts, times clang's counters, geometric mean", self.mean(FORMS[1], FORMS[2]), "times", 1.02)


if __name__ == "__main__":
    bench_programs(__doc__, list(PROGRAMS), ["warpo-instrument", "warpo-annotate", "warpo-run", "warpo-js"], Bench)
