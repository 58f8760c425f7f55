#!/usr/bin/env python3
"""Checks that the libraries' includes go one way, and that foreign libraries are seen where they should be.

usage: check-layers.py [ROOT]

Prints each breach as `file:line: error: ...`; the exit code is 1 if there is one.
"""
import pathlib
import re
import sys

# What each library may include beside itself; reading half, rewriting half, and what stands between and above.
LAYERS = {
    "Support": set(),
    "Record": {"Support", "Recorder"},
    "Slice": {"Support", "Record"},
    "Profile": {"Support", "Record", "Slice"},
    "Output": {"Support", "Record", "Slice", "Profile"},
    "Report": {"Support", "Record", "Slice", "Profile", "Output"},
    "Wasm": {"Support"},
    "Toolchain": {"Support"},
    "Instrument": {"Support", "Wasm", "Toolchain"},
    "Order": {"Support", "Record", "Slice", "Profile", "Wasm"},
    "Reorder": {"Support", "Wasm", "Order", "Toolchain"},
    "Guest": set(),
    "Recorder": set(),
    "Sampling": {"Support", "Wasm"},
    "Engine": {"Support", "Wasm", "Recorder", "Sampling"},
    "Profiler": {"Support", "Record", "Slice", "Profile", "Output", "Wasm", "Sampling"},
}
LAYERS["Tooling"] = set(LAYERS)

# Foreign headers, and the sources below lib/ that may use them: a library that throws, ends the process, or whose types
# would spread, is kept behind a file.
FOREIGN = {
    "wabt": (
        re.compile(r"^wabt/"),
        {"Engine/InterpEngine.cpp", "Engine/InterpUnit.h", "Toolchain/helpers/WabtHelper.cpp"},
    ),
    "protobuf": (
        re.compile(r"^google/protobuf/|\.pb\.h$"),
        {"Output/PprofBackend.cpp", "Output/perfetto/Packets.h"},
    ),
    "Binaryen": (re.compile(r"^binaryen"), {"Toolchain/helpers/BinaryenHelper.cpp"}),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
SOURCES = {".h", ".c", ".cpp", ".inc"}


def sources(root):
    """Every source of a library, with the library's name."""
    for top in (root / "include/warpo", root / "lib"):
        for path in sorted(top.rglob("*")):
            if path.suffix in SOURCES:
                yield path, path.relative_to(top).parts[0]


def main(root):
    breaches = []
    for path, library in sources(root):
        if library not in LAYERS:
            breaches.append(f"{path}:1: error: library '{library}' is not in the table of {__file__}")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            place = f"{path}:{number}: error:"
            if header.startswith("warpo/"):
                used = header.split("/")[1]
                if used != library and used not in LAYERS[library]:
                    breaches.append(f"{place} {library} includes {header}: {used} is not below it")
            if library == "Recorder" and header.startswith("llvm"):
                breaches.append(f"{place} Recorder includes {header}: it has no dependencies")
            for name, (pattern, users) in FOREIGN.items():
                if pattern.search(header) and path not in {root / "lib" / user for user in users}:
                    breaches.append(f"{place} {header}: {name} is seen by {', '.join(sorted(users))} alone")
    print(*breaches, sep="\n", end="\n" if breaches else "")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
