"""Cuts a Perfetto trace where a sequence's state is restarted: cut-pieces.py TRACE PREFIX writes PREFIX1, PREFIX2, …"""

import sys

from support.protobuf import fields

trace = open(sys.argv[1], "rb").read()
cuts, start = [], 0
for _, packet, end in fields(trace):
    values = {number: value for number, value, _ in fields(packet)}
    # A piece starts with the process (60: a track descriptor, in which 3: a process).
    if 60 in values and 3 in {number for number, _, _ in fields(values[60])}:
        cuts.append(start)
    start = end
for i, (first, last) in enumerate(zip(cuts, cuts[1:] + [len(trace)])):
    open(f"{sys.argv[2]}{i + 1}", "wb").write(trace[first:last])
print(len(cuts), "pieces")
