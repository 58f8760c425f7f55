#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what recording an event costs in machine code, engine `native` of warpo-run.

  benchmarks/recording_native.py [--build build] [--quick]

Each program runs as it is and instrumented; what the latter takes more, by its trace points, is the cost of an event: the
trace point as the compiler has inlined it, and what it takes from the code around it. The recorder overwrites a ring (policy ring),
so that the writing of the record is not in it. It is compared with a loop in C that reads the time stamp counter and stores 8 bytes.
CPU times of whole processes, the least of several runs in turn. Exit code 1 if a figure is missed.
"""

import os
import subprocess
import sys
import tempfile

from measure import PAIRS, Figures, Run, start

# Calls that do next to nothing, deep in each other.
FIB = """(module (func $fib (export "run") (param i32) (result i32)
  (if (result i32) (i32.lt_u (local.get 0) (i32.const 2))
    (then (local.get 0))
    (else (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1)))
                   (call $fib (i32.sub (local.get 0) (i32.const 2))))))))"""


def fib_events(argument):
    calls = [1, 1]
    while len(calls) <= argument:
        calls.append(1 + calls[-1] + calls[-2])
    return 2 * calls[argument]


# Calls that work a while, one after the other.
HASH = """(module
  (func $hash (param $hash i32) (result i32) (local $i i32)
    (loop $next
      (local.set $hash (i32.mul (i32.xor (local.get $hash) (local.get $i)) (i32.const 16777619)))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 30))))
    (local.get $hash))
  (func (export "run") (param $count i32) (result i32) (local $hash i32)
    (loop $next
      (local.set $hash (call $hash (local.get $hash)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $hash)))"""


def hash_events(argument):
    return 2 * (argument + 1)


# The least that a recorder with a clock could do.
LEAST = """#include <stdint.h>
#include <stdlib.h>
static uint64_t ring[1 << 15];
static uint64_t counter(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  uint64_t now;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#endif
}
int main(int count, char **arguments) {
  uint64_t base = counter();
  long events = count > 1 ? atol(arguments[1]) : 0;
  for (long i = 0; i < events; ++i) {
    ring[i & ((1 << 15) - 1)] = (counter() - base) << 32 | (uint32_t)i;
    __asm__ volatile("" ::: "memory");
  }
}
"""


class Bench:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def tool(self, name):
        return os.path.join(self.build, "bin", name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def prepare(self, name, text):
        """The paths of the program as it is and of the instrumented one."""
        plain, traced = self.path(f"{name}.wasm"), self.path(f"{name}.traced.wasm")
        subprocess.run(["wat2wasm", "--debug-names", self.write(f"{name}.wat", text), "-o", plain], check=True)
        subprocess.run([self.tool("warpo-instrument"), "-q", "--all", "--unwind=none", plain, "-o", traced,
                        f"--trace-point-mapping-file={self.path('app.map')}"], check=True)
        return plain, traced

    def run(self, module, argument):
        return Run([self.tool("warpo-run"), "-q", "--engine=native", f"--record={self.path('app.warpo')}", module,
                    "--invoke=run", f"--arg={argument}"]).seconds

    def prepare_least(self):
        source, program = self.write("least.c", LEAST), self.path("least")
        subprocess.run(["cc", "-O1", source, "-o", program], check=True)
        return program


def main():
    build, quick = start(__doc__, ["warpo-run", "warpo-instrument"])
    # A ring that stays in the processor's cache, like that of the loop it is compared with.
    os.environ["WARPO_RECORDER_POLICY"], os.environ["WARPO_RECORDER_BUFFER"] = "ring", str(1 << 18)
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = Bench(build, folder)
        program = bench.prepare_least()
        for name, text, argument, count in (
            ("calls that do nothing", FIB, 28 if quick else 33, fib_events),
            ("calls that work a while", HASH, 500000 if quick else 5000000, hash_events),
        ):
            plain, traced = bench.prepare(name.replace(" ", "-"), text)
            bench.run(plain, 1), bench.run(traced, 1)  # compiles them
            events = count(argument)
            rounds = [(bench.run(traced, argument), bench.run(plain, argument), Run([program, str(events)]).seconds)
                      for _ in range(PAIRS)]
            with_events, without, least = (min(column) for column in zip(*rounds))
            event, reference = (with_events - without) / events * 1e9, least / events * 1e9
            print(f"{name}: {events} events of {event:.1f} ns; counter and store {reference:.1f} ns")
            figures.add(f"an event, {name}, times counter and store", event / reference, "times", 1.25)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
