# compare.py LOG RECORD.yaml MAPPING: the heap events of a record are those that the program's own wrappers noted, with the
# function that called them; and the live blocks are the same.
import re
import sys

log, record, mapping = sys.argv[1:4]
names = dict(line.rstrip("\n").split(" ", 1) for line in open(mapping))


def expected():
    """What docs/record-format.md says of each call: (operation, old, address, size, site)."""
    for line in open(log):
        what, *numbers, site = line.split()
        if what not in ("a", "f", "r"):
            continue
        old, address, size = map(int, numbers)
        if what == "a" or (what == "r" and old == 0):
            yield ("allocate", 0, address, size, site)
        elif what == "f":
            if address:
                yield ("free", 0, address, 0, site)
        elif size == 0 and address == 0:
            yield ("free", 0, old, 0, site)
        else:
            yield ("reallocate", old, address, size, site)


events, sizes, deepest = [], [], 0
for line in open(record):
    found = re.match(r"  - heap: \[(\w+), -?\d+, (\d+)(.*)\]$", line)
    if not found:
        continue
    operation, memory, rest = found.groups()
    frames = re.findall(r"\[(\d+), (\d+)\]", rest)
    numbers = [int(text) for text in re.sub(r"\[.*", "", rest).strip(", ").split(", ")]
    stack = [names[id] for _, id in frames]
    deepest = max(deepest, len(stack))
    if operation == "grow":
        sizes.append(numbers[0])
        continue
    old = numbers.pop(0) if operation == "reallocate" else 0
    address, size = numbers + [0] * (operation == "free")
    # The wrapper is the caller, and within the function that called it.
    site = stack[-2] if len(stack) > 1 and "wrap" in stack[-1] else None
    events.append((operation, old, address, size, site))

wanted = list(expected())
# Behind the log's end the program allocates no more.
for i, (event, want) in enumerate(zip(events, wanted)):
    # The library allocates before main() does.
    if event[:4] != want[:4] or (want[4] != "?" and event[4] != want[4]):
        sys.exit(f"event {i} is {event}, not {want}")
if len(events) != len(wanted):
    sys.exit(f"{len(events)} events, not {len(wanted)}: {(events + wanted)[min(len(events), len(wanted))]}")
if sizes != sorted(sizes) or len(set(sizes)) != len(sizes):
    sys.exit(f"the memory's sizes are {sizes}")
last = [int(line.split()[1]) for line in open(log) if line.startswith("memory ")]
if sizes[-1:] != last:
    sys.exit(f"the memory's sizes are {sizes}, at the end {last}")
print(len(events) > 100, deepest > 4, len(sizes) > 1)
