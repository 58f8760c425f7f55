#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what sampling a program as it is costs: `warpo-run --sample` in each engine, a thousand samples a second.

  benchmarks/plain_samples.py [--build build] [--quick] [--engine=node|native|interp]

Two programs, of AssemblyScript and, if clang and wasi-libc are there, of C, run for a short and for a long while, with and without
--sample, in turn. What they take longer for the long while is compared: the start of Node and of the profiler are in neither, nor is the
C compiler in native. CPU times of whole processes, V8's other threads included, the least of several runs. Engine node asks V8's
profiler for samples: what that costs in Node's own --cpu-prof is printed beside it. Exit code 1 if a figure is missed.
"""

import glob
import os
import subprocess
import sys
import tempfile

from measure import PAIRS, Figures, Run, build_targets, parser

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
# By engine, of each program a short and a long while.
ROUNDS = {"node": ((100, 1500), (2, 60)), "native": ((100, 1500), (2, 60)), "interp": ((1, 20), (1, 2))}
# A table that is searched linearly.
TABLE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *keys[3000];
static int count;
__attribute__((noinline)) static int find(const char *key) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(keys[i], key))
      return i;
  return -1;
}
int main(int argc, char **argv) {
  char key[32];
  unsigned seed = 1;
  for (long i = argc > 1 ? 10000 * atol(argv[1]) : 0; i > 0; --i) {
    seed = seed * 1103515245 + 12345;
    sprintf(key, "word%u", (seed >> 8) % 3000);
    if (find(key) < 0)
      keys[count++] = strdup(key);
  }
  return count == 0;
}
"""


def compile_table(folder):
    """The module, or nothing without a compiler for it."""
    runtime = glob.glob("/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a")
    if not os.path.isdir("/usr/include/wasm32-wasi") or not runtime:
        return None
    source, program = os.path.join(folder, "table.c"), os.path.join(folder, "table.wasm")
    with open(source, "w") as file:
        file.write(TABLE)
    subprocess.run(["clang-19", "--target=wasm32-wasi", "--sysroot=/usr", "-O1", "-c", source, "-o", program + ".o"], check=True)
    library = "/usr/lib/wasm32-wasi"
    subprocess.run(["wasm-ld-19", f"-L{library}", f"{library}/crt1-command.o", program + ".o", "-lc", *runtime, "-o", program], check=True)
    return program


def compile_example(folder):
    program = os.path.join(folder, "example.wasm")
    subprocess.run(["node", os.path.join(ROOT, "node_modules/.bin/asc"), "-o", program],
                   cwd=os.path.join(ROOT, "examples/markdown"), check=True)
    return program


def measure(tool, engine, folder, name, program, short, long, figures, pairs):
    def run(rounds, form):
        document = os.path.join(ROOT, "examples/markdown/document.md")
        return Run(["sh", "-c", f'exec "$0" "$@" < {document}', *form(rounds)]).seconds

    def ours(*options):
        return lambda rounds: [tool, "-q", f"--engine={engine}", *options, program, "--", str(rounds)]

    def of_node(*options):
        script = os.path.join(ROOT, "benchmarks/wasi_program.mjs")
        return lambda rounds: ["node", "--no-warnings", *options, script, program, str(rounds)]

    forms = {"plain": ours(), "sampled": ours("--sample", "--record=" + os.path.join(folder, "app.warpo"))}
    if engine == "node":
        forms |= {"without us": of_node(), "V8 alone": of_node("--cpu-prof", f"--cpu-prof-dir={folder}")}
    least = {}
    # Engine native compiles the program for each.
    for form in forms.values():
        run(short, form)
    for _ in range(pairs):
        for rounds in (short, long):
            for name_of_form, form in forms.items():
                seconds = run(rounds, form)
                least[rounds, name_of_form] = min(seconds, least.get((rounds, name_of_form), seconds))
    taken = {form: least[long, form] - least[short, form] for form in forms}
    print(f"{engine}, {name}: {taken['plain']:.2f} s of CPU time as it is")
    figures.add(f"{engine}, {name}: sampled, times as it is", taken["sampled"] / taken["plain"], "times", 1.03)
    if engine == "node":
        print(f"    {taken['V8 alone'] / taken['without us']:.2f} times with Node's own --cpu-prof, without us")


def main():
    options = parser(__doc__)
    options.add_argument("--engine", choices=ROUNDS)
    arguments = options.parse_args()
    build, quick = build_targets(arguments, ["warpo-run", "warpo-js"]), arguments.quick
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        tool = os.path.join(build, "bin", "warpo-run")
        table = compile_table(folder)
        programs = [("the example", compile_example(folder)), *([("a table in C", table)] if table else [])]
        for engine in [arguments.engine] if arguments.engine else ROUNDS:
            for (name, program), (short, long) in zip(programs, ROUNDS[engine]):
                measure(tool, engine, folder, name, program, short, long // (4 if quick else 1), figures, 3 if quick else PAIRS)
    sys.exit(figures.missed > 0)


if __name__ == "__main__":
    main()
