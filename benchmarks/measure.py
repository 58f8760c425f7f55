# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks share: how a command is measured, and how a figure is compared with what it is to reach."""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

# Of the records that are generated.
FUNCTIONS = 5000
CONTEXTS = 50000

PAIRS = 11


class Run:
    """A command that ran. `seconds` is user and system time of the whole process, its memory the largest resident set."""

    def __init__(self, command, stdout=subprocess.DEVNULL):
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE)
        self.messages = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        self.elapsed = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{self.messages}")
        self.seconds = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024


def answer_of(command):
    """What a script prints, as JSON in one line. It is killed then, having nothing else to do: process.exit() of Node 26 sometimes waits
    for ever for a thread of V8's that compiles JavaScript, and that for the main thread to collect garbage."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        line = process.stdout.readline()
        if line:
            process.kill()
        elif process.wait() != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return json.loads(line)


def rust_compiler():
    """The command that compiles a program in Rust for WASI, that of the package that utils/setup installs if there are others; None if there
    is none. Since Rust 1.78 the target is called wasip1."""
    for rustc in "/usr/bin/rustc", "rustc":
        for target in "wasm32-wasip1", "wasm32-wasi":
            command = [rustc, "--target", target, "-O"]
            if not shutil.which(rustc):
                continue
            library = subprocess.run([*command, "--print=target-libdir"], capture_output=True, text=True).stdout.strip()
            if glob.glob(os.path.join(library, "libstd-*")):
                return command
    return None


class Figures:
    def __init__(self):
        self.missed = 0

    def add(self, name, value, unit, limit, at_least=False):
        good = value >= limit if at_least else value <= limit
        self.missed += not good
        sign = ">=" if at_least else "<="
        print(f"{name:<58}{value:>9.2f} {unit:<9}{sign} {limit:<6}{'' if good else 'MISSED'}", flush=True)


class Workshop:
    """What a benchmark of the tools works with: those of a build, a folder for its files, and its figures."""

    def __init__(self, build, folder, quick):
        self.build, self.folder, self.quick = build, folder, quick
        self.figures = Figures()

    def path(self, name):
        return os.path.join(self.folder, name)

    def tool(self, name):
        return os.path.join(self.build, "bin", name)

    def finish(self):
        """Where a benchmark has figures of all that was measured."""


def alternate(first, second):
    """The ratio of CPU times, first / second: of the least of several runs in turn, since what else a machine does (its
    page cache above all) only adds."""
    runs = [(first(), second()) for _ in range(PAIRS)]
    return min(a.seconds for a, _ in runs) / min(b.seconds for _, b in runs)


def parser(documentation):
    """The command line that all benchmarks have."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(os.path.dirname(__file__), "../build"))
    parser.add_argument("--quick", action="store_true")
    return parser


def build_targets(arguments, targets):
    """Builds `targets` and returns the build folder."""
    build = os.path.abspath(arguments.build)
    subprocess.run(["cmake", "--build", build, "--target", *targets], check=True, stdout=subprocess.DEVNULL)
    return build


def start(documentation, targets):
    """Reads the command line and builds `targets`. Returns the build folder and whether --quick was given."""
    arguments = parser(documentation).parse_args()
    return build_targets(arguments, targets), arguments.quick


def bench_programs(documentation, programs, targets, bench):
    """What a benchmark of programs in npm's new Node is: `bench(node, build, folder, quick)` makes a Workshop, whose `measure(name)`
    is called for those that the command line names, else all, and `finish()` at the end. Exits with 1 if a figure is missed."""
    command_line = parser(documentation)
    command_line.add_argument("programs", nargs="*", choices=[[], *programs], default=[])
    arguments = command_line.parse_args()
    build = build_targets(arguments, targets)
    nodes = glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../node_modules/node-linux-*/bin/node"))
    if not nodes:
        sys.exit("npm's new Node is not installed: npm ci")
    with tempfile.TemporaryDirectory(dir=build) as folder:
        workshop = bench(nodes[0], build, folder, arguments.quick)
        for name in arguments.programs or programs:
            workshop.measure(name)
        workshop.finish()
    sys.exit(1 if workshop.figures.missed else 0)
