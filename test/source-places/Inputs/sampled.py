"""usage: sampled.py MODULE INSTRUMENTED RECORD COUNT [--no-places]

Writes RECORD, by docs/record-format.md alone: samples of INSTRUMENTED's functions at COUNT places of MODULE's code that
llvm-dwarfdump --lookup knows a line of. Prints what collapsed stacks of it are, first of functions, then of lines, by the
text of the lookups alone.
"""
import collections
import pathlib
import random
import re
import subprocess
import sys

from support.leb128 import encoded as u
from support.leb128 import text
from support.records import block

import places as places_of


def frames_at(file, offset):
    """Names, files and lines, innermost first; None if one is not known."""
    lookup = subprocess.run(["llvm-dwarfdump", f"--lookup={offset:#x}", "--show-parents", file], capture_output=True, text=True, check=True).stdout
    where = re.search(r"^Line info: file '(.*?)', line (\d+)", lookup, re.MULTILINE)
    entries = []
    for line in lookup.splitlines():
        if match := re.match(r"0x[0-9a-f]+: +(DW_TAG_\w+)", line):
            entries.append((match[1], {}))
        elif (match := re.match(r"\s+(DW_AT_\w+)\s+\((.*)\)$", line)) and entries:
            entries[-1][1].setdefault(match[1], match[2])
    entries = [(tag, attributes) for tag, attributes in entries if tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine")]
    # A class within a function has functions of its own, which are around it in the tree alone.
    start = max((i for i, (tag, _) in enumerate(entries) if tag == "DW_TAG_subprogram"), default=None)
    if not where or start is None:
        return None
    frames, place = [], (where[1], int(where[2]))
    for tag, attributes in reversed(entries[start:]):
        name = attributes.get("DW_AT_linkage_name") or attributes.get("DW_AT_name") or attributes.get("DW_AT_abstract_origin") \
            or attributes.get("DW_AT_specification")
        name = re.search(r'"(.*)"', name)[1] if name else None
        if not name or not place[1]:
            return None
        frames.append((name, pathlib.PurePath(place[0]).name, place[1]))
        place = (attributes.get("DW_AT_call_file", "").strip('"'), int(attributes.get("DW_AT_call_line", 0)))
    return frames


def main(module, instrumented, record, count, has_places=True):
    data = pathlib.Path(instrumented).read_bytes()
    contents = next(contents for _, name, contents, _ in places_of.sections(data) if name == "warpo.places")
    functions = [function for function in places_of.read_places(data).functions if function.id]
    random.seed(1)
    sampled, names = [], {}
    while len(sampled) < count:
        function = random.choice(functions)
        offset = function.start + random.randrange(function.size)
        if frames := frames_at(module, offset):
            sampled.append((function.id, offset, frames))
            names[function.id] = frames[-1][0]
    # Each stack below one of those before, or none.
    parents = [random.randrange(i + 1) if i % 3 else 0 for i in range(count)]
    code = lambda id: u(id - 16777216 + 1)
    stacks = b"".join(u(parent) + u(1) + code(id) for parent, (id, _, _) in zip(parents, sampled))
    clock = (0).to_bytes(8, "little") * 7 + text("fuel")
    known = b"".join(u(id) + text(name) for id, name in sorted(names.items()))
    blocks = [(1, clock), (2, u(0) + u(7) + text("app") + u(0) + u(0) + u(len(names)) + known), (3, u(0) + u(0) + u(0) + text("")),
              *([(10, u(0) + contents)] if has_places else []), (11, u(1) + b"".join(u(offset * 2) for _, offset, _ in sampled)), (7, u(1) + stacks),
              (8, u(0) + u(1) + u(1) + bytes(16) + b"".join(u(1) + u(1) + u(i + 1) for i in range(count)))]  # fmt: skip
    written = b"\x89WARPO\1\0" + b"".join(block(kind, bytes(payload)) for kind, payload in blocks)
    end = len(written).to_bytes(8, "little") + count.to_bytes(8, "little") + bytes(8)
    pathlib.Path(record).write_bytes(written + block(5, b"\0") + block(6, end))

    by_function, by_line = collections.Counter(), collections.Counter()
    for stack in range(1, count + 1):
        chain, at = [], stack
        while at:
            chain = [sampled[at - 1][2]] + chain
            at = parents[at - 1]
        outermost_first = [(name, f"{file}:{line}", depth > 0) for frames in chain for depth, (name, file, line) in enumerate(reversed(frames))]
        by_function[";".join(name + (" [inlined]" if is_inlined else "") for name, _, is_inlined in outermost_first)] += 1
        lines = [place for _, place, _ in outermost_first]
        # A call within a line is part of it.
        by_line[";".join(line for i, line in enumerate(lines) if i == 0 or lines[i - 1] != line)] += 1
    for folded in (by_function, by_line):
        for path, samples in sorted(folded.items()):
            print(path, samples)
    deepest = max(len(frames) for _, _, frames in sampled)
    print(f"up to {deepest} frames", file=sys.stderr)


main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), "--no-places" not in sys.argv)
