#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what tables of calls and profiles of many machines cost.

  benchmarks/fleet.py [--build build] [--quick] [PROGRAM...]

Prints one line for each figure with what it is to reach:
  bytes a call of the Parquet table of programs of npm's, recorded in V8 with their times (share/warpo/js, the clock `exact`);
  of a generated record of 10 million calls on 50 000 calling contexts: calls a second of CPU time of the whole tool, the least
  of several runs, and memory;
  a thousand saved profiles of 20 KB added up: CPU time;
  the flame graph of 10 million rows in DuckDB and, where it is installed, ClickHouse (test/parquet/chdb): elapsed time.
Exit code 1 if a figure is missed. --quick takes a tenth of the calls and rows.
"""

import json
import os
import subprocess

from measure import CONTEXTS, FUNCTIONS, Run, bench_programs
from programs import ROOT, ROUNDS, Bench

# Of a profile of 20 KB.
PROFILE_FUNCTIONS = 300
PROFILE_CONTEXTS = 800


class Fleet(Bench):
    def measure(self, name):
        modules = list(self.instrument(self.ask(name)["modules"]))
        record = self.path("app.warpo")
        self.ask(name, ROUNDS[name], os.path.join(self.build, "share/warpo/js"), record, "exact", "block", *modules)
        table = self.path("calls.parquet")
        Run([self.tool("warpo_trace_visualizer"), "--format=parquet", "--no-progress", record, "-o", table])
        calls = int(self.query(":memory:", f"calls={table}", text="select count(*) from read_parquet(getvariable('calls'))"))
        self.figures.add(f"{name}, {calls / 1e6:.1f} million calls: bytes a call", os.path.getsize(table) / calls, "bytes", 3.4)

    def query(self, *arguments, text):
        with open(self.path("question.sql"), "w") as file:
            file.write(text)
        return subprocess.run([self.node, os.path.join(ROOT, "utils/duckdb-query.mjs"), *arguments, self.path("question.sql")],
                              check=True, stdout=subprocess.PIPE, text=True).stdout

    def generate(self, entries, contexts, functions=FUNCTIONS):
        subprocess.run([os.path.join(self.build, "benchmarks/gen_record"), str(entries), str(functions), "1", self.path("record"),
                        self.path("map"), str(contexts)], check=True)

    def convert(self, tool, output, *options):
        return Run([self.tool(tool), "--no-progress", "--mapping", self.path("map"), "--rate=1", *options, self.path("record"), "-o",
                    output])

    def finish(self):
        calls = 1_000_000 if self.quick else 10_000_000
        self.generate(2 * calls, CONTEXTS)
        runs = [self.convert("warpo_trace_visualizer", self.path("calls.parquet"), "--format=parquet") for _ in range(5)]
        self.figures.add("generated record: million calls a second of CPU", calls / 1e6 / min(run.seconds for run in runs), "calls", 6,
                         at_least=True)
        self.figures.add("generated record: memory", max(run.megabytes for run in runs), "MB", 64)
        print(f"    its table: {os.path.getsize(self.path('calls.parquet')) / calls:.2f} bytes a call")

        self.generate(100_000, PROFILE_CONTEXTS, PROFILE_FUNCTIONS)
        self.convert("warpo-flamegraph", self.path("0.wprof"), "--format=warpo-profile")
        profiles = [self.path(f"{number}.wprof") for number in range(1000)]
        for profile in profiles[1:]:
            os.link(profiles[0], profile)
        merge = [self.tool("warpo-flamegraph"), "--no-progress", "--format=warpo-profile", *profiles, "-o", self.path("all.wprof")]
        seconds = min(Run(merge).seconds for _ in range(5))
        self.figures.add(f"1000 saved profiles of {os.path.getsize(profiles[0]) / 1000:.0f} KB, added up", seconds, "s", 1)

        self.convert("warpo-flamegraph", self.path("tables/"), "--format=parquet", "--label=service=app", "--label=host=web-1")
        rows = 1_000_000 if self.quick else 10_000_000
        for kind in ["duckdb", *(["clickhouse"] if os.path.exists(os.path.join(ROOT, "test/parquet/chdb/node_modules")) else [])]:
            command = [self.node, os.path.join(ROOT, "benchmarks/fleet_sql.mjs"), kind, self.path("database"), self.path("tables"),
                       str(rows)]
            answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
            self.figures.add(f"{kind}: flame graph of {answer['rows'] / 1e6:.1f} million rows", answer["seconds"], "s", 0.5)


if __name__ == "__main__":
    bench_programs(__doc__, list(ROUNDS), ["warpo-flamegraph", "warpo_trace_visualizer", "warpo-instrument", "gen_record", "warpo-js"], Fleet)
