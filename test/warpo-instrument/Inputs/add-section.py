"""Adds a custom section to a module: add-section.py in.wasm out.wasm position name hex-bytes

`position` counts sections: 0 is before the first, -1 behind the last.
"""

import sys


def leb(number):
    out = bytearray()
    while True:
        out.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(out)


def sections(module):
    at, found = 8, []
    while at < len(module):
        begin, size, shift = at, 0, 0
        while True:
            at += 1
            size |= (module[at] & 0x7F) << shift
            shift += 7
            if module[at] < 0x80:
                break
        at += 1 + size
        found.append(module[begin:at])
    return found


source, target, position, name, contents = sys.argv[1:]
module = open(source, "rb").read()
body = leb(len(name)) + name.encode() + bytes.fromhex(contents)
parts = sections(module)
parts.insert(len(parts) if position == "-1" else int(position), b"\0" + leb(len(body)) + body)
open(target, "wb").write(module[:8] + b"".join(parts))
