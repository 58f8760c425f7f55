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


def encoded(number):
    """Its bytes, as few as can be."""
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + encoded(rest) if rest else bytes([low])


def sized(data):
    """Bytes with how many they are in front."""
    return encoded(len(data)) + data


def text(string):
    return sized(string.encode())
