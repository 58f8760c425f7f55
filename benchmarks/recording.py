#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the C recorder costs, as ratios within one run.

  benchmarks/recording.py [--build build] [--quick]

Prints one line for each figure with what it is to reach:
  the trace point beside the least that a clocked event can cost, the processor's counter stored into a ring;
  the same beside other tracers of functions: clang's XRay in its flight recorder's mode, and uftrace, where they are installed;
  bytes an event of a record of random calls, as it is recorded and compressed;
  what reading it takes beside the same record in the format warp;
  1 000 million events recorded to disk (3 GB) with the policy block: how many are lost, and memory. --quick: 50 million;
  what cutting a hundredth of that record's time takes beside writing all of it anew.
Exit code 1 if a figure is missed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from measure import FUNCTIONS, Figures, Run, alternate, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CALLS = 2_000_000


def output(command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def nanoseconds_of_calls(command, folder, environment=None):
    """A call of traced_calls.c in CPU time: the least of a few runs. The number is its last line."""
    variables = {**os.environ, **(environment or {})}
    return min(float(output([*command, str(CALLS)], cwd=folder, env=variables).split()[-1]) for _ in range(5))


def other_tracers(folder):
    """What each takes for an event: half of what it adds to a call. By name; those that are installed."""
    source = os.path.join(ROOT, "benchmarks/traced_calls.c")
    program = lambda name: os.path.join(folder, name)
    costs = {}
    if shutil.which("clang-19"):
        compile = ["clang-19", "-O2", source, "-o"]
        subprocess.run([*compile, program("plain")], check=True)
        subprocess.run([*compile, program("xray"), "-fxray-instrument", "-fxray-instruction-threshold=1"], check=True)
        plain = nanoseconds_of_calls([program("plain")], folder)
        options = {"XRAY_OPTIONS": "patch_premain=true xray_mode=xray-fdr verbosity=0",
                   "XRAY_FDR_OPTIONS": "func_duration_threshold_us=0"}
        costs["XRay, flight recorder"] = (nanoseconds_of_calls([program("xray")], folder, options) - plain) / 2
    if shutil.which("uftrace"):
        compile = ["cc", "-O2", source, "-o"]
        subprocess.run([*compile, program("plain")], check=True)
        subprocess.run([*compile, program("pg"), "-pg"], check=True)
        plain = nanoseconds_of_calls([program("plain")], folder)
        record = ["uftrace", "record", "--no-libcall", "-d", program("uftrace.data"), program("pg")]
        costs["uftrace"] = (nanoseconds_of_calls(record, folder) - plain) / 2
    return costs


def main():
    build, quick = start(__doc__, ["all", "recording", "gen_record"])
    recording = os.path.join(build, "benchmarks/recording")
    dump = os.path.join(build, "bin/warpo-record-dump")
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        path = lambda name: os.path.join(folder, name)

        cost = json.loads(output([recording, "point", str(2_000_000 if quick else 20_000_000)]))
        print(f"The counter and a store: {cost['bare']:.1f} ns. Of the trace point, times that:")
        for policy in ("block", "drop", "ring"):
            figures.add(f"policy {policy}", cost[policy] / cost["bare"], "times", 1.25)
        print(f"While recording is switched off: {cost['off'] / cost['bare']:.2f} times that")
        for name, nanoseconds in other_tracers(folder).items():
            figures.add(f"{name} ({nanoseconds:.0f} ns an event), times the trace point", nanoseconds / cost["ring"],
                        "times", 5, at_least=True)

        entries = 1_000_000 if quick else 10_000_000
        print(f"Random record, {entries // 1_000_000} million entries, {FUNCTIONS} functions")
        generator = [os.path.join(build, "benchmarks/gen_record"), str(entries), str(FUNCTIONS), "1", path("warp"), path("map")]
        subprocess.run(generator, check=True)
        subprocess.run([recording, "repack", path("warp"), path("warpo")], check=True)
        compress = [dump, "--format=warpo", "--compress", path("warpo"), "-o", path("zstd")]
        subprocess.run(compress, check=True, stderr=subprocess.DEVNULL)
        size = lambda name: os.path.getsize(path(name)) / entries
        figures.add("an event", size("warpo"), "bytes", 3.2)
        figures.add("an event, with zstd", size("zstd"), "bytes", 2.6)
        read = lambda name: lambda: Run([dump, "--summary", "--mapping", path("map"), path(name)])
        figures.add("reading it, times reading the format warp", alternate(read("warpo"), read("warp")), "times", 1.0)

        events = 50_000_000 if quick else 1_000_000_000
        print(f"{events // 1_000_000} million events to disk, policy block")
        with open(path("said"), "w") as said:
            run = Run([recording, "sustain", str(events), path("long")], stdout=said)
        with open(path("said")) as said:
            counts = json.load(said)
        figures.add("lost", counts["lost"] + events - counts["written"], "events", 0)
        figures.add("memory", run.megabytes, "MB", 16)
        print(f"    {counts['seconds'] * 1e9 / events:.1f} ns an event until all was written, "
              f"{run.seconds * 1e9 / events:.1f} ns of CPU time with the writer's")

        span = int(re.search(r"span: (\d+) ns", output([dump, "--summary", path("long")]))[1])
        rewrite = [dump, "--format=warpo", path("long"), "-o", "/dev/null"]
        window = [f"--from={span // 2}ns", f"--to={span // 2 + span // 100}ns"]
        # Of a short record, the start of the process is as long as that.
        figures.add("a hundredth of its time, times all of it", Run(rewrite + window).seconds / Run(rewrite).seconds,
                    "times", 0.06 if quick else 0.02)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
