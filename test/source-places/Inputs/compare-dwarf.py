"""usage: compare-dwarf.py MODULE INSTRUMENTED [LOOKUPS]

Compares the places in INSTRUMENTED, at each byte of MODULE's functions, with what the text of llvm-dwarfdump says of MODULE
(or of its companion, MODULE.debug, if that is there), and at LOOKUPS offsets with `llvm-dwarfdump --lookup`; the variable
WARPO_LOOKUPS stands for another number.
"""
import bisect
import os
import pathlib
import random
import re
import subprocess
import sys

import places as places_of


def dump(*arguments):
    return subprocess.run(["llvm-dwarfdump", *arguments], capture_output=True, text=True, check=True).stdout


class Entry:
    def __init__(self, tag, parent):
        self.tag, self.parent, self.attributes, self.ranges, self.children = tag, parent, {}, [], []


def read_entries(text):
    """All entries by their offsets, in their order."""
    entries, stack, attribute, entry = {}, [], None, None
    for line in text.splitlines():
        if match := re.match(r"(0x[0-9a-f]+):( +)(DW_TAG_\w+)", line):
            depth = len(match[2])
            while stack and stack[-1][0] >= depth:
                stack.pop()
            entry = Entry(match[3], stack[-1][1] if stack else None)
            entries[int(match[1], 16)] = entry
            stack.append((depth, entry))
        elif match := re.match(r"\s+(DW_AT_\w+)\s+\((.*?)\)?$", line):
            attribute = match[1]
            entry.attributes[attribute] = match[2]
        elif match := re.match(r"\s+\[(0x[0-9a-f]+), (0x[0-9a-f]+)\)", line):
            if attribute == "DW_AT_ranges":
                entry.ranges.append((int(match[1], 16), int(match[2], 16)))
    for entry in entries.values():
        # What the linker left out is "dead code".
        if "DW_AT_high_pc" in entry.attributes and entry.attributes["DW_AT_low_pc"].startswith("0x"):
            entry.ranges = [(int(entry.attributes["DW_AT_low_pc"], 16), int(entry.attributes["DW_AT_high_pc"], 16))]
    return entries


def root(entry):
    while entry.parent:
        entry = entry.parent
    return entry


def declaration(entries, entry):
    """Its linkage name or name, file and line, each where it is said first."""
    found = {}
    for _ in range(8):
        for name, value in entry.attributes.items():
            found.setdefault(name, value)
        origin = entry.attributes.get("DW_AT_abstract_origin") or entry.attributes.get("DW_AT_specification")
        if not origin:
            break
        entry = entries[int(origin.split()[0], 16)]
    name = found.get("DW_AT_linkage_name") or found.get("DW_AT_name")
    return name and name.strip('"'), found.get("DW_AT_decl_file", '""').strip('"') or None, int(found.get("DW_AT_decl_line", 0))


def read_lines(text, directories):
    """Of each line table, by its offset: the rows of each sequence, as (address, file, line)."""
    tables = {}
    for part in re.split(r"^debug_line\[", text, flags=re.MULTILINE)[1:]:
        offset = int(part[: part.index("]")], 16)
        version = int(re.search(r"version: (\d+)", part)[1])
        folders = {int(n): name for n, name in re.findall(r'^include_directories\[ *(\d+)\] = "(.*)"$', part, re.MULTILINE)}
        base = directories.get(offset, "")
        if version < 5:
            folders[0] = base
        files = {}
        for number, name, folder in re.findall(r'^file_names\[ *(\d+)\]:\n +name: "(.*)"\n +dir_index: (\d+)', part, re.MULTILINE):
            files[int(number)] = join(base, join(folders[int(folder)], name))
        sequences, rows = [], []
        for address, line, file, flags in re.findall(r"^0x([0-9a-f]{16}) +(\d+) +\d+ +(\d+) +\d+ +\d+ +\d+ (.*)$", part, re.MULTILINE):
            is_end = "end_sequence" in flags
            rows.append((int(address, 16), files.get(int(file)) if int(line) and not is_end else None, 0 if is_end else int(line)))
            if is_end:
                sequences.append(rows)
                rows = []
        tables[offset] = sequences
    return tables


def join(folder, name):
    return name if name.startswith("/") or not folder else f"{folder}/{name}"


class Model:
    def __init__(self, file, bodies):
        self.entries = read_entries(dump("--debug-info", file))
        units = [entry for entry in self.entries.values() if entry.tag == "DW_TAG_compile_unit"]
        directories = {int(unit.attributes["DW_AT_stmt_list"], 16): unit.attributes["DW_AT_comp_dir"].strip('"')
                       for unit in units if "DW_AT_stmt_list" in unit.attributes}  # fmt: skip
        tables = read_lines(dump("--debug-line", file), directories)
        self.starts = [start for start, _ in bodies]
        self.sizes = [size for _, size in bodies]
        # Of a function that several units have, as inline ones of C++, the linker keeps the first, and takes the others for that.
        self.units = {}
        # Whose code it is, byte by byte: an entry behind another one takes it away.
        self.owner = {}
        self.broken = set()
        self.line = {}
        entries_of = {}
        for entry in self.entries.values():
            entries_of.setdefault(root(entry), []).append(entry)
        for unit in units:
            for entry in entries_of[unit]:
                if entry.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
                    is_inlined = entry.tag == "DW_TAG_inlined_subroutine"
                    for low, high in entry.ranges:
                        # Binaryen writes 0 for what it has removed, and loses where some code ends: nothing is known of what is inlined
                        # there. llvm-dwarfdump takes both for code.
                        if is_inlined and low == 0:
                            self.broken.update(range(min(high, self.starts[-1] + self.sizes[-1])))
                        if self.is_of(unit, low):
                            end = self.end_of(low)
                            if high > end and is_inlined:
                                self.broken.update(range(low, end))
                            else:
                                self.owner.update(dict.fromkeys(range(low, min(high, end)), entry))
            sequences = tables.get(int(unit.attributes.get("DW_AT_stmt_list", "-1"), 16), [])
            for rows in sorted(sequences, key=lambda rows: rows[0][0]):
                for (address, file, line), behind in zip(rows, rows[1:]):
                    if self.is_of(unit, address):
                        self.line.update(dict.fromkeys(range(address, behind[0]), (file, line)))

    def end_of(self, address):
        body = bisect.bisect_right(self.starts, address) - 1
        return self.starts[body] + self.sizes[body]

    def is_of(self, unit, address):
        body = bisect.bisect_right(self.starts, address) - 1
        if body < 0 or address >= self.starts[body] + self.sizes[body]:
            return False
        return self.units.setdefault(body, unit) is unit

    def frames(self, offset):
        entry = self.owner.get(offset)
        file, line = self.line.get(offset, (None, 0))
        column = 0
        while entry:
            name, start_file, start_line = declaration(self.entries, entry)
            if entry.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine"):
                yield name, file, line, column, start_file, start_line
                if entry.tag == "DW_TAG_subprogram":
                    return
                call = entry.attributes
                file, line, column = call["DW_AT_call_file"].strip('"'), int(call["DW_AT_call_line"]), int(call.get("DW_AT_call_column", 0))
            entry = entry.parent


def same_path(a, b):
    return a == b or (a or "").replace("/./", "/") == (b or "").replace("/./", "/")


def same(name, found, expected):
    """The module's own name, from its name section, may stand for a function's."""
    (a, *own), (b, *its) = found, expected
    if name and its[-2:] == [None, 0]:
        # Where the code begins stands for where it was declared.
        own, its = own[:-2], its[:-2]
    return (a == b or a is None and name) and all(same_path(x, y) if isinstance(x, str) else x == y for x, y in zip(own, its))


def check_lookup(file, offset, frames):
    """The line, and how many functions stand around it: that of the module at least, which may have rows without an entry."""
    text = dump(f"--lookup={offset:#x}", "--show-parents", file)
    match = re.search(r"^Line info: (?:file '(.*?)', )?line (\d+)", text, re.MULTILINE)
    path, line = (match[1] or "", int(match[2])) if match else ("", 0)
    # The unit, then the way from it to the function, then that to the block; a block that Binaryen has removed begins at 0, and may be in other code.
    function = "".join(re.split(r"^0x\w+: +DW_TAG_compile_unit", text, flags=re.MULTILINE)[:3])
    functions = set(re.findall(r"(0x\w+): +DW_TAG_(?:subprogram|inlined_subroutine)", function))
    if max(len(functions), 1) != len(frames) or line != frames[0][2]:
        return False
    return not line or frames[0][1].endswith(path.removeprefix("./").rsplit("../", 1)[-1])


def main(module, instrumented, lookups=0):
    companion = pathlib.Path(f"{module}.debug")
    file = str(companion if companion.exists() else module)
    data = pathlib.Path(module).read_bytes()
    model = Model(file, list(places_of.bodies(data)))
    places = places_of.read_places(pathlib.Path(instrumented).read_bytes())
    by_start = {function.start: function for function in places.functions}
    offsets = depth = known = 0
    borders = []
    for start, size in places_of.bodies(data):
        function = by_start.get(start)
        for offset in range(start, start + size):
            expected = list(model.frames(offset))
            found = list(places.frames(function, offset)) if function else []
            line = model.line.get(offset, (None, 0))
            if not expected:
                # No entry, but rows perhaps.
                assert (found[0][1:3] if found else (None, 0)) == line, (hex(offset), found, line)
                continue
            offsets += 1
            known += bool(expected[0][2])
            depth = max(depth, len(expected))
            if len(found) != len(expected) or not all(
                same(number == len(found) - 1, a, b) for number, (a, b) in enumerate(zip(found, expected))
            ):
                sys.exit(f"{offset:#x}: {found}\nis not {expected}")
        if function:
            assert function.size == size
            borders += [at + side for at, *_ in function.rows + function.changes for side in (-1, 0) if at + side >= start]
    print(f"{offsets} offsets, {known} with a line, in up to {depth} frames")
    random.seed(1)
    functions = {at: function for function in places.functions for at in range(function.start, function.start + function.size)}
    some = []
    # A half is at borders, or fewer if there are not as many; the rest is anywhere.
    for choice, count in (borders, lookups // 2), (functions, lookups):
        choice = sorted(set(choice) - model.broken - set(some))
        some += random.sample(choice, min(count - len(some), len(choice)))
    for offset in some:
        frames = list(places.frames(functions[offset], offset))
        if not check_lookup(file, offset, frames):
            sys.exit(f"{offset:#x}: {frames}\nis not\n{dump(f'--lookup={offset:#x}', file)}")
    print(f"{len(some)} lookups")
    section = next(len(contents) for _, name, contents, _ in places_of.sections(pathlib.Path(instrumented).read_bytes()) if name == "warpo.places")
    dwarf = sum(len(contents) for _, name, contents, _ in places_of.sections(pathlib.Path(file).read_bytes()) if name.startswith(".debug_"))
    print(f"{100 * section / dwarf:.1f} % of {dwarf} bytes", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(os.environ.get("WARPO_LOOKUPS", sys.argv[3] if len(sys.argv) > 3 else 0)))
