"""Writes a WARP record in which a main calls N functions that each call N functions: contexts.py N > RECORD

Entries are one count apart.
"""
import struct
import sys

count = int(sys.argv[1])
ids = range(2, count + 2)
time = -1


def entry(id):
    global time
    time += 1
    return struct.pack("<QIi", 1, time, id)


with open(sys.stdout.fileno(), "wb") as out:
    out.write(b"___WARP_TRACE___" + entry(1))
    for caller in ids:
        out.write(entry(caller))
        out.write(b"".join(entry(sign * id) for id in ids for sign in (1, -1)))
        out.write(entry(-caller))
    out.write(entry(-1))
