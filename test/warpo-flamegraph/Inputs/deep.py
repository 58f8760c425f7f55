"""Writes a WARP record of one endless recursion: deep.py DEPTH. Function 16777217 calls itself, one count a call."""
import struct
import sys

depth = int(sys.argv[1])
ids = [16777216] + [16777217] * (depth - 1)
out = sys.stdout.buffer
out.write(b"___WARP_TRACE___")
for time, id in enumerate(ids + [-id for id in reversed(ids)]):
    out.write(struct.pack("<QIi", 16, time, id))
