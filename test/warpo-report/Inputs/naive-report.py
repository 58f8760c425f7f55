"""Makes a random record (YAML) and what warpo-report must say of it (CSV), by replaying it plainly.

usage: naive-report.py SEED RECORD.yaml EXPECTED.csv EXPECTED-FUEL.csv [deep]
"""
import random
import sys
from collections import defaultdict

seed, record, expected, expected_fuel = sys.argv[1:5]
max_depth, ends = (3000, 0.2) if sys.argv[5:] == ["deep"] else (30, 0.5)
rng = random.Random(int(seed))
FIRST = 16777216
functions = 12
times, fuel, stack, lines = 1000, 50, [], []
calls = defaultdict(int)
self_time = defaultdict(int)
inclusive = defaultdict(int)
self_fuel = defaultdict(int)
inclusive_fuel = defaultdict(int)
durations = defaultdict(list)
depth = defaultdict(int)


def end():
    function, begin, child, fuel_begin, fuel_child = stack.pop()
    took = times - begin
    burnt = fuel - fuel_begin
    self_fuel[function] += burnt - fuel_child
    self_time[function] += took - child
    durations[function].append(took)
    if all(open_call[0] != function for open_call in stack):
        inclusive[function] += took
        inclusive_fuel[function] += burnt
    if stack:
        stack[-1][2] += took
        stack[-1][4] += burnt
    lines.append(f"  - [{times}, {-(FIRST + function)}, {fuel}]")


for _ in range(4000):
    times += rng.randrange(200)
    fuel += rng.randrange(50)
    if stack and (rng.random() < ends or len(stack) > max_depth):
        end()
    else:
        function = rng.randrange(functions)
        stack.append([function, times, 0, fuel, 0])
        calls[function] += 1
        depth[function] = max(depth[function], sum(c[0] == function for c in stack))
        lines.append(f"  - [{times}, {FIRST + function}, {fuel}]")
while stack:
    times += 7
    fuel += 3
    end()

with open(record, "w") as out:
    out.write("warpo-record: 1\nclocks: time, fuel\nentries:\n" + "\n".join(lines) + "\n")
whole = sum(self_time.values())
rows = []
for f in calls:
    # Few calls: percentiles are exact where there are at most 16, and else within 1/64.
    rows.append((-self_time[f], f"function {FIRST + f}", calls[f], self_time[f], inclusive[f],
                 (2 * sum(durations[f]) + len(durations[f])) // (2 * len(durations[f])), max(durations[f]), depth[f]))
with open(expected, "w") as out:
    out.write("calls,self_ticks,total_ticks,mean_ticks,max_ticks,depth,function\n")
    for _, name, *numbers in sorted(rows):
        out.write(",".join(map(str, numbers)) + f",{name}\n")
with open(expected_fuel, "w") as out:
    out.write("self_fuel,total_fuel,function\n")
    for negated, name, f in sorted((-self_fuel[f], f"function {FIRST + f}", f) for f in calls):
        out.write(f"{-negated},{inclusive_fuel[f]},{name}\n")
