"""Prints the sections of a module, in lines; hints have one of their own, each as function@offset payload.

Priorities have no counts of hints; where they do, their line says so.
"""
import sys

IDS = {1: "type", 3: "function", 4: "table", 7: "export", 9: "element", 10: "code"}


def leb(at):
    shift = value = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


data = open(sys.argv[1], "rb").read()
at, line = 8, []
while at < len(data):
    kind = data[at]
    size, at = leb(at + 1)
    end = at + size
    name = IDS.get(kind)
    if kind == 0:
        length, at = leb(at)
        name = data[at:at + length].decode()
        at += length
    if name.startswith("metadata.code."):
        hints = []
        functions, at = leb(at)
        for _ in range(functions):
            function, at = leb(at)
            is_counted = not name.endswith("priority") or data[at] != 0
            count, at = leb(at) if is_counted else (1, at)
            for _ in range(count):
                offset, at = leb(at)
                length, at = leb(at)
                hints.append(f"{function}@{offset} {data[at:at + length].hex()}")
                at += length
        if line:
            print(*line)
        line = []
        form = " (counted)" if is_counted and name.endswith("priority") else ""
        print(f"{name}{form}: {', '.join(hints)}")
    else:
        line.append(name)
    at = end
print(*line)
