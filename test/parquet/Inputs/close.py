"""Compares two files of lines in any order, numbers to a tenth: close.py FILE FILE"""
import sys


def lines(path):
    return sorted(line.rstrip().split("\t") for line in open(path))


def same(a, b):
    try:
        return abs(float(a) - float(b)) <= 0.06
    except ValueError:
        return a == b


found, expected = map(lines, sys.argv[1:])
assert len(found) == len(expected), (found, expected)
for a, b in zip(found, expected):
    assert len(a) == len(b) and all(map(same, a, b)), (a, b)
