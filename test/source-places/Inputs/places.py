"""Reads the section `warpo.places` of a module, by docs/source-places.md alone.

usage: python3 -m places MODULE: writes its parts as they are, to feed them to something.
"""
import bisect
import pathlib
import subprocess
import sys

from support.leb128 import unsigned


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def u(self):
        value, self.at = unsigned(self.data, self.at)
        return value

    def take(self, size):
        assert self.at + size <= len(self.data)
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self):
        return self.take(self.u()).decode()

    def left(self):
        return self.at < len(self.data)


def sections(module):
    """Each section's number, name, contents, and where those begin."""
    data = Bytes(module)
    data.take(8)
    while data.left():
        number, size = data.take(1)[0], data.u()
        begin = data.at
        contents = Bytes(data.take(size))
        name = contents.text() if number == 0 else ""
        yield number, name, contents.data[contents.at :], begin + contents.at


def bodies(module):
    """Of each function with code: where its body begins and how long it is, counted from the code section's contents."""
    for number, _, contents, _ in sections(module):
        if number == 10:
            data = Bytes(contents)
            for _ in range(data.u()):
                size = data.u()
                yield data.at, size
                data.take(size)


def read_parts(module):
    """Not compressed; None if the module has no such section."""
    contents = next((contents for _, name, contents, _ in sections(module) if name == "warpo.places"), None)
    if contents is None:
        return None
    data = Bytes(contents)
    assert data.u() == 1
    size = data.u()
    plain = subprocess.run(["zstd", "-d", "-q"], input=contents[data.at :], capture_output=True, check=True).stdout
    assert len(plain) == size
    return plain


def read_places(module):
    plain = read_parts(module)
    if plain is None:
        return None
    parts, data, last = {}, Bytes(plain), 0
    while data.left():
        kind = data.u()
        assert kind > last
        last = kind
        parts[kind] = Bytes(data.take(data.u()))
    return Places(parts)


class Function:
    def __init__(self):
        self.calls, self.changes, self.rows, self.sites, self.costs = [], [], [], [], []


class Places:
    def __init__(self, parts):
        about = parts[1]
        self.origin, self.code = about.text(), about.u()
        self.files = [None] + [parts[2].text() for _ in range(parts[2].u())]
        self.names = [None] + [parts[3].text() for _ in range(parts[3].u())]
        self.inlinees = [(0, 0, 0)] + [(parts[4].u(), parts[4].u(), parts[4].u()) for _ in range(parts[4].u())]
        self.functions = list(self.read_functions(parts[5]))
        if 6 in parts:
            self.read_each(parts[6], self.read_inlined)
        if 7 in parts:
            self.read_each(parts[7], self.read_rows)
        self.map = list(self.read_map(parts[8])) if 8 in parts else None
        if 9 in parts:
            self.read_each(parts[9], self.read_sites)
        if 10 in parts:
            self.read_each(parts[10], self.read_costs)

    def read_functions(self, part):
        index, last = 0, 16777215
        for _ in range(part.u()):
            function = Function()
            function.index = index + part.u()
            index = function.index + 1
            more = part.u()
            last += more
            function.id = last if more else 0
            function.name, function.file, function.line, function.start, function.size = (part.u() for _ in range(5))
            yield function

    def read_each(self, part, read):
        number = 0
        while part.left():
            number += part.u()
            read(part, self.functions[number])
            number += 1

    def read_inlined(self, part, function):
        for number in range(1, part.u() + 1):
            function.calls.append((number - part.u(), *(part.u() for _ in range(4))))
        offset = function.start
        for _ in range(part.u()):
            offset += part.u()
            function.changes.append((offset, part.u()))

    def read_rows(self, part, function):
        last = {0: (function.file, function.line)}
        for number, (_, inlinee, *_) in enumerate(function.calls, 1):
            last[number] = self.inlinees[inlinee][1:]
        offset = function.start
        for _ in range(part.u()):
            offset += part.u()
            call = up_to(function.changes, offset, (0, 0))[1]
            change = part.u()
            difference = -(change // 4) - 1 if change & 2 else change // 4
            file, line = last[call]
            if change & 1:
                file = part.u()
            line += difference
            if line:
                last[call] = file, line
            function.rows.append((offset, file if line else 0, line))

    def read_sites(self, part, function):
        """Of each call where it is, and its target: an id and whether it is open, or None for the id and whether it may be any."""
        offset = function.start
        for _ in range(part.u()):
            offset += part.u()
            target = part.u()
            function.sites.append((offset, target // 2 + 16777215 if target > 1 else None, bool(target & 1)))

    def read_costs(self, part, function):
        function.costs = [part.u() for _ in range(len(function.calls) + 1)]

    def read_map(self, part):
        """Of each run: where it begins in the instrumented module, and in the original."""
        self.instrumented_code, self.end = part.u(), part.u()
        original = shift = 0
        while part.left():
            original += part.u()
            moved = part.u()
            shift += -(moved // 2) - 1 if moved & 1 else moved // 2
            yield original + shift, original

    def original(self, file_offset):
        """The original's offset of one of the instrumented module's file; None outside of the map."""
        offset = file_offset - self.instrumented_code
        if not self.map or not 0 <= offset < self.end or offset < self.map[0][0]:
            return None
        number = bisect.bisect_right(self.map, (offset, 1 << 32)) - 1
        begin, original = self.map[number]
        behind = self.map[number + 1][1] if number + 1 < len(self.map) else 1 << 32
        return min(original + offset - begin, behind)

    def frames(self, function, offset):
        """Innermost first: function, file, line, column, where it was declared."""
        _, file, line = up_to(function.rows, offset, (0, 0, 0))
        call, column = up_to(function.changes, offset, (0, 0))[1], 0
        while True:
            declared = self.inlinees[function.calls[call - 1][1]] if call else (function.name, function.file, function.line)
            name, start_file, start_line = declared
            yield self.names[name], self.files[file], line, column, self.files[start_file], start_line
            if not call:
                return
            call, _, file, line, column = function.calls[call - 1]


def up_to(items, offset, none):
    """The last of the items at or before an offset."""
    found = none
    for item in items:
        if item[0] > offset:
            break
        found = item
    return found


if __name__ == "__main__":
    sys.stdout.buffer.write(read_parts(pathlib.Path(sys.argv[1]).read_bytes()))
