"""Compares charts over time with sums: random-charts.py SEEDS

Makes random records, of calls with losses and missing ends, of samples, with phases; for each view that both know, the
lines of a chart, added up, are the sums: of `warpo-flamegraph --time-order` those of `warpo-flamegraph`.
"""
import collections
import pathlib
import random
import subprocess
import sys


def calls(pick, stream, lacks_ends=True):
    """Entries of calls, and where each of the host begins and ends if no end is missing."""
    time, entries, spans = pick.randrange(50), [], []
    for _ in range(pick.randrange(4)):
        begin, stack = time, []
        while True:
            time += pick.randrange(6)
            if len(stack) < 5 and (not stack or pick.random() < 0.5):
                stack.append(pick.randrange(1, 4))
                entries.append(f"[{time}, {stack[-1]}, {time // 3}]")
            elif pick.random() < 0.05:
                entries.append(f"lost: {pick.randrange(3)}")
            else:
                # An end may be missing; the call around it ends both.
                if lacks_ends and len(stack) > 1 and pick.random() < 0.1:
                    stack.pop()
                entries.append(f"[{time}, {-stack.pop()}, {time // 3}]")
            if not stack:
                break
        spans.append((begin, time))
        time += pick.randrange(1, 20)
    return [f"module: {stream}"] + entries, spans


def samples(pick, stream):
    time, entries = 0, []
    for _ in range(pick.randrange(12)):
        since = pick.randrange(8)
        time += since
        stack = "".join(f", {pick.randrange(1, 4)}" for _ in range(pick.randrange(6)))
        entries.append(f"sample: [{time}, {since}, {pick.randrange(9)}{stack}]")
    return [f"module: {stream}"] + entries


def phases(pick, spans):
    """Phases that no call outlasts."""
    bounds = [0] + [(end + after) // 2 for (_, end), (after, _) in zip(spans, spans[1:])]
    bounds.append(spans[-1][1] + 10 if spans else 10)
    return [f'phase: [{begin}, {end}, "phase {pick.randrange(3)}"]' for begin, end in zip(bounds, bounds[1:])]


def folded(*options):
    """The weights of stacks; of a chart without the stream's name."""
    result = subprocess.run(["warpo-flamegraph", "--format=folded", *options, "random.yaml"], capture_output=True, text=True)
    assert result.returncode in (0, 2), result.stderr
    sums = collections.Counter()
    for line in result.stdout.splitlines():
        stack, weight = line.rsplit(" ", 1)
        sums[stack.split(";", 1)[-1] if "--time-order" in options else stack] += int(weight)
    return sums


def main(seeds):
    compared = 0
    for seed in range(seeds):
        pick = random.Random(seed)
        kind = pick.choice(["calls", "samples", "phases"])
        if kind == "samples":
            items = samples(pick, 7) + samples(pick, 8)
            weights = ["time", "fuel", "samples"]
        elif kind == "calls":
            items = calls(pick, 7)[0] + calls(pick, 8)[0]
            weights = ["time", "fuel", "calls"]
        else:
            items, spans = calls(pick, 7, lacks_ends=False)
            items += phases(pick, spans)
            weights = ["time"]
        if len(items) < 4:
            continue
        lines = ["warpo-record: 1", "rate: 1", "clocks: time, fuel", "entries:"] + ["  - " + item for item in items]
        pathlib.Path("random.yaml").write_text("\n".join(lines) + "\n")
        for weight in weights:
            for depth in ([], ["--max-depth=1"], ["--max-depth=3"], ["--max-depth=2", "--max-depth-drop"]):
                options = ["--weight=" + weight, *depth, *(["--phases=roots"] if kind == "phases" else [])]
                chart, sums = folded("--time-order", *options), folded(*options)
                # A chart leaves out what has no width.
                assert chart == +sums, f"seed {seed}, {options}:\n{chart}\n{sums}"
                compared += 1
    print(f"{compared} charts agree")


if __name__ == "__main__":
    main(int(sys.argv[1]))
