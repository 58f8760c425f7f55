"""usage: hostile.py MODULE CODE: DWARF that is damaged or means harm, of MODULE and made by hand for CODE, which has none.

Each module is instrumented; what is in its section is read. Prints what became of those made by hand.
"""
import pathlib
import random
import struct
import subprocess
import sys

import places
from support.leb128 import sized


def module_of(code, sections):
    return code + b"".join(b"\0" + sized(sized(name.encode()) + contents) for name, contents in sections)


def instrument(module):
    """The places, and the warnings."""
    pathlib.Path("hostile.wasm").write_bytes(module)
    end = subprocess.run(["warpo-instrument", "-q", "hostile.wasm", "-o", "traced.wasm"], capture_output=True, text=True)
    assert end.returncode == 0, end.stderr
    return places.read_places(pathlib.Path("traced.wasm").read_bytes()), end.stderr


def damage(module):
    """Cuts each section, and changes bytes of it."""
    random.seed(7)
    plain = b"\0asm\1\0\0\0" + b"".join(
        bytes([number]) + sized(contents) for number, _, contents, _ in places.sections(module) if number)  # fmt: skip
    debug = [(name, contents) for number, name, contents, _ in places.sections(module) if name.startswith(".debug_")]
    runs = 0
    for i, (name, contents) in enumerate(debug):
        for _ in range(6):
            changed = bytearray(contents)
            if random.random() < 0.3:
                del changed[random.randrange(len(changed)) :]
            else:
                for _ in range(random.randrange(1, 4)):
                    changed[random.randrange(len(changed))] = random.choice([0, 1, 127, 128, 255, random.randrange(256)])
            found, _ = instrument(module_of(plain, [*debug[:i], (name, bytes(changed)), *debug[i + 1 :]]))
            if found:
                for function in found.functions:
                    assert all(len(list(found.frames(function, offset))) <= 256
                               for offset in range(function.start, function.start + function.size))  # fmt: skip
            runs += 1
    assert runs >= 30


# Tags, attributes and forms of the abbreviations below.
ABBREVIATIONS = bytes([
    1, 0x11, 1, 0x25, 0x08, 0, 0,  # compile_unit: producer, string
    2, 0x2E, 1, 0x11, 0x01, 0x12, 0x06, 0x31, 0x13, 0x03, 0x08, 0, 0,  # subprogram: low_pc, high_pc, abstract_origin, name
    3, 0x1D, 1, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06, 0, 0,  # inlined_subroutine: abstract_origin, low_pc, high_pc
    4, 0x1D, 0, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06, 0, 0,  # the same without children
    0,
])  # fmt: skip
FIRST = 13  # where the function's entry is


def with_entries(code, entries):
    unit = struct.pack("<HIB", 4, 0, 4) + b"\1\0" + entries + b"\0"
    return instrument(module_of(code, [(".debug_abbrev", ABBREVIATIONS), (".debug_info", struct.pack("<I", len(unit)) + unit)]))


def line_table(program, format64=False):
    """Version 4, with `program` behind a header of one file, a.c."""
    header = bytes([1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0a.c\0\0\0\0\0"
    body = struct.pack("<Q" if format64 else "<I", len(header)) + header + program
    return initial_length(len(body) + 2, format64) + struct.pack("<H", 4) + body


def initial_length(size, format64):
    return struct.pack("<IQ", 0xFFFFFFFF, size) if format64 else struct.pack("<I", size)


def with_lines(code, program, format64=False):
    """One unit, which has a table of lines alone."""
    abbreviations = bytes([1, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0, 0, 0])  # compile_unit: stmt_list, low_pc
    unit = struct.pack("<HQBB" if format64 else "<HIBB", 4, 0, 4, 1) + (bytes(8) if format64 else bytes(4)) + bytes(4)
    info = initial_length(len(unit), format64) + unit
    lines = line_table(program, format64)
    return instrument(module_of(code, [(".debug_abbrev", abbreviations), (".debug_info", info), (".debug_line", lines)]))


def show_rows(what, found):
    known, warnings = found
    rows = [f"{known.files[function.file]}:{function.line}, {len(function.rows)} rows" for function in known.functions] if known else []
    print(f"{what}: {', '.join(rows) or 'nothing'}{'; ' + warnings.strip() if warnings else ''}")


def rows_by_hand(code):
    """No byte makes more than a row, three make a sequence; the helper has 256 bytes of memory for each, and a second for 2^20."""
    start, _ = next(places.bodies(code))
    begin, end = b"\0\5\2" + struct.pack("<I", start), b"\2\1\0\1\1"  # set_address; advance_pc, end_sequence
    same, next_line = bytes([13 + 5]), bytes([13 + 14 + 6])  # the same place; the next byte, of the next line
    show_rows("lines of DWARF64", with_lines(code, begin + next_line * 3 + end, format64=True))
    show_rows("a million rows of one place", with_lines(code, begin + same * (1 << 20) + next_line + end))
    show_rows("a million rows of one function", with_lines(code, begin + next_line * (1 << 20) + end))
    show_rows("many sequences", with_lines(code, (begin + next_line + end) * (1 << 16)))
    show_rows("many sequences without rows", with_lines(code, begin + next_line * 2 + end + b"\0\1\1" * (1 << 18)))


def function(low, size, origin, name, inside=b""):
    return b"\2" + struct.pack("<III", low, size, origin) + name + b"\0" + inside + b"\0"


def inlined(origin, low, size, inside=None):
    fields = struct.pack("<III", origin, low, size)
    return b"\4" + fields if inside is None else b"\3" + fields + inside + b"\0"


def show(what, found):
    known, warnings = found
    names = []
    for each in known.functions if known else []:
        depth = max(len(list(known.frames(each, offset))) for offset in range(each.start, each.start + each.size))
        names.append(f"{known.names[each.name]} with {len(each.calls)} calls, {depth} frames")
    print(f"{what}: {', '.join(names) or 'nothing'}{'; ' + warnings.strip() if warnings else ''}")


def by_hand(code):
    start, size = next(places.bodies(code))
    show("a function that is its own origin", with_entries(code, function(start, size, FIRST, b"")))
    show("an origin that is nowhere", with_entries(code, function(start, size, 0xFFFFFF, b"f", inlined(0xFFFFFF, start, 1))))
    deep = None
    for _ in range(1000):
        deep = inlined(FIRST, start, size, deep)
    show("calls in a thousand others", with_entries(code, function(start, size, FIRST, b"f", deep)))
    outside = b"".join(inlined(FIRST, low, length) for low, length in
                       [(0, 2**32 - 1), (start + size, 9), (2**32 - 1, 1), (start, 0), (start + 1, 2**32 - 1)])  # fmt: skip
    show("code outside of the function", with_entries(code, function(start, size, FIRST, b"f", outside)))
    many = b"".join(inlined(FIRST, start + i % size, 1 + i % 3) for i in range(20000))
    show("many calls", with_entries(code, function(start, size, FIRST, b"f", many)))
    show("a function that the linker left out", with_entries(code, function(0xFFFFFFFF, size, FIRST, b"f")))
    show("no line table", instrument(module_of(code, [(".debug_line", b"\xff" * 64)])))


if __name__ == "__main__":
    module, code = (pathlib.Path(file).read_bytes() for file in sys.argv[1:])
    damage(module)
    by_hand(code)
    rows_by_hand(code)
