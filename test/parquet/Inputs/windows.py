"""Windows of a profile, apart from the tools.

  windows.py make SEED RECORD            a record as YAML: two modules, time and fuel, calls that span many windows
  windows.py check SEED WALL LENGTH      whether print-table.mjs's lines on standard input are the record's windows of LENGTH ns
"""
import collections
import random
import sys


def entries(seed):
    """Of each module: time, function (below 0: its end), fuel."""
    source = random.Random(seed)
    for module in (1, 2):
        time, fuel, stack, made = source.randrange(50), 0, [], []
        for _ in range(120):
            if stack and (len(stack) > 5 or source.random() < 0.5):
                made.append((time, -stack.pop(), fuel))
            else:
                stack.append(source.randint(1, 4))
                made.append((time, stack[-1], fuel))
            time += source.choice((0, 1, 5, 10, 10, 37, 160))
            fuel += source.randrange(9)
        while stack:
            made.append((time, -stack.pop(), fuel))
        yield module, made


def make(seed, path):
    with open(path, "w") as record:
        record.write("warpo-record: 1\nclocks: time, fuel\nentries:\n")
        for module, made in entries(seed):
            record.write(f"  - module: {module}\n" + "".join(f"  - [{time}, {id}, {fuel}]\n" for time, id, fuel in made))


def check(seed, wall, length):
    wall, length = int(wall), int(length)
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for _, made in entries(seed):
        stack, last, last_fuel, window = [], 0, 0, 0
        for time, id, fuel in made:
            time += wall
            # What ends where a window does is of that window, what begins there of the next.
            while stack and time + (id > 0) > (window + 1) * length:
                window += 1
                sums[window - 1, tuple(stack)][0] += window * length - last
                last = window * length
                for depth in range(len(stack)):
                    sums[window, tuple(stack[:depth + 1])][1] += 1
            if stack:
                sums[window, tuple(stack)][0] += time - last
                sums[window, tuple(stack)][2] += fuel - last_fuel
            else:
                window = time // length
            if id > 0:
                stack.append(id)
                sums[window, tuple(stack)][1] += 1
            else:
                stack.pop()
            last, last_fuel = time, fuel
    for (window, stack), (time, *_) in list(sums.items()):
        for depth in range(len(stack)):
            sums[window, stack[:depth + 1]][3] += time
    expected = {(str(window * length), str((window + 1) * length), ";".join(f"function {id}" for id in stack)): tuple(map(str, values))
                for (window, stack), values in sums.items()}
    header, *lines = (line.rstrip("\n").split(",") for line in sys.stdin)
    found = {}
    for line in lines:
        row = dict(zip(header, line))
        key = row["begin_ns"], row["end_ns"], row["stack"]
        assert key not in found, key
        found[key] = row["time_self_ns"], row["calls_self"], row["fuel_self"], row["time_total_ns"]
    wrong = {key for key in {*found, *expected} if found.get(key) != expected.get(key)}
    assert not wrong, [(key, found.get(key), expected.get(key)) for key in sorted(wrong)[:5]]
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    print(len({begin for begin, *_ in found}), "windows,", len(found), "rows")


globals()[sys.argv[1]](*sys.argv[2:])
