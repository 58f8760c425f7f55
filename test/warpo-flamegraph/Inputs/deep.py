"""Writes a WARP record of one endless recursion: deep.py DEPTH [ID]. Function 16777217, or ID, calls itself, one count a call."""
import struct
import sys

depth = int(sys.argv[1])
ids = [16777216] + [int(sys.argv[2]) if len(sys.argv) > 2 else 16777217] * (depth - 1)
out = sys.stdout.buffer
out.write(b"___WARP_TRACE___")
for time, id in enumerate(ids + [-id for id in reversed(ids)]):
    out.write(struct.pack("<QIi", 16, time, id))
