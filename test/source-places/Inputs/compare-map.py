"""Walks over the code of two modules in step, in wasm-objdump's text: the map in the instrumented one must lead from each
instruction that was copied to the original's.

usage: compare-map.py ORIGINAL INSTRUMENTED

Looks at instructions of which instrumenting inserts none, and at calls of what it has not added.
"""
import pathlib
import re
import subprocess
import sys

import places

ANCHORS = re.compile(r"loop|br_table|unreachable|call|.*\.(load|store|div|rem|trunc)|memory\.")


def functions(file, count=0):
    """Of each function with code its anchors, as (offset in the file, text); those behind the first `count` were added."""
    text = subprocess.run(["wasm-objdump", "-d", file], capture_output=True, check=True, text=True).stdout
    first = int(re.search(r"^[0-9a-f]+ func\[(\d+)\]", text, re.M)[1])
    found = []
    for line in text.splitlines():
        if re.match(r"[0-9a-f]+ func\[", line):
            found.append([])
        elif (match := re.match(r" ([0-9a-f]+): .*\| +(\S.*)$", line)) and ANCHORS.match(match[2]):
            callee = re.match(r"call (\d+)(?: <(.*)>)?", match[2])
            calls_added = callee and (
                re.match(r"(env\.)?(builtin\.|warpo)", callee[2] or "")
                or (count and int(callee[1]) >= first + count and not re.search(r"\((traced|left out)\)$", callee[2] or "")))
            if not calls_added:
                found[-1].append((int(match[1], 16), match[2].split()[0]))
    return found


original, instrumented = sys.argv[1:]
known = places.read_places(pathlib.Path(instrumented).read_bytes())
code = next(begin for number, _, _, begin in places.sections(pathlib.Path(original).read_bytes()) if number == 10)
before = functions(original)
after = functions(instrumented, len(before))
count = calls = 0
for index, (anchors, copied) in enumerate(zip(before, after)):
    texts = [[text for _, text in each] for each in (anchors, copied)]
    assert texts[0] == texts[1], f"function {index} has {texts[1]}, not {texts[0]}"
    for (offset, text), (new, _) in zip(anchors, copied):
        assert known.original(new) == offset - code, f"function {index}: {text} at {new}: {known.original(new)}, not {offset - code}"
        count += 1
        calls += text.startswith("call")
# What was added lies behind all.
for anchors in after[len(before) :]:
    for offset, _ in anchors:
        assert known.original(offset) is None
print(f"{count} instructions, {calls} calls, {len(known.map)} runs")
