"""Random stacks that are suspended now and then, as YAML, and what a report has to say of them: suspensions.py SEED RECORD TABLE SLICES

Entries of several streams take turns, so that a suspension often begins a batch. TABLE has a line for each function, as `--format=csv
--columns=self,total,suspended,calls,mean,max`; SLICES the slices, as `--slowest-slices --columns=slice,took,suspended,calls,from,to`.
Sums of all are printed: the time in which calls ran, and in which they waited.
"""
import random
import sys
from collections import defaultdict

seed, record, table, slices_table = sys.argv[1:]
random.seed(int(seed))
SUSPENDED = 2147483646
STREAMS = 3

lines = ["warpo-record: 1", "rate: 1", "entries:"]
stacks = [[] for _ in range(STREAMS)]
waited = [0] * STREAMS
last = [0] * STREAMS
selfs, totals, suspended, calls, durations = (defaultdict(int) for _ in range(5))
longest = defaultdict(int)
known = defaultdict(int)
slices, open_slices = [], {}
time, stream_before, number = 0, None, 0
left = 3000
while left > 0 or any(stacks):
    left -= 1
    stream = random.randrange(STREAMS)
    stack = stacks[stream]
    time += random.choice([0, 1, 1, 7, 30]) if number > 0 else 0
    top = stack[-1][0] if stack else None
    if top == SUSPENDED:
        # The program may call something while its stack waits: that ran.
        choice = random.choice(["end", "end", "begin"]) if left > 0 else "end"
    elif not stack or (left > 0 and len(stack) < 6 and random.random() < 0.5):
        if left <= 0:
            continue
        choice = random.choice(["begin", "begin", "suspend"]) if stack else "begin"
    else:
        choice = "end"
    # Who is on top gets what has passed.
    passed = time - last[stream]
    last[stream] = time
    if top == SUSPENDED:
        waited[stream] += passed
        waiters = [entry for entry in stack if entry[0] != SUSPENDED]
        for function in {entry[0] for entry in waiters}:
            suspended[function] += passed
    elif stack:
        selfs[top] += passed
        for function in {entry[0] for entry in stack if entry[0] != SUSPENDED}:
            totals[function] += passed
    if stream != stream_before:
        lines.append(f"  - module: {stream + 1}")
        stream_before = stream
    if choice == "end":
        function, begin, waited_before = stack.pop()
        lines.append(f"  - [{time}, {-(function if function == SUSPENDED else function[1])}]")
        if function != SUSPENDED:
            duration = time - begin - (waited[stream] - waited_before)
            durations[function] += duration
            known[function] += 1
            longest[function] = max(longest[function], duration)
        if not stack:
            slices.append(open_slices.pop(stream) | {"to": time, "suspended": waited[stream] - waited_before})
        continue
    function = SUSPENDED if choice == "suspend" else (stream, 10 * stream + random.randint(1, 3))
    lines.append(f"  - [{time}, {SUSPENDED if function == SUSPENDED else function[1]}]")
    if not stack:
        number += 1
        open_slices[stream] = {"slice": number, "from": time, "calls": 0}
    stack.append((function, time, waited[stream]))
    if function != SUSPENDED:
        calls[function] += 1
        open_slices[stream]["calls"] += 1

with open(record, "w") as out:
    out.write("\n".join(lines) + "\n")
with open(table, "w") as out:
    for function in sorted(calls):
        mean = (2 * durations[function] + known[function]) // (2 * known[function])
        print(selfs[function], totals[function], suspended[function], calls[function], mean, longest[function], sep=",", file=out)
with open(slices_table, "w") as out:
    for each in slices:
        took = each["to"] - each["from"] - each["suspended"]
        print(each["slice"], took, each["suspended"], each["calls"], each["from"], each["to"], sep=",", file=out)
print(sum(selfs.values()), sum(waited))
