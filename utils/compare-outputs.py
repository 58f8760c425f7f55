#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the tools of two builds write, byte for byte.

usage: compare-outputs.py BEFORE AFTER [--folder FOLDER] [--record] [--filter REGEX]

BEFORE and AFTER are build folders. Modules and records are made once, by BEFORE, and kept in FOLDER (default:
build/compare); --record makes them anew. The modules are programs of npm's; the records are of these programs, and every
YAML record in the tests. Then each tool of both builds reads each of them, in every format that it lists and in many views, and
exit code, output and messages must be the same. Prints each difference, and a line with how many outputs were compared;
the exit code is 1 if any differs. What BEFORE itself writes differently a second time is only counted.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ["sql", "quickjs", "resvg", "tree-sitter"]
# name: what warpo-instrument is given, and what the recorder is.
RECORDINGS = {
    "trace": ("", {}),
    "kinds": ("--instrumentation=trace,call-kinds", {}),
    "fuel": ("--instrumentation=trace,fuel", {}),
    "onlyfuel": ("--instrumentation=trace,fuel", {"WARPO_RECORDER_CLOCK": "fuel"}),
    "samples": ("--instrumentation=sample", {"WARPO_RECORDER_SAMPLE_EVERY": "20000"}),
}
# What is inserted into each module.
INSTRUMENTATIONS = [
    [], ["--all", "--unwind=exnref"], ["--unwind=none", "--min-instructions=20"], ["--no-import-thunks"],
    ["--instrumentation=fuel"], ["--instrumentation=trace,fuel,call-kinds"], ["--instrumentation=sample"],
    ["--instrumentation=sample", "--stack=engine"], ["--instrumentation=order"], ["--instrumentation=trace,order"],
    ["--instrumentation=order", "--order-buffer=64"], ["--instrumentation=order", "--order-memory=export"],
    ["--keep-debug"], ["--exclude=*a*"],
]
# How each record is looked at, beside every format in its plain form.
VIEWS = {
    "warpo_trace_visualizer": [
        ["--from=1us", "--to=5ms"], ["--slices=1..3"], ["--max-slice-count=1"], ["--subtract-overhead"], ["--show-kinds"],
        ["--slicer=host-calls"], ["--strict"],
    ],
    "warpo-flamegraph": [
        ["--invert"], ["--fold-recursion"], ["--per-module"], ["--phases=roots"], ["--weight=calls"], ["--weight=fuel"],
        ["--weight=time/fuel"], ["--weight=samples"], ["--samples"], ["--calls"], ["--show-kinds"], ["--no-time"],
        ["--min=1%"], ["--max-depth=5"], ["--max-contexts=20"], ["--focus=*a*"], ["--hide=*e*"], ["--root=*i*"],
        ["--time-order", "--format=svg"], ["--time-order", "--format=folded"], ["--subtract-overhead"], ["--from=1us"],
        ["--slices=1..3"], ["--slicer=host-calls"], ["--no-demangle"],
    ],
    "warpo-report": [
        ["--tree"], ["--top-level"], ["--slowest-slices=5"], ["--phases"], ["--phases=roots", "--tree"], ["--callers=*"],
        ["--callees=*"], ["--weight=fuel"], ["--weight=time/fuel"], ["--weight=samples"], ["--weight=calls"], ["--samples"],
        ["--top=0"], ["--sort=calls"], ["--columns=function,calls"], ["--show-kinds"], ["--invert", "--tree"],
        ["--subtract-overhead"], ["--no-time"], ["--diff=SELF"], ["--slices=1..3"], ["--max-contexts=20"],
    ],
    "warpo-record-dump": [["--summary"], ["--verify"], ["--slices=1..2"], ["--function=*a*"], ["--subtract-overhead"]],
    "warpo-order": [["--format=names"], ["--order=hot"], ["--each-stream"], ["--dump"]],
}
# Records of millions of entries are read in the forms that sum them up only.
LARGE = 2 << 20


class Build:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()

    def environment(self, **more):
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "COLUMNS": "100", **more}

    def run(self, command, cwd, **environment):
        """Exit code, output and messages. Files that the command wrote in `cwd` are the caller's."""
        process = subprocess.run(command, cwd=cwd, env=self.environment(**environment), stdin=subprocess.DEVNULL,
                                 capture_output=True, timeout=600)
        return process.returncode, process.stdout, process.stderr

    def formats(self, tool):
        listed = self.run([tool, "--list-formats"], self.folder)[1].decode()
        return [line.split(" - ")[0] for line in listed.splitlines() if "can only be read" not in line]


def new_node():
    found = sorted((ROOT / "node_modules").glob("node-linux-*/bin/node"))
    return str(found[0]) if found else "node"


def record_programs(build, folder):
    """Records of npm's programs, and their modules."""
    register = build.folder / "share/warpo/js/register.mjs"
    for program in PROGRAMS:
        script = ROOT / f"test/real-modules/Inputs/{program}.mjs"
        for name, (options, environment) in RECORDINGS.items():
            modules = folder / "modules" / program / name
            modules.mkdir(parents=True)
            record = folder / "records" / f"{program}.{name}.warpo"
            command = [new_node(), "--import", str(register), "--import", str(ROOT / "utils/instrument-on-load.mjs"),
                       str(script)]
            code, _, messages = build.run(command, folder, WARPO_INSTRUMENT=options, WARPO_INSTRUMENT_FOLDER=str(modules),
                                          WARPO_RECORDER_FILE=str(record), **environment)
            if code or not record.exists():
                sys.exit(f"{program}, {name}: exit code {code}\n{messages.decode()}")
        # The bytes are the same however they are instrumented.
        for module in sorted((folder / "modules" / program / "trace").glob("*[0-9].wasm")):
            shutil.copy(module, folder / "modules" / f"{program}.{module.name}")
        shutil.rmtree(folder / "modules" / program)


def record_example(build, folder):
    """examples/markdown in every engine, as warpo-run records it."""
    example = ROOT / "examples/markdown"
    module = folder / "modules/markdown.wasm"
    subprocess.run(["node", ROOT / "node_modules/assemblyscript/bin/asc.js", "-o", module], cwd=example, check=True)
    document = (example / "document.md").read_bytes()
    for name in ["trace", "fuel", "samples"]:
        options = RECORDINGS[name][0].split()
        traced, mapping = folder / f"markdown.{name}.wasm", folder / f"records/markdown.{name}.map"
        command = ["warpo-instrument", "-q", "--unwind=none", *options, module, "-o", traced,
                   f"--trace-point-mapping-file={mapping}"]
        subprocess.run(command, env=build.environment(), check=True, stderr=subprocess.DEVNULL)
        for engine in ["node", "interp", "native"]:
            for extension in ["rec", "warpo"] if name == "trace" else ["warpo"]:
                record = folder / f"records/markdown.{name}.{engine}.{extension}"
                subprocess.run(["warpo-run", "-q", f"--engine={engine}", "--sample-every=20000" if name == "samples" else "-q",
                                f"--record-format={'warp' if extension == 'rec' else 'warpo'}", f"--record={record}", traced, "--", "1"],
                               env=build.environment(), input=document, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def records_of_tests(folder):
    """Every YAML record that a test holds as a piece of split-file's."""
    count = 0
    for path in sorted((ROOT / "test").rglob("*")):
        if path.suffix not in {".test", ".yaml", ".wat"}:
            continue
        pieces = re.split(r"^(?:#|//|;;)--- .*\n", path.read_text(errors="replace"), flags=re.MULTILINE)
        for piece in pieces:
            if piece.startswith("warpo-record: 1"):
                (folder / f"records/test{count:03}.yaml").write_text(piece)
                count += 1


def prepare(build, folder):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "records").mkdir(parents=True)
    (folder / "modules").mkdir()
    print("making the modules and records", flush=True)
    record_programs(build, folder)
    record_example(build, folder)
    records_of_tests(folder)
    (folder / "complete").touch()


def measures_rate(build, record):
    """Whether the tools measure the machine's counter, with another result each time, as the record states no rate."""
    return b"(--rate=" in build.run(["warpo_trace_visualizer", "--no-progress", "-o", "-", record], record.parent)[2]


def commands_for_record(build, formats, record):
    name = f"../records/{record.name}"
    large = record.stat().st_size > LARGE
    mapping = record.with_suffix("").with_suffix(".map")
    # A WARP record has no names.
    names = [f"--mapping=../records/{mapping.name}"] if record.suffix == ".rec" else []
    if not large and measures_rate(build, record):
        names.append("--rate=0.4")
    for tool, views in VIEWS.items():
        if tool in ("warpo-record-dump", "warpo-order") and large:
            continue
        if tool != "warpo-order":
            for format in formats[tool]:
                yield [tool, *names, f"--format={format}", name]
        for view in views:
            options = [option.replace("SELF", name) for option in view]
            if tool == "warpo-flamegraph" and not any(option.startswith("--format") for option in options):
                options.append("--format=folded")
            yield [tool, *names, *options, name]


def commands_for_module(module):
    name = f"../modules/{module.name}"
    for options in INSTRUMENTATIONS:
        yield ["warpo-instrument", *options, name, "-o", "out.wasm", "--trace-point-mapping-file=out.map",
               "--info-file=out.json"]


def commands_for_runs(folder):
    """Whole runs that are the same each time: by fuel alone, in every engine."""
    for traced in sorted(folder.glob("markdown.fuel.wasm")):
        for engine in ["node", "interp", "native"]:
            yield ["warpo-run", f"--engine={engine}", "--only-fuel", "--deterministic", "--record=out.warpo",
                   f"../{traced.name}", "--", "1"]


def result_of(build, command, place):
    """What `command` gives in the empty folder `place`: a text or bytes for each of its outputs."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    if command[0].startswith("warpo") and command[0] not in ("warpo-instrument", "warpo-run"):
        command = [*command, "--no-progress", "-o", "-"]
    code, output, messages = build.run(command, place)
    result = {"exit code": str(code).encode(), "standard output": output, "standard error": messages}
    for path in sorted(place.iterdir()):
        result[path.name] = path.read_bytes()
    return result


def difference(before, after):
    lines = []
    for what in sorted(before.keys() | after.keys()):
        old, new = before.get(what), after.get(what)
        if old == new:
            continue
        if old is None or new is None:
            lines.append(f"  {what}: {'only before' if new is None else 'only after'}")
            continue
        lines.append(f"  {what}: {len(old)} and {len(new)} bytes")
        try:
            texts = [side.decode().splitlines()[:5000] for side in (old, new)]
            shown = [line for line in difflib.unified_diff(*texts, n=0, lineterm="")][2:10]
            lines += [f"    {line[:160]}" for line in shown]
        except UnicodeDecodeError:
            at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
            lines.append(f"    first at byte {at}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--folder", default=str(ROOT / "build/compare"))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--filter", default="", help="only commands that this regular expression is found in")
    arguments = parser.parse_args()
    before, after = Build(arguments.before), Build(arguments.after)
    folder = pathlib.Path(arguments.folder).resolve()
    if arguments.record or not (folder / "complete").exists():
        prepare(before, folder)

    formats = {tool: before.formats(tool) for tool in VIEWS}
    commands = [command for module in sorted((folder / "modules").glob("*.wasm")) for command in commands_for_module(module)]
    commands += commands_for_runs(folder)
    for record in sorted((folder / "records").iterdir()):
        if record.suffix != ".map":
            commands += commands_for_record(before, formats, record)
    commands = [command for command in commands if re.search(arguments.filter, " ".join(command))]

    def compare(numbered):
        number, command = numbered
        # Paths in messages and records are the same for both: each runs in this folder, one after the other.
        place = folder / f"run{number}"
        old, new = (result_of(build, command, place) for build in (before, after))
        lines = difference(old, new)
        varies = lines and old != result_of(before, command, place)
        shutil.rmtree(place)
        return command, len(old), lines, varies

    outputs = differing = varying = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for command, count, lines, varies in pool.map(compare, enumerate(commands)):
            outputs += count
            if varies:
                varying += 1
            elif lines:
                differing += 1
                print(" ".join(command), *lines, sep="\n", flush=True)
    print(f"{len(commands)} commands, {outputs} outputs compared; {differing} commands differ, "
          f"{varying} differ each time")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
