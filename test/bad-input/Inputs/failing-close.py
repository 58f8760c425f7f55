#!/usr/bin/env python3
"""Lets close() of each output of each tool fail, and checks that it is reported and that old files are kept.

usage: failing-close.py FOLDER SHIM TOOL...

SHIM is support/failing-close.c, compiled. Works in FOLDER and prints how many failures were reported.
"""
import errno
import os
import pathlib
import subprocess
import sys

from tool_files import INSTEAD, RUNNING, TOOLS, Workplace, changes, command, contents

# As the C library and as Node calls them.
ERRORS = {errno.EIO: ("input/output error", "i/o error"), errno.ENOSPC: ("no space left on device",)}


class Checker(Workplace):
    def __init__(self, root, shim):
        super().__init__(root)
        self.shim = shim
        self.reported = 0

    def expect_error(self, arguments, error, failing, place, stdout=None, keeps_files=True):
        """Files whose names begin with `failing` cannot be closed, and `place` is what the message calls one."""
        environment = os.environ | {
            "LD_PRELOAD": self.shim,
            "FAILING_CLOSE": f"{self.folder}/{failing}",
            "FAILING_CLOSE_ERROR": str(error),
        }
        before = contents(self.folder)
        result = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=open(stdout, "wb") if stdout else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        changed = changes(before, contents(self.folder)) if keeps_files else []
        lines = [line for line in result.stderr.splitlines() if any(text in line.lower() for text in ERRORS[error])]
        is_told = len(lines) == 1 and f": {place}: " in lines[0]
        if result.returncode != (125 if arguments[0] in RUNNING else 1) or not is_told or changed:
            print(f"{' '.join(arguments)}: exit code {result.returncode}, changed: {changed}\n{result.stderr}")
            sys.exit(1)
        self.reported += 1

    def check_files(self, tool, error):
        """Each output of a tool, in a folder of its own: the others are not to be replaced either."""
        _, outputs, _ = TOOLS[tool]
        for output in outputs:
            given = {option for option in outputs if option not in INSTEAD} - {INSTEAD.get(output)} | {output}
            for exists in (True, False):
                self.begin()
                for option in given:
                    pathlib.Path(f"to-{option}").mkdir()
                    if exists:
                        pathlib.Path(f"to-{option}/{outputs[option]}").write_text("[]\n")
                files = {option: f"to-{option}/{outputs[option]}" for option in given}
                self.expect_error(command(tool, files), error, f"to-{output}/", files[output])

    def check_standard_output(self, tool, error):
        self.begin()
        if tool not in RUNNING:
            output = next(iter(TOOLS[tool][1]))
            self.expect_error(command(tool, {output: "-"}), error, "out", "<stdout>", stdout="out", keeps_files=False)
        for option in ("--help", "--version"):
            self.expect_error([tool, option], error, "out", "<stdout>", stdout="out", keeps_files=False)

    def check_runs(self, error):
        """Records, which are written while the program runs, and what the program writes."""
        for engine in ("node", "interp", "native"):
            run = ["warpo-run", "-q", f"--engine={engine}", "traced.wat"]
            for record in ("out.rec", "out.warpo"):
                self.begin()
                self.expect_error([*run, f"--record={record}"], error, record, record, keeps_files=False)
            self.begin()
            self.expect_error([*run, "--record=a.rec"], error, "out", "<stdout>", stdout="out", keeps_files=False)


def main(folder, shim, *tools):
    checker = Checker(pathlib.Path(folder), shim)
    for error in ERRORS:
        for tool in tools:
            checker.check_standard_output(tool, error)
            if tool not in RUNNING:
                checker.check_files(tool, error)
        checker.check_runs(error)
    print(f"{checker.reported} failures, all reported")


if __name__ == "__main__":
    main(*sys.argv[1:])
