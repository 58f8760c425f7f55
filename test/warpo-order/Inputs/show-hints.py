"""Prints the sections of a module, in lines; hints have one of their own, each as function@offset payload.

Priorities have no counts of hints; where they do, their line says so.
"""
import sys

from support.leb128 import unsigned as leb
from support.wasm import sections

IDS = {1: "type", 2: "import", 3: "function", 4: "table", 7: "export", 9: "element", 10: "code"}

data = open(sys.argv[1], "rb").read()
line = []
for kind, name, _, at, _ in sections(data):
    if not name.startswith("metadata.code."):
        line.append(name if kind == 0 else IDS.get(kind))
        continue
    hints, is_counted = [], False
    functions, at = leb(data, at)
    for _ in range(functions):
        function, at = leb(data, at)
        is_counted = not name.endswith("priority") or data[at] != 0
        count, at = leb(data, at) if is_counted else (1, at)
        for _ in range(count):
            offset, at = leb(data, at)
            length, at = leb(data, at)
            hints.append(f"{function}@{offset} {data[at:at + length].hex()}")
            at += length
    if line:
        print(*line)
    line = []
    form = " (counted)" if is_counted and name.endswith("priority") else ""
    print(f"{name}{form}: {', '.join(hints)}")
print(*line)
