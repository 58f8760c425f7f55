"""Compares times of functions by minute with their sums: minutes.py MINUTES SUMS"""
import collections
import re
import sys

sums = collections.Counter()
for line in open(sys.argv[1]):
    minute, function, time = line.rstrip().split("\t")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", minute), minute
    sums[function] += int(time)
expected = dict(line.rstrip().split("\t") for line in open(sys.argv[2]))
assert {name: str(time) for name, time in sums.items()} == expected, (sums, expected)
