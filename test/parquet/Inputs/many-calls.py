"""Writes a WARP record of many calls and its mapping: many-calls.py CALLS RECORD MAP.

One call lasts to the end of the record, others over some groups of rows; times, functions and depths vary by a fixed rule."""
import struct
import sys

count, first = int(sys.argv[1]), 0x1000000
time, seed, depth, made = 0, 1, 0, 0
stack = []
with open(sys.argv[2], "wb") as record:
    entries = []

    def entry(id):
        entries.append(struct.pack("<QIi", 1, time & 0xffffffff, id))

    def begin(function):
        global made
        made += 1
        stack.append(first + function)
        entry(stack[-1])

    record.write(b"___WARP_TRACE___")
    begin(0)
    begin(1)
    while made < count:
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        time += seed >> 8 & (0xfffff if made % 1000 == 0 else 0x3f)
        limit = 2 if made < count // 2 else 1
        if len(stack) < 40 and seed >> 16 & 1 or len(stack) <= limit:
            begin(2 + (seed >> 20) % 50)
        else:
            entry(-stack.pop())
    while stack:
        time += 1
        entry(-stack.pop())
    record.write(b"".join(entries))
with open(sys.argv[3], "w") as mapping:
    for i in range(52):
        mapping.write(f"{first + i} function {i}\n")
