#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the tests use every option that a tool offers.

usage: check-options.py TESTS TOOL...

Compares what `TOOL --help` lists with the RUN lines below the folder TESTS that call the tool. Prints each option that
none of them uses; the exit code is 1 if there is one.
"""
import pathlib
import re
import subprocess
import sys

# An option's line in --help: indented by two, its spelling, then perhaps a value.
HELP_OPTION = re.compile(r"^  (--?[A-Za-z][-\w]*)", re.MULTILINE)
# What LLVM's command line gives every tool.
GENERIC = {"help", "help-list", "version"}
RUN = re.compile(r"RUN:(.*)")
USED_OPTION = re.compile(r"(?<![-\w])--?([A-Za-z][-\w]*)")


def offered(tool):
    help = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    return {spelling.lstrip("-") for spelling in HELP_OPTION.findall(help)} - GENERIC


def commands(tests):
    """Every simple command of every RUN line below `tests`, continued lines joined."""
    for path in sorted(tests.rglob("*")):
        if path.suffix not in {".test", ".wat", ".yaml"}:
            continue
        # Lit reads no further than this mark either.
        text = path.read_text().partition("END.")[0]
        script = "\n".join(line.strip() for line in RUN.findall(text))
        yield from re.split(r"[|;&\n]", re.sub(r"\\\n|>&\d", " ", script))


def used(tool, script):
    calls = re.compile(rf"(?<![-\w/.]){re.escape(tool)}(?![-\w.])")
    result = set()
    for command in script:
        call = calls.search(command)
        if call:
            result.update(USED_OPTION.findall(command[call.end():]))
    return result


def main(tests, tools):
    script = list(commands(tests))
    untested = [(tool, option) for tool in tools for option in sorted(offered(tool) - used(tool, script))]
    for tool, option in untested:
        dashes = "--" if len(option) > 1 else "-"
        print(f"{tool}: error: no RUN line below {tests} uses {dashes}{option}")
    return 1 if untested else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
