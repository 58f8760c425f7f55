#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the libraries' includes and the imports of js/recorder go one way, that public headers are what plugins and embedders need and include no others, and that foreign
libraries are seen where they should be.

usage: check-layers.py [ROOT]

Prints each breach as `file:line: error: ...`; the exit code is 1 if there is one.
"""
import os
import pathlib
import re
import sys

# What each library may include beside itself; reading half, rewriting half, and what stands between and above.
LAYERS = {
    "Support": set(),
    "Places": {"Support"},
    "Record": {"Support", "Recorder", "Places"},
    "Heap": {"Support", "Record"},
    "Slice": {"Support", "Record"},
    "Profile": {"Support", "Places", "Record", "Heap", "Slice"},
    "Parquet": {"Support"},
    "Output": {"Support", "Record", "Heap", "Slice", "Profile", "Parquet"},
    "Import": {"Support", "Record", "Slice", "Profile"},
    "Report": {"Support", "Record", "Heap", "Slice", "Profile", "Output"},
    "Wasm": {"Support"},
    "Toolchain": {"Support"},
    "Source": {"Support", "Places", "Wasm", "Toolchain"},
    "Counts": {"Support", "Places", "Wasm"},
    "Coverage": {"Support", "Wasm", "Places", "Counts"},
    "Instrument": {"Support", "Places", "Wasm", "Toolchain", "Source", "Counts"},
    "Order": {"Support", "Record", "Slice", "Profile", "Wasm"},
    "Reorder": {"Support", "Wasm", "Order", "Toolchain", "Counts"},
    "Guest": set(),
    "Recorder": set(),
    "Sampling": {"Support", "Wasm"},
    "Engine": {"Support", "Toolchain", "Wasm", "Recorder", "Sampling"},
    "Profiler": {"Support", "Record", "Slice", "Profile", "Output", "Wasm", "Sampling"},
}
LAYERS["Tooling"] = set(LAYERS)

RECORDER = "lib/Recorder/CMakeLists.txt"
RECORDER_FLOOR = re.compile(r"^set\(recorder_\w+_floor\n([^)]*)\)", re.M)

# The folders of larger rooms, likewise, where those on one floor do not use each other. Files that are in none are on the floor
# "<files>", those that programs import on "<entries>".
JS_IMPORT = re.compile(r"""["'](\.{1,2}/[^"'\s]+\.m?js)["']""")
TOOLING_HEADER = re.compile(r'#include "((?!warpo/(?!Tooling/)|llvm/)[\w./-]+)"')
FOLDERS = {
    "js/recorder": (
        {".mjs", ".js"}, JS_IMPORT,
        ["engine", "record", "modules", "calls", "samples heap artifacts", "threads", "<files>", "node page", "<entries>"]),
    "lib/Tooling": ({".h", ".cpp"}, TOOLING_HEADER, ["common", "reading", "showing", "running", "recording rewriting"]),
}
ENTRIES = {"node.mjs", "browser.mjs"}

# Foreign headers, and the sources below lib/ that may use them: a library that throws, ends the process, or whose types
# would spread, is kept behind a file.
FOREIGN = {
    "wabt": (
        re.compile(r"^wabt/"),
        {"Engine/InterpEngine.cpp", "Engine/InterpUnit.h", "Toolchain/helpers/WabtHelper.cpp"},
    ),
    "protobuf": (
        re.compile(r"^google/protobuf/|\.pb\.h$"),
        {"Output/PprofBackend.cpp", "Output/otlp/Messages.h", "Output/perfetto/Packets.h"},
    ),
    "zstd": (re.compile(r"^zstd"), {"Parquet/PageCompressor.cpp"}),
    "LLVM's reader of DWARF": (
        re.compile(r"^llvm/DebugInfo/"),
        {"Engine/native/tables/ObjectReader.cpp", "Source/dwarf/DwarfPlaces.cpp", "Source/dwarf/DwarfTables.cpp",
         "Source/dwarf/DwarfTables.h"},
    ),
    "Binaryen": (re.compile(r"^binaryen"), {"Toolchain/helpers/BinaryenHelper.cpp"}),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
HEADER_NAME = re.compile(r"warpo/[\w/]+\.h")
SOURCES = {".h", ".c", ".cpp", ".inc"}


def sources(root):
    """Every source of a library, with the library's name."""
    shared = root / "lib/include/warpo"
    for top in (root / "include/warpo", shared, root / "lib"):
        for path in sorted(top.rglob("*")):
            if path.suffix in SOURCES and (top == shared or not path.is_relative_to(shared)):
                yield path, path.relative_to(top).parts[0]


def folder_of(path):
    if len(path.parts) > 1:
        return path.parts[0]
    return "<entries>" if path.name in ENTRIES else "<files>"


def folder_used(top, path, name):
    """The folder that a file uses; None: it is not below `top`. What a library shows to others belongs to the folder that implements it."""
    if name.startswith("warpo/"):
        return next((source.parent.name for source in top.glob(f"*/{pathlib.Path(name).stem}.cpp")), "common")
    used = pathlib.Path(os.path.normpath(path.parent / name))
    return folder_of(used.relative_to(top)) if used.is_relative_to(top) else None


def folder_breaches(top, suffixes, uses, floors):
    floor_of = {name: floor for floor, names in enumerate(floors) for name in names.split()}
    for path in sorted(path for path in top.rglob("*") if path.suffix in suffixes):
        own = folder_of(path.relative_to(top))
        if own not in floor_of:
            yield f"{path}:1: error: '{own}' is on no floor of {__file__}"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in uses.findall(line):
                folder = folder_used(top, path, name)
                if folder is None or (folder != own and floor_of.get(folder, len(floors)) >= floor_of[own]):
                    yield f"{path}:{number}: error: {own} uses {name}, which is not below it"


def recorder_floors(root):
    """The floor of each file of lib/Recorder, counted from the lowest, as its CMakeLists.txt lists them: a file includes headers of its own
    floor and of those below it, and is called from below through structs of functions."""
    floors = RECORDER_FLOOR.findall((root / RECORDER).read_text())
    return {pathlib.Path(name).stem: floor for floor, names in enumerate(floors) for name in names.split()}


def unused_headers(root):
    """Installed headers that no example includes (those of the tests have plugins of every kind), no page of docs/ names, and no other of
    these includes."""
    top = root / "include"
    examples = [path for folder in ("examples", "test/examples") for path in (root / folder).rglob("*") if path.is_file()]
    pages = [*(root / "docs").rglob("*.md"), *examples]
    reached = set()
    pending = [name for page in pages for name in HEADER_NAME.findall(page.read_text(errors="replace"))]
    while pending:
        path = top / pending.pop()
        if path in reached or not path.is_file():
            continue
        reached.add(path)
        included = [match.group(1) for line in path.read_text().splitlines() if (match := INCLUDE.match(line))]
        pending += [*included, *(path.parent.relative_to(top) / name for name in included)]
    return sorted(set(top.rglob("*.h")) - reached)


def main(root):
    breaches = [f"{path}:1: error: neither examples nor docs/ need this header: it belongs into lib/include"
                for path in unused_headers(root)]
    for top, rules in FOLDERS.items():
        breaches += folder_breaches(root / top, *rules)
    floor_of = recorder_floors(root)
    for path, library in sources(root):
        if library not in LAYERS:
            breaches.append(f"{path}:1: error: library '{library}' is not in the table of {__file__}")
            continue
        if path.is_relative_to(root / "lib/Recorder") and path.stem not in floor_of:
            breaches.append(f"{path}:1: error: '{path.stem}' is on no floor of {root / RECORDER}")
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
            if path.is_relative_to(root / "include") and (root / "lib/include" / header).is_file():
                breaches.append(f"{place} a public header includes {header}, which is not installed")
            if library == "Recorder":
                floor, used = floor_of.get(path.stem), floor_of.get(pathlib.Path(header).stem)
                if floor is not None and used is not None and used > floor:
                    breaches.append(f"{place} {path.name} includes {header}, which is on a floor above it")
            if library == "Recorder" and header.startswith("llvm"):
                breaches.append(f"{place} Recorder includes {header}: it has no dependencies")
            for name, (pattern, users) in FOREIGN.items():
                if pattern.search(header) and path not in {root / "lib" / user for user in users}:
                    breaches.append(f"{place} {header}: {name} is seen by {', '.join(sorted(users))} alone")
    print(*breaches, sep="\n", end="\n" if breaches else "")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
