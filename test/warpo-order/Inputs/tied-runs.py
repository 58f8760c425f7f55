"""tied-runs.py MODULE MAP RUNS FUNCTIONS: a module and records of so many runs, whose names make llvm-profdata's
partitioning start from the same order as ours. Both start from the earliest rank of each function; where several have the
same one, llvm-profdata goes by the MD5 of their names, and we by the first run that has one of them."""

import hashlib
import random
import sys

module_file, map_file, runs, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
chooser = random.Random(5)
# Functions in groups: a run executes some groups, each in its own order, in any order.
groups = [list(range(i, min(i + 6, count))) for i in range(0, count, 6)]
traces = []
for _ in range(runs):
    chosen = chooser.sample(groups, len(groups) * 2 // 3)
    traces.append([function for group in chosen for function in group if chooser.random() < 0.9])
start = []
for rank in range(max(map(len, traces))):
    for trace in traces:
        if rank < len(trace) and trace[rank] not in start:
            start.append(trace[rank])
md5 = lambda name: int.from_bytes(hashlib.md5(name.encode()).digest()[:8], "little")
names = dict(zip(start, sorted((f"f{i}" for i in range(len(start))), key=md5)))
with open(module_file, "w") as module, open(map_file, "w") as mapping:
    module.write("(module\n")
    for function in range(count):
        name = names.get(function, f"never{function}")
        module.write(f"  (func ${name})\n")
        mapping.write(f"{function + 1} {name}\n")
    module.write(")\n")
for number, trace in enumerate(traces):
    with open(f"run{number}.yaml", "w") as record:
        record.write("warpo-record: 1\nentries:\n")
        for time, function in enumerate(trace):
            record.write(f"  - [{time}, {function + 1}]\n  - [{time}, -{function + 1}]\n")
