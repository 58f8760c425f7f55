"""Just enough of protobuf's wire format to look into a message without its schema."""


def varint(data, at):
    """The number at an offset, and the offset behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def varints(data):
    """The numbers of a packed field."""
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def fields(data):
    """Of a message: each field's number, value, and the offset behind it."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, key
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        yield key >> 3, value, at
