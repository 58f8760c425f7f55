"""usage: code-of-calls.py MODULE INSTRUMENTED INFO [STACKS BY_LINE INLINED]

Compares the calls in the places of INSTRUMENTED, and what the code of inlined functions costs, with what the text of llvm-objdump,
wasm-objdump and llvm-dwarfdump says of MODULE. INFO, which `warpo-instrument --info-file` wrote, has the ids of its functions.

STACKS are collapsed stacks of a trace, by function and with mangled names: BY_LINE has to be the same with each caller at the line of its
call, where it has one, and INLINED with what was inlined around calls, and with each weight shared out by the cost of the code.
"""
import collections
import importlib
import itertools
import json
import pathlib
import re
import subprocess
import sys

import places as places_of

compare_dwarf = importlib.import_module("compare-dwarf")
# What only holds code together.
FREE = {"nop", "block", "loop", "else", "end"}
ESTIMATED = " [inlined, estimated]"


def text_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def fail(what, found, expected):
    sys.exit(f"{what}: {found}\nis not {expected}")


class Program:
    def __init__(self, module, places, info):
        data = pathlib.Path(module).read_bytes()
        bodies = list(places_of.bodies(data))
        self.functions = {function["index"]: function for function in json.loads(pathlib.Path(info).read_text())["functions"]}
        self.imported = len(self.functions) - len(bodies)
        self.model = compare_dwarf.Model(module, bodies)
        self.code = collections.defaultdict(list)
        index = 0
        for line in text_of("llvm-objdump", "-d", module).splitlines():
            if match := re.match(r" +([0-9a-f]+): (?:[0-9a-f]{2} )+\s*(\w\S*)(.*)", line):
                offset = int(match[1], 16) - places.code
                while offset >= sum(bodies[index]):
                    index += 1
                self.code[self.imported + index].append((offset, match[2], match[3].split("#")[0].replace(",", " ").split()))
        # Those that are exported, or that an element segment has.
        sections = text_of("wasm-objdump", "-x", module)
        named = re.findall(r"^ - func\[(\d+)\].* -> \"|elem\[\d+\] = (?:ref\.func:|func\[)(\d+)", sections, re.MULTILINE)
        self.open = {int(exported or element) for exported, element in named}

    def id(self, index):
        return self.functions[index].get("id")

    def leads(self, callee):
        """Where a call leads beside the callee: to open functions (False), to any (True), or nowhere (None)."""
        names = [name for _, name, _ in self.code[callee]]
        if any(name.startswith("return_call") for name in names):
            return True
        if self.id(callee):
            return None
        if callee < self.imported:
            return False
        return True if "call" in names else False if "call_indirect" in names else None

    def sites(self, index):
        for offset, name, operands in self.code[index]:
            if name in ("call_indirect", "return_call_indirect"):
                yield offset, None, False
            elif name in ("call", "return_call"):
                callee = int(operands[0])
                if self.id(callee):
                    yield offset, self.id(callee), callee in self.open
                if self.leads(callee) is not None:
                    yield offset, None, self.leads(callee)

    def chain(self, offset):
        """What is inlined at an offset, outermost first: its name, and the line of the call that it stands for."""
        frames = list(self.model.frames(offset))
        names, lines = [frame[0] for frame in frames[:-1]], [frame[2] for frame in frames[1:]]
        return tuple(zip(reversed(names), reversed(lines)))

    def costs(self, index):
        """Of the code of each chain."""
        sums = collections.Counter()
        for offset, name, _ in self.code[index]:
            sums[self.chain(offset)] += name not in FREE
        return +sums

    def call(self, caller, callee):
        """The sites of a call, if there is no other way."""
        sites = list(self.sites(caller))
        own = [offset for offset, id, _ in sites if id == self.id(callee)]
        is_open = callee in self.open
        return [] if any(id is None and (is_open or is_any) for _, id, is_any in sites) else own


def check_places(program, places):
    sites = costs = 0
    for function in places.functions:
        expected = list(program.sites(function.index))
        if function.sites != expected:
            fail(f"function {function.index}", function.sites, expected)
        sites += len(expected)
        if not function.calls:
            assert not function.costs
            continue
        found = collections.Counter()
        for call, cost in enumerate(function.costs):
            chain = []
            while call:
                call, inlinee, _, line, _ = function.calls[call - 1]
                chain.append((places.names[places.inlinees[inlinee][0]], line))
            found[tuple(reversed(chain))] += cost
        expected = program.costs(function.index)
        if +found != expected:
            fail(f"function {function.index}", +found, expected)
        costs += len(expected)
    print(f"{sites} calls, {costs} costs")


def read_stacks(file):
    lines = (line.rsplit(" ", 1) for line in pathlib.Path(file).read_text().splitlines())
    return {tuple(stack.split(";")): int(weight) for stack, weight in lines}


def declared(program, index):
    frames = list(program.model.frames(program.code[index][0][0]))
    return f"{pathlib.PurePath(frames[-1][4]).name}:{frames[-1][5]}"


def check_stacks(program, stacks, by_line, inlined):
    index_of = {function["name"]: index for index, function in program.functions.items()}
    lines, shares, certain = collections.Counter(), collections.Counter(), 0
    for stack, weight in read_stacks(stacks).items():
        indices = [index_of[name] for name in stack]
        places, path = [], ()
        for caller, callee in zip(indices, indices[1:]):
            sites = program.call(caller, callee)
            # In the function's own code.
            at = {next(reversed(list(program.model.frames(offset))))[1:3] for offset in sites}
            file, line = at.pop() if len(at) == 1 else (None, 0)
            places.append(f"{pathlib.PurePath(file).name}:{line}" if line else declared(program, caller))
            certain += bool(line)
            path += (program.functions[caller]["name"],)
            chains = [program.chain(offset) for offset in sites]
            for same in itertools.takewhile(lambda each: len(set(each)) == 1, zip(*chains)):
                path += (same[0][0] + ESTIMATED,)
        lines[tuple(place for place, _ in itertools.groupby(places + [declared(program, indices[-1])]))] += weight
        costs = program.costs(indices[-1])
        for chain, cost in costs.items():
            shares[path + (stack[-1],) + tuple(name + ESTIMATED for name, _ in chain)] += weight * cost / costs.total()
    found = read_stacks(by_line)
    if found != lines:
        fail("lines", found, dict(lines))
    found = read_stacks(inlined)
    # Each call of a chain may be rounded.
    far = {path for path in found.keys() | shares.keys() if abs(found.get(path, 0) - shares[path]) > 4}
    if far or sum(found.values()) != sum(read_stacks(stacks).values()):
        fail("shares", {path: found.get(path) for path in far}, {path: shares[path] for path in far})
    print(f"{certain} lines of calls, {sum(ESTIMATED in ';'.join(path) for path in found)} stacks with inlined code")


def main(module, instrumented, info, *stacks):
    places = places_of.read_places(pathlib.Path(instrumented).read_bytes())
    program = Program(module, places, info)
    check_places(program, places)
    if stacks:
        check_stacks(program, *stacks)


main(*sys.argv[1:])
