# SPDX-License-Identifier: Apache-2.0
"""Compares the branch hints of a module with counts.

usage: branch-hints.py MODULE.wasm COUNTS.csv
       branch-hints.py --without MODULE.wasm      prints the module without its hints
"""
import csv
import sys


def uleb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def sections(data):
    at = 8
    while at < len(data):
        begin, kind = at, data[at]
        size, at = uleb(data, at + 1)
        contents, at = at, at + size
        name = ""
        if kind == 0:
            length, contents = uleb(data, contents)
            name, contents = data[contents:contents + length].decode(), contents + length
        yield kind, name, begin, contents, at


def hints(data, contents):
    count, at = uleb(data, contents)
    for _ in range(count):
        function, at = uleb(data, at)
        entries, at = uleb(data, at)
        for _ in range(entries):
            offset, at = uleb(data, at)
            size, at = uleb(data, at)
            assert size == 1, size
            yield function, offset, data[at]
            at += size


def bodies(data, contents):
    """Where each body begins, from the beginning of the section's contents."""
    count, at = uleb(data, contents)
    for _ in range(count):
        size, at = uleb(data, at)
        yield at - contents
        at += size


def main():
    without = sys.argv[1] == "--without"
    with open(sys.argv[2 if without else 1], "rb") as file:
        data = file.read()
    found = {name or kind: (begin, contents, end) for kind, name, begin, contents, end in sections(data)}
    begin, contents, end = found["metadata.code.branch_hint"]
    if without:
        sys.stdout.buffer.write(data[:begin] + data[end:])
        return
    starts = list(bodies(data, found[10][1]))
    arms = {}
    with open(sys.argv[2], newline="") as file:
        for row in csv.DictReader(file):
            if row["arm"] in ("taken", "passed"):
                arms[int(row["offset"], 16), row["arm"]] = int(row["executions"])
    count = 0
    for function, offset, likely in hints(data, contents):
        place = starts[function] + offset  # no function is imported
        taken, passed = arms[place, "taken"], arms[place, "passed"]
        rare = passed if likely else taken
        assert rare * 10 <= taken + passed and taken + passed >= 64, (place, taken, passed, likely)
        count += 1
    print(f"{count} hints, as the counts say")


main()
