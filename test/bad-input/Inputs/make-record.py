"""Writes WARP records that no sound recorder writes.

usage: make-record.py OUT WORD...

A word is `module:time:id`, an entry; `ends:N`, N ends of a function that was never begun; `deep:N`, N nested begins; or
`calls:N`, N calls one after another, begin and end.
"""
import struct
import sys


def entry(module, time, id):
    return struct.pack("<QIi", module, time % 2**32, id)


def bulk(kind, count):
    for i in range(count):
        if kind == "calls":
            yield entry(1, 2 * i, 16777216)
            yield entry(1, 2 * i + 1, -16777216)
        else:
            yield entry(1, i, 16777216 if kind == "deep" else -16777217)


with open(sys.argv[1], "wb") as out:
    out.write(b"___WARP_TRACE___")
    for word in sys.argv[2:]:
        parts = word.split(":")
        if len(parts) == 2:
            out.writelines(bulk(parts[0], int(parts[1])))
        else:
            out.write(entry(*(int(part, 0) for part in parts)))
