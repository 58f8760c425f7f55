"""Replays records in YAML as plainly as can be, by the rules of docs/records.md: the oracle of replay.test.

usage: naive-replay.py [--seeds=FIRST..LAST] [--entries=N]    random records, damaged in every way there is
       naive-replay.py RECORD.yaml...                         records that there are

       --one-stack: with that option of the tools too, on random records without two streams' entries of one time

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
# What ends next was taken by a trap; twice: the outermost call of its function.
TRAP = 2**31 - 1


class Stream:
    def __init__(self):
        self.stack = []
        # What has been spent, and what was read last: a trap spends nothing.
        self.time, self.fuel = self.read_time, self.read_fuel = -(2**32), 0
        self.begun = self.losing = False
        self.traps = 0


class Replay:
    """What stands in a record: weights by context, a tuple of names from the outermost on."""

    options = []

    def __init__(self, lines):
        self.calls = {name: collections.Counter() for name in ("time", "fuel", "calls")}
        self.samples = {name: collections.Counter() for name in ("time", "fuel", "samples")}
        self.lost = self.mended = self.has_fuel = self.only_fuel = False
        self.streams = collections.defaultdict(Stream)
        self.stream = self.streams[0, ""]
        for line in lines:
            self.read(line.split("#")[0].strip())
        self.finish()

    def finish(self):
        for stream in self.streams.values():
            if stream.losing and stream.begun:
                self.lose(stream, stream.time, stream.fuel)

    def name_of(self, id):
        """What stands for a function on a stack; only that of its module ends its call."""
        return f"function {id}"

    def read(self, line):
        if line.startswith("clocks:"):
            self.has_fuel, self.only_fuel = "fuel" in line, "time" not in line
        elif match := re.fullmatch(r"- \{?module: (\d+)(?:, name: \"(.*)\"\})?", line):
            self.stream = self.streams[int(match[1]), match[2] or ""]
        elif re.fullmatch(r"- lost: \d+", line):
            self.stream.losing = self.lost = True
            self.stream.traps = 0
        elif match := re.fullmatch(r"- sample: \[(.*)\]", line):
            # Where in its function a frame was makes no other context.
            _, time, fuel, *frames = re.sub(r"\[(\d+), \d+\]", r"\1", match[1]).split(", ")
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
        fuel = stream.read_fuel if fuel is None else fuel
        self.mended |= time < stream.read_time or fuel < stream.read_fuel
        time, fuel = max(time, stream.read_time), max(fuel, stream.read_fuel)
        if id in (0, -(2**31)):
            self.mended = True
            return
        if not stream.begun:
            stream.begun, stream.time, stream.fuel = True, time, fuel
        stream.read_time, stream.read_fuel = time, fuel
        if stream.losing:
            self.lose(stream, time, fuel)
        if id == TRAP:
            self.lost |= stream.traps == 2
            stream.traps = min(stream.traps + 1, 2)
            return
        traps, stream.traps = stream.traps, 0
        self.lost |= traps > 0 and id > 0
        function = self.name_of(abs(id))
        if traps and id < 0 and function in stream.stack:
            self.end_trapped(stream, function, traps == 2)
            self.spend(stream, tuple(stream.stack), time, fuel)
            return
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

    def end_trapped(self, stream, function, is_outermost):
        """At the time of the entry before, so that what has passed since is not theirs."""
        while stream.stack.pop() != function or (is_outermost and function in stream.stack):
            pass

    def weights(self, kind):
        """Those that a profile of calls, or of samples, must have."""
        weights = dict(self.samples if kind == "samples" else self.calls)
        if self.only_fuel:
            weights["fuel"] = weights.pop("time")
        elif kind == "calls" and not self.has_fuel:
            del weights["fuel"]
        return weights


class OneStackReplay(Replay):
    """The same with all entries on one stack, in the order of time."""

    options = ["--one-stack"]

    def __init__(self, lines):
        # Of each stream of the record the last known time and fuel, and whether entries are lost before its next one.
        self.last = collections.defaultdict(lambda: [-(2**32), None, False])
        self.entries = []
        self.module = 0
        self.key = (0, "")
        super().__init__(lines)

    def read(self, line):
        if match := re.fullmatch(r"- \{?module: (\d+)(?:, name: \"(.*)\")?\}?", line):
            self.key = int(match[1]), match[2] or ""
        elif re.fullmatch(r"- lost: \d+", line):
            self.last[self.key][2] = self.lost = True
        else:
            super().read(line)

    def entry(self, _, time, id, fuel):
        last = self.last[self.key]
        known = last[1] or 0
        self.mended |= time < last[0] or (fuel is not None and fuel < known)
        time, fuel = max(time, last[0]), max(known, fuel or 0)
        burnt = 0 if last[1] is None else fuel - known
        if id in (0, -(2**31)):
            self.mended = True
            return
        self.entries.append((time, len(self.entries), self.key[0], id, burnt, last[2]))
        last[:] = time, fuel, False

    def finish(self):
        stack, fuel = Stream(), 0
        for time, _, self.module, id, burnt, losing in sorted(self.entries):
            stack.losing |= losing
            stack.traps = 0 if losing else stack.traps
            fuel += burnt
            super().entry(stack, time, id, fuel)
        stack.losing |= any(losing for _, _, losing in self.last.values())
        if stack.losing and stack.begun:
            self.lose(stack, stack.time, stack.fuel)

    def name_of(self, id):
        return f"function {id}", self.module


def random_record(rng, entries, on_one_stack=False):
    """Lines of a record; of many kinds, and damaged more or less."""
    clocks = rng.choice(["", "clocks: time, fuel", "clocks: time, fuel", "clocks: fuel"])
    if on_one_stack and clocks == "clocks: fuel":
        clocks = ""
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
            frames = [rng.choice(["5", "[5, 70]", "[5, 71]", "6", "[6, 70]", "16777216", '"guest main"', '"main"']) for _ in range(rng.randrange(5))]
            sample = [times[stream], since, rng.randrange(1000), *frames]
            lines.append(f"  - sample: [{', '.join(map(str, sample))}]")
            continue
        time, fuel = times[stream], fuels[stream]
        if on_one_stack:
            time = time * 8 + streams.index(stream)
        if stack and (rng.random() < 0.5 or len(stack) > 40):
            id = -stack.pop()
        else:
            id = rng.choice([1, 2, 3, 16777216, 16777217, TRAP])
            if id != TRAP:
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


def text_of(frame):
    return frame if isinstance(frame, str) else frame[0]


def check_folded(record, replay, kind, weight, contexts, is_converted):
    command = ["warpo-flamegraph", "--format=folded", f"--{kind}", f"--weight={weight}", *replay.options, record]
    expected = collections.Counter()
    for stack, number in contexts.items():
        expected[tuple(map(text_of, stack))] += number
    found = collections.Counter()
    for line in run(command, replay, is_converted).splitlines():
        stack, number = line.rsplit(" ", 1)
        # So that no name ends with what looks like a weight.
        found[tuple(re.sub(r"^function #", "function ", frame) for frame in stack.split(";"))] += int(number)
    compare(command, "contexts", found, expected)


def check_report(record, replay, kind, weight, contexts):
    command = ["warpo-report", "--format=csv", "--top=0", "--columns=self,total", f"--{kind}", f"--weight={weight}",
               *replay.options, record]
    own, total = collections.Counter(), collections.Counter()
    for stack, number in contexts.items():
        own[text_of(stack[-1])] += number
        for function in set(stack):
            total[text_of(function)] += number
    columns = collections.Counter(), collections.Counter()
    for row in list(csv.reader(run(command, replay).splitlines()))[1:]:
        for column, number in zip(columns, row):
            column[row[-1]] += int(number)
    compare(command, "self", columns[0], own)
    compare(command, "total", columns[1], total)


def check_profiles(replay, path, *converted):
    """Of a record, and of what it was converted to."""
    checks = 0
    for kind in "calls", "samples":
        weights = replay.weights(kind)
        if not weights[kind]:
            continue
        for weight, contexts in weights.items():
            for record in path, *converted:
                check_folded(record, replay, kind, weight, contexts, is_converted=record in converted)
            check_report(path, replay, kind, weight, contexts)
            checks += 2 + len(converted)
    return checks


def check(path, folder, kinds):
    binary, ordered = (os.path.join(folder, name) for name in ("record.warpo", "ordered.yaml"))
    checks = 0
    for kind in kinds:
        with open(path) as lines:
            replay = kind(lines)
        if kind is Replay:
            run(["warpo-record-dump", "--format=warpo", path, "-o", binary], replay)
            plain = replay
        checks += check_profiles(replay, path, binary)
        if kind is OneStackReplay:
            # Each stream has its entries still.
            run(["warpo-record-dump", "--format=yaml", "--one-stack", path, "-o", ordered], replay)
            checks += check_profiles(plain, path, ordered)
    return checks


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--seeds", default="1..1")
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--one-stack", action="store_true")
    parser.add_argument("records", nargs="*")
    options = parser.parse_args()
    kinds = [Replay, OneStackReplay] if options.one_stack else [Replay]
    checks = 0
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for path in options.records:
            checks += check(path, folder, kinds)
        first, last = map(int, options.seeds.split(".."))
        for seed in range(first, last + 1) if not options.records else ():
            # Stays where the replay and the tools do not agree.
            path = f"seed-{seed}.yaml"
            with open(path, "w") as out:
                out.write("\n".join(random_record(random.Random(seed), options.entries, options.one_stack)) + "\n")
            checks += check(path, folder, kinds)
            os.remove(path)
    print(f"{checks} profiles are those of the replay")


main()
