#!/usr/bin/env python3
"""Crosses the options of a tool that reads records.

usage: cross.py FORK_SERVER TOOL [ARGUMENT...]

Runs TOOL with every option that its --help-hidden shows, alone and in pairs, on what each line of the file `inputs`
names, and accepts nothing but the documented exit codes: 0, 1 with a message, 2, and 3 with --fail-above and --fail-on-leaks. ARGUMENTs
belong to every run, unless it tries the same option. An option with a value takes those of VALUES; a new one of another
kind has to say there which. FORK_SERVER is Inputs/fork-server.c as a shared object.
"""
import collections
import hashlib
import itertools
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys

# Of the processor, for a run; it takes some thousandths of one.
SECONDS = 20
# What a sanitizer finds ends a run by a signal. Leaks are for tests of fewer runs: each end would take longer than the run.
SANITIZERS = {"ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1"}
# What LLVM's command line gives every tool.
GENERIC = {"h", "help", "help-hidden", "help-list", "help-list-hidden", "print-all-options", "print-options", "version"}
# By option, else by what --help calls the value.
VALUES = {
    "--at": ["end", "peak", "25", "run", "absent"],
    "--async": ["joined", "separate", "absent"],
    "--dead": ["apart", "uncovered", "absent"],
    "--fail-above": ["0.1%"],
    "--format-option": ["grow=down", "absent=1"],
    "--inlines": ["app.wasm", "absent"],
    "--input-format": ["warpo", "yaml", "absent"],
    "--label": ["host=web-3", "absent"],
    "--llvm-mapping": ["map.txt"],
    "--load-plugin": ["absent.so"],
    "--mapping": ["map.txt", "map.json"],
    "--mix": ["opcode", "absent"],
    "--module": ["*", "1", "absent"],
    "--module-file": ["app.wasm"],
    "--places-from": ["app.wasm", "absent"],
    "--since": ["app.wasm", "absent"],
    "--source-url": ["https://example.org/{file}", "absent"],
    "--symbols": ["symbols.txt", "1=symbols.txt", "app.wasm", "absent"],
    "--weight": ["calls", "fuel", "samples", "time/fuel", "probe", "suspended", "inuse_space", "alloc_objects"],
    "-o": ["other"],
    "<A..B>": ["1", "2..3", "9..", "0"],
    "<N>": ["2", "0"],
    "<bytes>": ["0", "100", "absent"],
    "<column>": ["self", "mean", "absent"],
    "<file>": ["calls.warpo"],
    "<folder>": ["/src", "."],
    "<glob>": ["*", "f*", "absent"],
    "<group>": ["line", "file", "directory", "module", "function", "absent"],
    "<input=N>": ["calls.warpo=2"],
    "<n>": ["1", "3", "0", "18446744073709551615"],
    "<names>": ["self,calls", "function", "absent"],
    "<ns>": ["0.4", "125/3", "0"],
    "<record>": ["calls.warpo", "samples.warpo", "profile.wprof"],
    "<roots>": ["roots", "absent"],
    "<share>": ["1%", "0", "2"],
    "<text>": ["a title"],
    "<time>": ["0", "25", "40ns", "1s", "absent"],
    "<weight>": ["time", "calls", "absent"],
}
HELP = re.compile(
    r"^  (?P<name>--?[A-Za-z][-\w]*)(?P<optional>\[=)?[= ]?(?P<value><[^>]+>)?\]?\s+- (?P<what>.*)|^    =(?P<choice>\S+)",
    re.MULTILINE)


class Option:
    def __init__(self, name):
        self.name = name
        # What it stands for, if it is another name of an option.
        self.meaning = name
        # As they are given on a command line.
        self.spellings = []


def registered(tool, option):
    """What --list-formats shows for --format; None where there is no such list."""
    for plural in ("s", "es"):
        listed = subprocess.run([tool, f"--list-{option.lstrip('-')}{plural}"], capture_output=True, text=True)
        if listed.returncode == 0:
            return [line.split()[0] for line in listed.stdout.splitlines() if re.match(r"\S", line)]
    return None


def options_of(tool):
    shown = subprocess.run([tool, "--help-hidden"], capture_output=True, text=True, check=True).stdout
    options = {}
    for match in HELP.finditer(shown):
        if match["choice"]:
            option.spellings.append(f"{option.name}={match['choice']}")
            continue
        option = Option(match["name"])
        if option.name.lstrip("-") in GENERIC:
            continue
        options[option.name] = option
        if same := re.match(r"The same as (--?[\w-]*\w)", match["what"]):
            option.meaning = same[1]
            continue
        if match["optional"] or not match["value"]:
            option.spellings.append(option.name)
        if not match["value"] or match["value"] == "<value>":
            continue
        values = VALUES.get(option.name) or registered(tool, option.name) or VALUES.get(match["value"])
        if values is None:
            sys.exit(f"{tool}: error: {option.name}={match['value']}: which values? VALUES in {__file__} is to say")
        option.spellings += [f"{option.name}={value}" for value in values]
    for option in options.values():
        if option.meaning != option.name:
            meant = options[option.meaning].spellings
            option.spellings = [option.name + spelling[len(option.meaning):] for spelling in meant]
        if not option.spellings:
            sys.exit(f"{tool}: error: {option.name}: which values? VALUES in {__file__} is to say")
    return options


def runs_of(options, inputs, always):
    """Command lines: each value with each input; of each pair of options, each value and each input at least once."""
    def meaning(argument):
        name = argument.split("=")[0]
        return options[name].meaning if name in options else name

    def command(records, *given):
        meant = {meaning(argument) for argument in given}
        return [*(argument for argument in always if meaning(argument) not in meant), *given, *records]

    for records in inputs:
        yield command(records)
    for option in options.values():
        for spelling, records in itertools.product(option.spellings, inputs):
            yield command(records, spelling)
    # Sanitized tools take several times as long: lit has them do a part of the pairs, and so has .ci/run.
    every = int(os.environ.get("WARPO_CROSS_EVERY", "1"))
    for number, (first, second) in enumerate(itertools.combinations_with_replacement(options.values(), 2)):
        for i in range(number % every, max(len(first.spellings), len(second.spellings), len(inputs)), every):
            yield command(inputs[i % len(inputs)], first.spellings[i % len(first.spellings)],
                          second.spellings[i % len(second.spellings)])


def problem_of(command, ending):
    kind, code, *said = ending.split()
    if kind == "signal":
        return f"ended by {signal.Signals(int(code)).name}"
    if code == "1":
        return None if said != ["0"] else "exit code 1 without a message"
    allowed = {"0", "2"} | ({"3"} if any(argument.startswith(("--fail-above", "--fail-on-leaks")) for argument in command) else set())
    return None if code in allowed else f"exit code {code}"


def sums_of_inputs():
    kinds = {".warpo", ".rec", ".wprof", ".json", ".txt", ".wasm"}
    return {path: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path().iterdir()) if path.suffix in kinds}


def endings_of(server, tool, runs):
    pathlib.Path("runs").write_bytes(
        b"".join(b"".join(argument.encode() + b"\0" for argument in run) + b"\0" for run in runs))
    environment = os.environ | {"LD_PRELOAD": os.path.abspath(server), "FORK_SERVER_RUNS": "runs",
                                "FORK_SERVER_RESULTS": "results", "FORK_SERVER_SECONDS": str(SECONDS)}
    for name, options in SANITIZERS.items():
        environment[name] = f"{environment[name]}:{options}" if name in environment else options
    subprocess.run([tool], env=environment, check=True)
    endings = pathlib.Path("results").read_text().splitlines()
    if len(endings) != len(runs):
        sys.exit(f"{tool}: error: {len(runs)} runs were asked for and {len(endings)} done")
    return endings


def main(server, tool, *always):
    options = options_of(tool)
    inputs = [line.split() for line in pathlib.Path("inputs").read_text().splitlines()]
    runs = list(runs_of(options, inputs, always))
    before = sums_of_inputs()
    endings = endings_of(server, tool, runs)
    counts = collections.Counter(ending.split()[1] for ending in endings if ending.startswith("exit"))
    print(f"{len(options)} options, {len(inputs)} inputs, {len(runs)} runs:",
          ", ".join(f"{count} with exit code {code}" for code, count in sorted(counts.items())))
    problems = [f"{problem}: {shlex.join([tool, *run])}"
                for run, ending in zip(runs, endings) if (problem := problem_of(run, ending))]
    after = sums_of_inputs()
    problems += [f"a run has changed its input {path}" for path in before if after.get(path) != before[path]]
    if problems:
        # FileCheck shows what it was given.
        print(*problems[:20], sep="\n")
        sys.exit(f"{tool}: error: {len(problems)} of {len(runs)} runs ended as no run may: {problems[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
