#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: same-lines.py SOURCE EXPECTED.info ACTUAL.info

Compares the executions of the lines of SOURCE that end with a comment `// same NAME`, in two files of lcov."""
import re
import sys

source, *infos = sys.argv[1:]


def executions(path):
    text = open(path).read()
    return {int(line): int(count) for line, count in re.findall(r"^DA:(\d+),(\d+)$", text, re.M)}


expected, actual = map(executions, infos)
for number, line in enumerate(open(source), 1):
    if marked := re.search(r"// same (.*)$", line):
        counts = expected.get(number), actual.get(number)
        print(f"{marked[1]}: {counts[0]}" + ("" if counts[0] == counts[1] else f", but {counts[1]}"))
