"""Makes a random record (YAML) and what warpo-report must say of it (CSV), by replaying it plainly.

usage: naive-report.py SEED RECORD.yaml EXPECTED.csv
"""
import random
import sys
from collections import defaultdict

seed, record, expected = sys.argv[1:]
rng = random.Random(int(seed))
FIRST = 16777216
functions = 12
times, stack, lines = 1000, [], []
calls = defaultdict(int)
self_time = defaultdict(int)
inclusive = defaultdict(int)
durations = defaultdict(list)
depth = defaultdict(int)


def end():
    function, begin, child = stack.pop()
    took = times - begin
    self_time[function] += took - child
    durations[function].append(took)
    if all(open_call[0] != function for open_call in stack):
        inclusive[function] += took
    if stack:
        stack[-1][2] += took
    lines.append(f"  - [{times}, {-(FIRST + function)}]")


for _ in range(4000):
    times += rng.randrange(200)
    if stack and (rng.random() < 0.5 or len(stack) > 30):
        end()
    else:
        function = rng.randrange(functions)
        stack.append([function, times, 0])
        calls[function] += 1
        depth[function] = max(depth[function], sum(c[0] == function for c in stack))
        lines.append(f"  - [{times}, {FIRST + function}]")
while stack:
    times += 7
    end()

with open(record, "w") as out:
    out.write("warpo-record: 1\nentries:\n" + "\n".join(lines) + "\n")
whole = sum(self_time.values())
rows = []
for f in calls:
    # Few calls: percentiles are exact where there are at most 16, and else within 1/64.
    rows.append((-self_time[f], f"function {FIRST + f}", calls[f], self_time[f], inclusive[f],
                 sum(durations[f]) // len(durations[f]), max(durations[f]), depth[f]))
with open(expected, "w") as out:
    out.write("calls,self_ticks,total_ticks,mean_ticks,max_ticks,depth,function\n")
    for _, name, *numbers in sorted(rows):
        out.write(",".join(map(str, numbers)) + f",{name}\n")
