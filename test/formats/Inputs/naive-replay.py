"""Replays records in YAML as plainly as can be, by the rules of docs/records.md: the oracle of replay.test.

usage: naive-replay.py [--seeds=FIRST..LAST] [--entries=N]    random records, damaged in every way there is
       naive-replay.py RECORD.yaml...                         records that there are

Each record is read by the tools as it is and as `warpo`; every context's time, calls, fuel and samples, every
function's self and total, and the exit code must be those of the replay here. Exit code 1 where they differ.
"""
import argparse
import collections
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

LOST = "[lost]"


class Stream:
    def __init__(self):
        self.stack = []
        self.time, self.fuel = -(2**32), 0
        self.begun = self.losing = False


class Replay:
    """What stands in a record: weights by context, a tuple of names from the outermost on."""

    def __init__(self, lines):
        self.calls = {name: collections.Counter() for name in ("time", "fuel", "calls")}
        self.samples = {name: collections.Counter() for name in ("time", "fuel", "samples")}
        self.lost = self.mended = self.has_fuel = self.only_fuel = False
        self.streams = collections.defaultdict(Stream)
        self.stream = self.streams[0, ""]
        for line in lines:
            self.read(line.split("#")[0].strip())
        for stream in self.streams.values():
            if stream.losing and stream.begun:
                self.lose(stream, stream.time, stream.fuel)

    def read(self, line):
        if line.startswith("clocks:"):
            self.has_fuel, self.only_fuel = "fuel" in line, "time" not in line
        elif match := re.fullmatch(r"- \{?module: (\d+)(?:, name: \"(.*)\"\})?", line):
            self.stream = self.streams[int(match[1]), match[2] or ""]
        elif re.fullmatch(r"- lost: \d+", line):
            self.stream.losing = self.lost = True
        elif match := re.fullmatch(r"- sample: \[(.*)\]", line):
            _, time, fuel, *frames = match[1].split(", ")
            self.sample(int(time), int(fuel), frames)
        elif match := re.fullmatch(r"- \[(.*)\]", line):
            time, id, *fuel = map(int, match[1].split(", "))
            self.entry(self.stream, time, id, fuel[0] if fuel else None)

    def sample(self, time, fuel, frames):
        stack = tuple(f"function {frame}" if frame.isdigit() else frame.strip('"') for frame in frames)
        if stack:
            self.samples["time"][stack] += time
            self.samples["fuel"][stack] += fuel
            self.samples["samples"][stack] += 1

    def spend(self, stream, context, time, fuel):
        if context:
            self.calls["time"][context] += time - stream.time
            self.calls["fuel"][context] += fuel - stream.fuel
        stream.time, stream.fuel = time, fuel

    def lose(self, stream, time, fuel):
        stream.losing = False
        context = (*stream.stack, LOST)
        self.spend(stream, context, time, fuel)
        self.calls["calls"][context] += 1

    def entry(self, stream, time, id, fuel):
        fuel = stream.fuel if fuel is None else fuel
        self.mended |= time < stream.time or fuel < stream.fuel
        time, fuel = max(time, stream.time), max(fuel, stream.fuel)
        if id in (0, -(2**31)):
            self.mended = True
            return
        if not stream.begun:
            stream.begun, stream.time, stream.fuel = True, time, fuel
        if stream.losing:
            self.lose(stream, time, fuel)
        function = f"function {abs(id)}"
        if id < 0 and function not in stream.stack:
            self.lost = True
            self.lose(stream, time, fuel)
            return
        self.spend(stream, tuple(stream.stack), time, fuel)
        if id > 0:
            stream.stack.append(function)
            self.calls["calls"][tuple(stream.stack)] += 1
        else:
            while stream.stack.pop() != function:
                pass

    def weights(self, kind):
        """Those that a profile of calls, or of samples, must have."""
        weights = dict(self.samples if kind == "samples" else self.calls)
        if self.only_fuel:
            weights["fuel"] = weights.pop("time")
        elif kind == "calls" and not self.has_fuel:
            del weights["fuel"]
        return weights


def random_record(rng, entries):
    """Lines of a record; of many kinds, and damaged more or less."""
    clocks = rng.choice(["", "clocks: time, fuel", "clocks: time, fuel", "clocks: fuel"])
    damage = rng.choice([0, 0.02, 0.2])
    samples = rng.choice([0, 0.1, 0.5])
    streams = [(rng.randrange(1, 4), rng.choice(["", "worker", "main"])) for _ in range(rng.randrange(1, 5))]
    open_ids = {stream: [] for stream in streams}
    times, fuels, seen = ({stream: 0 for stream in streams} for _ in range(3))
    lines = ["warpo-record: 1"] + ([clocks] if clocks else []) + ["entries:"]
    stream = None
    for _ in range(entries):
        if stream is None or rng.random() < 0.1:
            stream = rng.choice(streams)
            module, name = stream
            lines.append(f'  - {{module: {module}, name: "{name}"}}' if name else f"  - module: {module}")
        times[stream] += rng.choice([0, 1, 9, 400])
        fuels[stream] += rng.choice([0, 0, 3, 100, 2**40])
        stack = open_ids[stream]
        if rng.random() < samples:
            since = rng.randrange(times[stream] - seen[stream] + 1)
            seen[stream] = times[stream]
            frames = [rng.choice(["5", "6", "16777216", '"guest main"', '"main"']) for _ in range(rng.randrange(5))]
            sample = [times[stream], since, rng.randrange(1000), *frames]
            lines.append(f"  - sample: [{', '.join(map(str, sample))}]")
            continue
        time, fuel = times[stream], fuels[stream]
        if stack and (rng.random() < 0.5 or len(stack) > 40):
            id = -stack.pop()
        else:
            id = rng.choice([1, 2, 3, 16777216, 16777217, 2**31 - 1])
            stack.append(id)
        if rng.random() < damage:
            kind = rng.choice(["lost", "id", "end", "unwind", "late", "fuel", "dropped"])
            if kind == "lost":
                lines.append(f"  - lost: {rng.randrange(5)}")
            elif kind == "id":
                id = rng.choice([0, -(2**31)])
            elif kind == "end":
                id = -rng.choice([2, 7])
            elif kind == "unwind" and stack:
                id = -rng.choice(stack)
            elif kind == "late":
                time -= min(time, rng.randrange(1000))
            elif kind == "fuel":
                fuel -= min(fuel, rng.choice([1, 2**41]))
            elif kind == "dropped":
                continue
        has_fuel = clocks == "clocks: time, fuel" and rng.random() < 0.95
        lines.append(f"  - [{fuel if clocks == 'clocks: fuel' else time}, {id}" + (f", {fuel}]" if has_fuel else "]"))
    return lines


def run(command, replay, is_converted=False):
    result = subprocess.run(command, capture_output=True, text=True)
    # What a conversion has mended is whole; what is lost stays lost.
    expected = {2} if replay.lost or (replay.mended and not is_converted) else {0}
    if replay.mended and is_converted:
        expected.add(2)
    if result.returncode not in expected:
        fail(command, f"exit code {result.returncode}, expected {expected}: {result.stderr}")
    return result.stdout


def fail(command, why):
    sys.exit(f"{' '.join(command)}\n{why}")


def compare(command, what, found, expected):
    found, expected = ({key: value for key, value in each.items() if value != 0} for each in (found, expected))
    if found != expected:
        lines = [f"{key}: {found.get(key, 0)}, expected {expected.get(key, 0)}"
                 for key in sorted(found.keys() | expected.keys(), key=str) if found.get(key) != expected.get(key)]
        fail(command, f"{what}:\n" + "\n".join(lines[:20]))


def check_folded(record, replay, kind, weight, contexts):
    command = ["warpo-flamegraph", "--format=folded", f"--{kind}", f"--weight={weight}", record, "-o", "-"]
    found = collections.Counter()
    for line in run(command, replay, record.endswith(".warpo")).splitlines():
        stack, number = line.rsplit(" ", 1)
        # So that no name ends with what looks like a weight.
        found[tuple(re.sub(r"^function #", "function ", frame) for frame in stack.split(";"))] += int(number)
    compare(command, "contexts", found, contexts)


def check_report(record, replay, kind, weight, contexts):
    command = ["warpo-report", "--format=csv", "--top=0", "--columns=self,total", f"--{kind}", f"--weight={weight}", record]
    own, total = collections.Counter(), collections.Counter()
    for stack, number in contexts.items():
        own[stack[-1]] += number
        for function in set(stack):
            total[function] += number
    rows = list(csv.reader(run(command, replay).splitlines()))[1:]
    compare(command, "self", {row[-1]: int(row[0]) for row in rows}, own)
    compare(command, "total", {row[-1]: int(row[1]) for row in rows}, total)


def check(path, folder):
    with open(path) as lines:
        replay = Replay(lines)
    binary = os.path.join(folder, "record.warpo")
    run(["warpo-record-dump", "--format=warpo", path, "-o", binary], replay)
    checks = 0
    for kind in "calls", "samples":
        weights = replay.weights(kind)
        if not weights[kind]:
            continue
        for weight, contexts in weights.items():
            for record in path, binary:
                check_folded(record, replay, kind, weight, contexts)
            check_report(path, replay, kind, weight, contexts)
            checks += 3
    return checks


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--seeds", default="1..1")
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("records", nargs="*")
    options = parser.parse_args()
    checks = 0
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for path in options.records:
            checks += check(path, folder)
        first, last = map(int, options.seeds.split(".."))
        for seed in range(first, last + 1) if not options.records else ():
            # Stays where the replay and the tools do not agree.
            path = f"seed-{seed}.yaml"
            with open(path, "w") as out:
                out.write("\n".join(random_record(random.Random(seed), options.entries)) + "\n")
            checks += check(path, folder)
            os.remove(path)
    print(f"{checks} profiles are those of the replay")


main()
