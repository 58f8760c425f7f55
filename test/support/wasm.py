"""Just enough of WebAssembly's binary format to find what stands where in a module."""
from support.leb128 import sized, text
from support.leb128 import unsigned as leb


def section(kind, contents):
    return bytes([kind]) + sized(contents)


def custom_section(name, contents):
    return section(0, text(name) + contents)


def sections(data):
    """For each section its kind, its name if it is a custom one, and where it, its contents and what is behind it begin."""
    at = 8
    while at < len(data):
        begin, kind = at, data[at]
        size, contents = leb(data, at + 1)
        at = contents + size
        name = ""
        if kind == 0:
            length, contents = leb(data, contents)
            name, contents = data[contents:contents + length].decode(), contents + length
        yield kind, name, begin, contents, at


def bodies(data):
    """Where the body of each function with code begins, and where its section's contents do."""
    for kind, _, _, contents, _ in sections(data):
        if kind != 10:
            continue
        count, at = leb(data, contents)
        for _ in range(count):
            size, at = leb(data, at)
            yield at, contents
            at += size
