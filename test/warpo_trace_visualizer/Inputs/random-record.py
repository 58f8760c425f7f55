"""Writes a sound record of random calls: random-record.py SEED EVENTS > RECORD.yaml

Three streams by turns, some calls without duration, some pauses between calls from the host.
"""
import random
import sys

random.seed(int(sys.argv[1]))
print("warpo-record: 1\nentries:")
times, stacks = [1000, 400, 1300], [[], [], []]
for batch in range(int(sys.argv[2]) // 20 + 3):
    stream = batch % 3
    print(f"  - module: {stream + 1}")
    last = batch >= int(sys.argv[2]) // 20
    while stacks[stream] if last else random.random() < 0.95:
        times[stream] += random.choice([0, 0, 1, 3, random.randrange(2000)])
        begins = not last and (not stacks[stream] or random.random() < 0.5)
        if begins:
            stacks[stream].append(random.randrange(1, 9))
        print(f"  - [{times[stream]}, {stacks[stream][-1] if begins else -stacks[stream].pop()}]")
