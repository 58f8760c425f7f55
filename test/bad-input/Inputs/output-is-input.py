#!/usr/bin/env python3
"""Lets outputs of each tool be inputs or other outputs, and checks that all are refused and nothing is changed.

usage: output-is-input.py FOLDER TOOL...

Works in FOLDER and prints how many aliases were refused. An option that the tables of tool_files.py do not have is an error,
so that a new one is put into them.
"""
import os
import pathlib
import subprocess
import sys

from tool_files import INSTEAD, RUNNING, TOOLS, Workplace, changes, check_options, command, contents

# Ways to name a file that exists a second time: what is done before, and the second name.
WAYS = {
    "itself": lambda file: file,
    "with a dot": lambda file: f"./{file}",
    "symbolic link": lambda file: os.symlink(file, "second") or "second",
    "link to a link": lambda file: os.symlink(file, "first") or os.symlink("first", "second") or "second",
    "hard link": lambda file: os.link(file, "second") or "second",
}


class Checker(Workplace):
    def __init__(self, root):
        super().__init__(root)
        self.refused = 0

    def run(self, arguments, stdin=None, stdout=None):
        return subprocess.run(
            arguments,
            stdin=open(stdin) if stdin else subprocess.DEVNULL,
            stdout=open(stdout, "ab") if stdout else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def expect_refusal(self, arguments, what, stdin=None, stdout=None):
        before = contents(self.folder)
        result = self.run(arguments, stdin, stdout)
        code = 125 if arguments[0] in RUNNING else 1
        changed = changes(before, contents(self.folder))
        if result.returncode != code or what not in result.stderr or result.stderr.count("\n") != 1 or changed:
            where = f"{f' < {stdin}' if stdin else ''}{f' >> {stdout}' if stdout else ''}"
            print(f"{' '.join(arguments)}{where}: exit code {result.returncode}, changed: {changed}\n{result.stderr}")
            sys.exit(1)
        self.refused += 1

    def expect_success(self, arguments):
        result = self.run(arguments)
        if result.returncode not in (0, 2):
            print(f"{' '.join(arguments)}: exit code {result.returncode}\n{result.stderr}")
            sys.exit(1)

    def cross_input(self, tool, output, option, file):
        """One output against one input, in all ways."""
        read = "which the output would overwrite"
        for way in WAYS.values():
            for output_is_second in (True, False):
                self.begin()
                second = way(file)
                written, given = (second, file) if output_is_second else (file, second)
                self.expect_refusal(command(tool, {output: written, option: given}), read)
        self.begin()
        if option != "host" and option not in INSTEAD:
            self.expect_refusal(command(tool, {output: file, option: "-"}), read, stdin=file)
            if output in ("o", "record"):
                self.expect_refusal(command(tool, {output: "-", option: "-"}), read, stdin=file, stdout=file)
        if output in ("o", "record"):
            self.expect_refusal(command(tool, {output: "-", option: file}), read, stdout=file)

    def cross_outputs(self, tool, first, second):
        """One output against another, of files that exist and that do not."""
        self.begin()
        both = "two outputs go to"
        self.expect_refusal(command(tool, {first: "new", second: "new"}), both)
        self.expect_refusal(command(tool, {first: "new", second: "./new"}), both)
        os.symlink("new", "link")
        self.expect_refusal(command(tool, {first: "new", second: "link"}), both)
        if "output-source-map" not in (first, second) and "append-mapping-json" not in (first, second):
            self.expect_refusal(command(tool, {first: "-", second: "-"}), both)
        for way in WAYS.values():
            self.begin()
            pathlib.Path("old").write_text("[]")
            self.expect_refusal(command(tool, {first: "old", second: way("old")}), both)

    def check(self, tool):
        inputs, outputs, _ = TOOLS[tool]
        check_options(tool)
        for output, written in outputs.items():
            for option, file in inputs.items():
                self.begin()
                if option != "llvm-mapping":
                    self.expect_success(command(tool, {output: written, option: file}))
                self.cross_input(tool, output, option, file)
            for other in outputs:
                if other != output and INSTEAD.get(other) != output and INSTEAD.get(output) != other:
                    self.cross_outputs(tool, output, other)

    def check_found_inputs(self):
        """Files that no option names: inputs say where they are."""
        read = "which the output would overwrite"
        self.begin()
        self.expect_refusal(["warpo-report", "--mapping=lib.map", "a.yaml", "-o", "app.map"], read)
        for tool in ("warpo-flamegraph", "warpo-report"):
            self.expect_refusal([tool, "a.yaml:app.map", "-o", "app.map"], read)
            self.expect_refusal([tool, "a.yaml:app.map", "-o", "a.yaml"], read)
            # Found before the first is read.
            self.expect_refusal([tool, "a.yaml", "b.yaml", "-o", "b.yaml"], read)
        wasm = self.folder / "app.wasm"
        url = b"app.wasm.map"
        section = bytes([16]) + b"sourceMappingURL" + bytes([len(url)]) + url
        wasm.write_bytes(wasm.read_bytes() + bytes([0, len(section)]) + section)
        self.expect_refusal(["warpo-instrument", "-q", "app.wasm", "-o", "out.wasm", "--trace-point-mapping-file=out.map",
                             "--output-source-map=app.wasm.map"], read)
        self.expect_refusal(["warpo-instrument", "-q", "app.wasm", "-o", "out.wasm", "--info-file=info.json",
                             "--trace-point-mapping-file=app.wasm.map"], read)
        self.expect_refusal(["warpo-reorder", "-q", "app.wasm", "--order=list", "-o", "out.wasm",
                             "--output-source-map=app.wasm.map"], read)


def main(folder, *tools):
    os.environ.pop("WARPO_PLUGINS", None)
    checker = Checker(pathlib.Path(folder))
    if set(tools) != TOOLS.keys():
        sys.exit(f"the tools are {', '.join(tools)}")
    for tool in tools:
        checker.check(tool)
    checker.check_found_inputs()
    print(f"{checker.refused} aliases, all refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
