"""Just enough of protobuf's wire format to look into a message without its schema."""
from support.leb128 import unsigned as varint


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
