"""Writes two modules with a `br_table` out of as many blocks as it has labels, without and with a value.

usage: large-table.py WITHOUT WITH
"""
import sys

BLOCKS = 400_000


def number(value):
    rest, low = value >> 7, value & 127
    return bytes([low | 128]) + number(rest) if rest else bytes([low])


def section(kind, contents):
    return bytes([kind]) + number(len(contents)) + contents


def module(result, value, drop):
    labels = b"".join(map(number, range(BLOCKS)))
    table = value + b"\x20\x00\x0e" + number(BLOCKS - 1) + labels
    code = b"\x00" + (b"\x02" + result) * BLOCKS + table + b"\x0b" * BLOCKS + drop + b"\x0b"
    return (b"\0asm\1\0\0\0" + section(1, b"\1\x60\1\x7f\0") + section(3, b"\1\0")
            + section(10, b"\1" + number(len(code)) + code))


without, with_value = sys.argv[1:]
with open(without, "wb") as file:
    file.write(module(b"\x40", b"", b""))
with open(with_value, "wb") as file:
    file.write(module(b"\x7f", b"\x41\x00", b"\x1a"))
