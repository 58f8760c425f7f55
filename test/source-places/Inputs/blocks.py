"""usage: blocks.py RECORD MODULE...: the blocks `places` of a record, each with the module whose section it holds."""
import pathlib
import sys

import places


def blocks(record):
    """Each block's kind and payload; none of a recorder that is compressed."""
    at = 8
    while at < len(record):
        if record[at : at + 4] == b"\x89WAR":
            at += 8
            continue
        assert record[at : at + 4] == b"WBLK" and record[at + 5] == 0
        size = int.from_bytes(record[at + 8 : at + 12], "little")
        yield record[at + 4], places.Bytes(record[at + 16 : at + 16 + size])
        at += 16 + size


def section(file):
    return next(contents for _, name, contents, _ in places.sections(pathlib.Path(file).read_bytes()) if name == "warpo.places")


record, *files = sys.argv[1:]
known = {section(file): file for file in files}
for kind, payload in blocks(pathlib.Path(record).read_bytes()):
    if kind == 10:
        print(f"module {payload.u()}: {known[payload.data[payload.at:]]}")
