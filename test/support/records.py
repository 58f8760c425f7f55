"""Blocks of records `warpo`, by docs/record-format.md alone, and what recording took, which texts have no place for.

As a program: records.py RECORD BEGIN END lets the record's clock say that recording a begin took so many counts, and an end.
"""
import pathlib
import struct
import sys


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def block(kind, payload):
    head = bytes([kind, 0, 0, 0]) + len(payload).to_bytes(4, "little")
    return b"WBLK" + head + crc32c(head + payload).to_bytes(4, "little") + payload


def say_probe(record, begin, end):
    """Lets the record's first block, that of its clock, say what recording took, in 1/1024 of a count."""
    signature, header = 8, 16
    data = bytearray(record.read_bytes())
    size, = struct.unpack_from("<I", data, signature + 8)
    clock = data[signature + header:signature + header + size]
    struct.pack_into("<2Q", clock, 40, begin, end)
    data[signature:signature + header + size] = block(1, bytes(clock))
    record.write_bytes(data)


if __name__ == "__main__":
    path, *counts = sys.argv[1:]
    say_probe(pathlib.Path(path), *(int(1024 * float(each)) for each in counts))
