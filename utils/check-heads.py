#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each source file names its licence at its head, and adds the line where it is missing.

usage: check-heads.py [--add] [ROOT]

Prints each file without the line as `file:1: error: ...`; the exit code is 1 if there is one. With --add the files get
it instead. What lies in test/ is data for tests, whose lines they may count.
"""
import os
import pathlib
import sys

LICENCE = "SPDX-License-Identifier: Apache-2.0"
# How a comment begins and ends, by the end of the file's name; a template `name.in` counts as `name`.
COMMENTS = {
    **dict.fromkeys([".cpp", ".h", ".def", ".proto", ".js", ".mjs", ".ts"], ("// ", "")),
    **dict.fromkeys([".c", ".css"], ("/* ", " */")),
    **dict.fromkeys([".py", ".sh", ".cmake", ".pc", "CMakeLists.txt", ".clang-format", ".clang-tidy"], ("# ", "")),
    ".wat": (";; ", ""),
    ".html": ("<!-- ", " -->"),
}
# First lines that stay first.
TITLES = ("#!", "//===-", "<!doctype")


def source_files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in {".git", "node_modules", "__pycache__"}
                            and not (folder == str(root) and (f == "test" or f.startswith("build"))))
        for name in sorted(names):
            yield pathlib.Path(folder, name)


def comment_of(path, first):
    """How a comment begins and ends in this file, or None if it is no source."""
    if first.startswith("#!/usr/bin/env node"):
        return "// ", ""
    if first.startswith("#!"):
        return "# ", ""
    name = path.name.removesuffix(".in")
    comment = next((COMMENTS[end] for end in COMMENTS if name.endswith(end)), None)
    # Headers of C.
    return ("/* ", " */") if comment and first.startswith("/*") else comment


def main(arguments):
    add = "--add" in arguments
    root = pathlib.Path(next((a for a in arguments if a != "--add"), "."))
    missing = 0
    for path in source_files(root):
        lines = path.read_bytes().splitlines(keepends=True)
        first = lines[0].decode(errors="replace") if lines else ""
        comment = comment_of(path, first)
        if not comment:
            continue
        line = LICENCE.join(comment) + "\n"
        if line.encode() in lines[:2]:
            continue
        if add:
            lines.insert(1 if first.lower().startswith(TITLES) else 0, line.encode())
            path.write_bytes(b"".join(lines))
        else:
            print(f"{path.relative_to(root)}:1: error: the head does not say '{line.strip()}'")
            missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
