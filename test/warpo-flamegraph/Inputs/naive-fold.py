"""Folds random records as plainly as can be: the oracle of oracle.test.

usage: naive-fold.py SEED RECORD TIME-FOLDED CALLS-FOLDED

Writes a random WARP record of one module, with calls that are unwound, ends that match nothing and calls left open, and
what its collapsed stacks must be.
"""
import collections
import random
import struct
import sys

seed, record_path, time_path, calls_path = sys.argv[1:]
rng = random.Random(seed)

entries = []
time = 5000
open_ids = []
for _ in range(20000):
    time += rng.choice([0, 1, 7, 300])
    choice = rng.random()
    if choice < 0.47 and len(open_ids) < 30:
        id = 16777216 + rng.randrange(12)
        open_ids.append(id)
    elif choice < 0.97 and open_ids:
        id = -open_ids.pop()
    elif choice < 0.98 and open_ids:
        place = rng.randrange(len(open_ids))
        id = -open_ids[place]
        # The innermost call of that function ends, and all above it.
        while open_ids.pop() != -id:
            pass
    else:
        id = -(16777216 + rng.randrange(14))
        if -id in open_ids:
            while open_ids.pop() != -id:
                pass
    entries.append((time, id))

with open(record_path, "wb") as record:
    record.write(b"___WARP_TRACE___")
    for time, id in entries:
        record.write(struct.pack("<QIi", 7, time, id))

times = collections.Counter()
calls = collections.Counter()
stack = []
last = entries[0][0]
for time, id in entries:
    matches = id > 0 or any(frame == f"function #{-id}" for frame in stack)
    # The time before an end that matches nothing is lost, below whatever is open.
    charged = stack if matches else stack + ["[lost]"]
    if charged:
        times[";".join(charged)] += time - last
    last = time
    if not matches:
        calls[";".join(charged)] += 1
    elif id > 0:
        stack.append(f"function #{id}")
        calls[";".join(stack)] += 1
    else:
        while stack.pop() != f"function #{-id}":
            pass

for path, weights in (time_path, times), (calls_path, calls):
    with open(path, "w") as out:
        out.writelines(sorted(f"{stack} {weight}\n" for stack, weight in weights.items() if weight))
