# SPDX-License-Identifier: Apache-2.0
"""Compares the branch hints of a module with counts.

usage: branch-hints.py MODULE.wasm COUNTS.csv
       branch-hints.py --without MODULE.wasm      prints the module without its hints
       branch-hints.py --number MODULE.wasm       prints how many hints it has
"""
import csv
import sys

from support.wasm import bodies, leb, sections


def hints(data, contents):
    count, at = leb(data, contents)
    for _ in range(count):
        function, at = leb(data, at)
        entries, at = leb(data, at)
        for _ in range(entries):
            offset, at = leb(data, at)
            size, at = leb(data, at)
            assert size == 1, size
            yield function, offset, data[at]
            at += size


def main():
    action = sys.argv[1] if sys.argv[1].startswith("--") else None
    with open(sys.argv[2 if action else 1], "rb") as file:
        data = file.read()
    found = {name or kind: (begin, contents, end) for kind, name, begin, contents, end in sections(data)}
    begin, contents, end = found["metadata.code.branch_hint"]
    if action == "--number":
        print(f"{len(list(hints(data, contents)))} hints")
        return
    if action == "--without":
        sys.stdout.buffer.write(data[:begin] + data[end:])
        return
    starts = [body - code for body, code in bodies(data)]
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
