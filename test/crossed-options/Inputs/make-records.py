#!/usr/bin/env python3
"""Writes a record of each kind into the current folder, small ones, and into `inputs` what to give a tool, a line a run."""
import itertools
import pathlib
import subprocess
import sys

from support.records import say_probe

NAMES = {
    16777216: "_start",
    16777217: "_ZN4core3fmt5write17h0123456789abcdefE",
    16777218: "f",
    16777219: "f(int, std::vector<std::string> const&)",
    16777220: "_Z3gcdii",
    16777221: "f\u00fc\u4e2d",
    2147418112: "decode",
    2147418113: "write",
}
FIRST = 16777216
SECTION = 2147418112
TRAP = 2147483647
SUSPENDED = 2147483646
# In the ids of a module with call kinds.
REFERENCE, IMPORT = 0x100000, 0x200000
# What recording one begin and one end takes, in 1/1024 of a count.
PROBE = (3000, 2000)


def nested_of(*functions, start=0, fuel=None):
    """A call of each, the next in the one before."""
    identifiers = [*functions, *(-function for function in reversed(functions))]
    return "".join(f"  - [{time}, {identifier}" + (f", {time * fuel}]\n" if fuel else "]\n")
                   for time, identifier in zip(itertools.count(start, 7), identifiers))


def nested(depth, start=0, fuel=None):
    return nested_of(*range(FIRST, FIRST + depth), start=start, fuel=fuel)


def entries(*times_and_functions):
    return "".join(f"  - [{time}, {function}]\n" for time, function in times_and_functions)


def samples(stream, count, start=0):
    """Each with a stack of its own: what is new of a batch is a block of stacks of its own."""
    frames = [f"[{FIRST}, {90 + i % 3}], {FIRST + 1 + i % 4}, \"{stream} {start + i}\"" for i in range(count)]
    return f"  - {{module: 1, name: \"{stream}\"}}\n" + "".join(
        f"  - sample: [{start + 10 * i}, 10, 3, {stack}]\n" for i, stack in enumerate(frames))


MODULE = "  - module: 1\n"
TWO_CLOCKS = "clocks: time, fuel\nentries:\n"
PHASES = """\
  - phase: [-5, 0, "compile", 3, "functions"]
  - phase: [0, 60, "run", 60, "fuel"]
  - phase: [60, 90, "exit"]
"""
# One call is unwound, one is open at the end.
CALLS = MODULE + nested(4) + nested(2, 100) + entries((200, FIRST + 2), (210, FIRST + 4), (230, -FIRST - 2), (240, FIRST + 5))
PLACES = "".join(f"  - place: [{module}, {FIRST + i}, \"{file}\", {line}, \"_Z3gcdii\", \"step\"]\n" for module, i, file, line in (
    (1, 0, "./app.c", 3), (1, 2, "/src/lib/f.c", 0), (1, 3, "", 0), (2, 1, "C:\\\\src\\\\a.c", 9)))
YAML = {
    "calls": "entries:\n" + CALLS,
    "fuel": TWO_CLOCKS + MODULE + nested(4, fuel=3) + nested(3, 100, fuel=3),
    "fuel-alone": "clocks: fuel\nentries:\n" + MODULE + nested(4) + nested(3, 100) + PHASES,
    "samples": TWO_CLOCKS + "".join(samples(stream, 12, start) for start in (0, 1000, 2000) for stream in "ab"),
    "calls-and-samples": TWO_CLOCKS + samples("a", 12) + CALLS + samples("a", 5, 1000) + PHASES,
    "phases": TWO_CLOCKS + MODULE + nested(3, fuel=1) + nested(3, 60, fuel=1) + PHASES,
    "sections": "entries:\n" + MODULE + entries((0, SECTION)) + nested(3, 1) +
                entries((70, SECTION + 1), (75, -SECTION - 1), (80, -SECTION)) + PHASES,
    "modules": "entries:\n" + PLACES + MODULE + nested(3) + "  - {module: 2, name: \"worker\"}\n" + nested(4, 20) +
               "  - {module: 3, name: \"other\"}\n" + nested(2, 5) + "  - {module: 2, name: \"lost\"}\n  - lost: 3\n",
    "call-kinds": "entries:\n" + MODULE + nested_of(FIRST, FIRST + IMPORT + 1, FIRST + REFERENCE + 2, FIRST + 3),
    # Two modules on a stack that is suspended, a task on another one meanwhile, and traps.
    "stacks": "entries:\n" + PLACES + MODULE + f"  - window: [2, {FIRST}, {FIRST + 6}, 2]\n" +
              entries((0, FIRST), (5, FIRST + 6), (9, FIRST + 1), (12, SUSPENDED)) + "  - {module: 1, name: \"task\"}\n" +
              entries((20, FIRST + 2), (25, SUSPENDED), (60, -SUSPENDED), (66, -FIRST - 2)) + MODULE +
              entries((100, -SUSPENDED), (101, -FIRST - 1), (110, TRAP), (110, -FIRST - 6), (120, FIRST), (130, TRAP), (130, TRAP),
                      (130, -FIRST)),
    "empty": "entries: []\n",
}


def run(*command):
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    # 2: something is lost in it.
    if done.returncode not in {0, 2}:
        sys.exit(done.stderr)


def main():
    pathlib.Path("map.txt").write_text("".join(f"{identifier} {name}\n" for identifier, name in NAMES.items()))
    pathlib.Path("symbols.txt").write_text("".join(f"{i}:symbol {i}\n" for i in range(6)))
    for kind, text in YAML.items():
        yaml = pathlib.Path(f"{kind}.yaml")
        yaml.write_text("warpo-record: 1\n" + ("" if kind == "fuel-alone" else "rate: 0.4\n") + text)
        run("warpo-record-dump", "--mapping=map.txt", "--format=warpo", yaml, "-o", f"{kind}.warpo")
        say_probe(pathlib.Path(f"{kind}.warpo"), *PROBE)
    run("warpo-record-dump", "--format=warp", "calls.yaml", "-o", "old.rec")
    run("warpo-record-dump", "calls.warpo", "samples.warpo", "phases.warpo", "--format=warpo", "-o", "merged.warpo")
    whole = bytearray(pathlib.Path("modules.warpo").read_bytes())
    whole[len(whole) // 2] ^= 0x55
    pathlib.Path("damaged.warpo").write_bytes(whole[:-10])
    run("warpo-flamegraph", "--format=warpo-profile", "calls.warpo", "-o", "profile.wprof")
    pathlib.Path("map.json").write_text('[{"moduleId": 1, "mappingFile": "map.txt", "moduleName": "app"}]')
    names = [name for name in NAMES.values() if name.isidentifier() and name.isascii()]
    pathlib.Path("app.wat").write_text("(module " + "".join(f"(func ${name})" for name in names) + ")")
    run("wat2wasm", "--debug-names", "app.wat", "-o", "app.wasm")
    inputs = [f"{kind}.warpo" for kind in [*YAML, "merged", "damaged"]] + ["old.rec", "calls.warpo modules.warpo"]
    pathlib.Path("inputs").write_text("\n".join(inputs) + "\n")


if __name__ == "__main__":
    main()
