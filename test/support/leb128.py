"""Unsigned numbers in LEB128, which WebAssembly and protobuf have in common."""


def unsigned(data, at):
    """The number at an offset, and the offset behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
