"""usage: compare-source-map.py INSTRUMENTED < LINES: compares the places of a module with what source-map-lines.mjs printed."""
import pathlib
import sys

import places as places_of

places = places_of.read_places(pathlib.Path(sys.argv[1]).read_bytes())
assert places.origin == "source-map", places.origin
# Where nothing is known of a function, it has no rows.
rows = [row for function in places.functions for row in [*function.rows, (function.start + function.size, 0, 0)]]
count = known = at = 0
for text in sys.stdin:
    offset, *said = text.rstrip("\n").split("\t")
    offset = int(offset) - places.code
    said = [(source.removeprefix("./"), int(line)) for line, source in zip(said[::2], said[1::2])]
    while at + 1 < len(rows) and rows[at + 1][0] <= offset:
        at += 1
    found = rows[at] if rows[at][0] <= offset else (0, 0, 0)
    path = (places.files[found[1]] or "").removeprefix("./")
    if (path, found[2]) not in said:
        sys.exit(f"{offset:#x}: {path}:{found[2]}, not {said}")
    count += 1
    known += found[2] != 0
print(f"{count} offsets, {known} with a line, of {len(places.functions)} functions")
