"""usage: check-lines.py STACKS ANNOTATED FILE

Whether the text ANNOTATED has for each line of FILE what the collapsed STACKS of lines come to, and no other line with weight.
"""
import collections
import re
import sys

LINE = re.compile(r"^(?: *[<\d.]+ % +([\d,]+) samples?| +) +(?:([\d,]+) samples?)? +>? *(\d+)(?: \||$)")


def number(text):
    return int((text or "0").replace(",", ""))


stacks, annotated, name = sys.argv[1:]
own, whole = collections.Counter(), collections.Counter()
for stack in open(stacks):
    frames, samples = stack.rsplit(" ", 1)
    frames = [frame.rsplit(":", 1) for frame in frames.split(";")]
    if frames[-1][0] == name:
        own[int(frames[-1][1])] += int(samples)
    for line in {int(line) for file, line in frames if file == name}:
        whole[line] += int(samples)
expected = {line: (own[line], whole[line]) for line in whole}
found = {int(match[3]): (number(match[1]), number(match[2])) for match in map(LINE.match, open(annotated)) if match}
if found != expected:
    sys.exit(f"{found}\nis not {expected}")
print(f"{len(found)} lines")
