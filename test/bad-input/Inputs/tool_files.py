"""The files that each tool reads and writes, and command lines with them."""
import base64
import os
import re
import shutil
import subprocess

MODULE = '(module (func $main (export "_start") (call $b)) (func $b))'
TRACED = (
    '(module (import "builtin" "tracePoint" (func $point (param i32)))'
    ' (func (export "_start") (call $point (i32.const 1)) (call $point (i32.const -1))))'
)
SAMPLES = "warpo-record: 1\nrate: 1\nentries:\n  - module: 0\n  - sample: [9, 9, 0, 16777216]\n"
SOURCE_MAP = '{"version":3,"sources":["app.ts"],"names":[],"mappings":"A"}'
# A module that has its source map in itself: one function of one instruction, and where that comes from.
MAP_URL = "data:application/json;base64," + base64.b64encode(b'{"version":3,"sources":["app.ts"],"mappings":"sBAAA"}').decode()
PLACES = "\x10sourceMappingURL" + chr(len(MAP_URL)) + MAP_URL
PLACED = "\0asm\1\0\0\0\1\4\1\x60\0\0\3\2\1\0\x0a\4\1\2\0\x0b\0" + chr(len(PLACES) & 127 | 128) + chr(len(PLACES) >> 7) + PLACES
RECORD = "warpo-record: 1\nrate: 1\nentries:\n  - [1, 16777216]\n  - [3, -16777216]\n"
FILES = {
    "app.wat": MODULE,
    "traced.wat": TRACED,
    "app.wasm.map": SOURCE_MAP,
    "costs": "nop 2\n",
    "list": "main\n",
    "app.map": "16777216 main\n16777217 b\n",
    "app.symbols": "0:main\n1:b\n",
    "a.yaml": RECORD,
    "b.yaml": RECORD,
    "long.yaml": RECORD.replace("[3,", "[3000,"),
    "samples.yaml": SAMPLES,
    "host.mjs": "export default {};\n",
    "lib.wat": "(module)",
    "lib.map": '[{"moduleId": 0, "mappingFile": "app.map"}]\n',
    "llvm.map": "MD5 0123456789abcdef main\n",
    "debug.wasm": "\0asm\1\0\0\0\0\x0c\x0b.debug_line",
    "placed.wasm": PLACED,
    "llvm.dump": "\xef\xcd\xab\x89\x67\x45\x23\x01",
}

# Of each option: an argument that names the file, and the file; of an output the file is new. The input without an
# option is "".
READING = {"mapping": "app.map", "trace-point-mapping-file": "app.map", "trace-point-mapping-json-file": "lib.map",
           "symbols": "app.symbols"}
SHOWING = READING | {"": "a.yaml", "places-from": "placed.wasm"}
PROFILING = SHOWING | {"diff": "b.yaml", "time-from": "samples.yaml"}
TOOLS = {
    "warpo-flamegraph": (PROFILING, {"o": "out"}, []),
    "warpo-report": (PROFILING, {"o": "out"}, []),
    "warpo-annotate": (SHOWING | {"time-from": "samples.yaml", "module-file": "app.wasm"}, {"o": "out"}, ["--asm"]),
    "warpo-record-dump": (SHOWING, {"o": "out"}, []),
    "warpo_trace_visualizer": (
        SHOWING | {"trace-point-record-file": "a.yaml"},
        {"o": "out", "output-pftrace-file": "out"},
        [],
    ),
    "warpo-order": (
        {"": "a.yaml", "mapping": "app.map", "trace-point-mapping-file": "app.map",
         "trace-point-mapping-json-file": "lib.map", "module-file": "app.wasm", "llvm-mapping": "llvm.map"},
        {"o": "out"},
        [],
    ),
    "warpo-instrument": (
        {"": "app.wasm", "fuel-costs": "costs", "source-map": "app.wasm.map",
         "debug-file": "debug.wasm", "symbols": "app.symbols", "from": "long.warpo", "time-from": "samples.warpo"},
        {"o": "out.wasm", "trace-point-mapping-file": "out.map", "append-mapping-json": "all.json",
         "info-file": "info.json", "output-source-map": "out.wasm.map"},
        ["-q", "--instrumentation=trace,fuel", "--budget=9", "--budget-clock=none"],
    ),
    "warpo-reorder": (
        {"": "app.wasm", "order": "list", "startup": "list", "source-map": "app.wasm.map"},
        {"o": "out.wasm", "output-source-map": "out.wasm.map"},
        ["-q"],
    ),
    "warpo-run": (
        {"": "traced.wat", "mapping": "app.map", "host": "host.mjs", "link": "lib.wat"},
        {"record": "out.rec"},
        ["-q", "--engine=node"],
    ),
    "warpo-record": (
        {"": "app.wasm", "host": "host.mjs", "link": "lib.wat"},
        {"o": "out.warpo"},
        ["-q", "--engine=node", "--trace"],
    ),
    "warpo-open": ({"": "a.yaml"}, {"o": "out.html"}, []),
}
# Whose exit codes are those of the program.
RUNNING = ("warpo-run", "warpo-record")
# What a tool cannot do without, as options of the tables above.
NEEDED = {
    "warpo-annotate": ["module-file"],
    "warpo-order": ["module-file", "mapping"],
    "warpo-instrument": ["o", "trace-point-mapping-file"],
    "warpo-reorder": ["o", "order"],
    "warpo_trace_visualizer": ["o"],
}
# Options that need another one, and those that exclude each other.
WITH = {
    ("warpo-instrument", "output-source-map"): ["source-map"],
    ("warpo-instrument", "time-from"): ["from"],
    ("warpo-reorder", "source-map"): ["output-source-map"],
    ("warpo-reorder", "output-source-map"): ["source-map"],
}
INSTEAD = {
    "trace-point-record-file": "",
    "output-pftrace-file": "o",
    "trace-point-mapping-file": "mapping",
    "trace-point-mapping-json-file": "mapping",
}
NO_FILES = {
    "allocator", "arg", "async", "at", "budget", "budget-clock", "by", "callees", "callers", "char", "chunk-events", "columns", "context", "cost", "counters", "counters-in", "count-to-perfetto-timestamp-rate", "dir",
    "counts-of", "dead", "engine", "env", "evaluate", "events-in", "every", "exclude", "fail-above", "fail-below", "fail-on-leaks", "focus", "format", "format-option", "frequency", "from",
    "fuel-limit", "function", "guest-stack", "heap-sample-every", "heap-seed", "heap-stack", "hide", "hints", "ignore", "include", "input-format", "instrumentation",
    "instrumentation-option", "invoke", "label", "landlock",
    "max-contexts", "max-depth", "max-items", "max-slice-count", "min", "min-instructions", "mix", "module", "module-id", "O",
    "due", "order-buffer", "order-memory", "phases", "rate", "record-format", "root", "sample-every", "slicer", "slices",
    "slowest-slices", "sort", "source-root", "source-url", "stack", "switchable", "title", "to", "top", "traps-in", "trim-path", "unwind",
    "rounds", "test", "train", "weight", "weight-of",
    # Of their own: it has to be a plugin (test/examples/plugins.test), or counts of a run (test/counts/hints.test).
    "load-plugin", "counts", "inlines", "since",
}  # fmt: skip
# Those that name a file in one tool and none in another.
NO_FILES_IN = {
    "warpo-order": {"order", "symbols"},
    # With counts alone, which are of a run.
    "warpo-report": {"module-file"},
    "warpo-annotate": {"trace"},
    "warpo-reorder": {"trace", "host"},  # the tool hands the latter to warpo-run
}



def check_options(tool):
    """Ends the program if the tool has an option with a value that is in no table."""
    inputs, outputs, _ = TOOLS[tool]
    help = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    offered = set(re.findall(r"^  --?([A-Za-z][-\w]*)=<", help, re.MULTILINE))
    known = inputs.keys() | outputs.keys() | NO_FILES | NO_FILES_IN.get(tool, set())
    if unknown := offered - known:
        raise SystemExit(f"{tool}: neither inputs nor outputs, nor without a file: {', '.join(sorted(unknown))}")


def argument(option, file):
    if option == "":
        return file
    return f"--link=lib={file}" if option == "link" else f"-{'' if len(option) == 1 else '-'}{option}={file}"


def command(tool, given):
    """The tool with the options of `given`, and the others that it needs."""
    inputs, outputs, others = TOOLS[tool]
    given = dict(given)
    wanted = [*NEEDED.get(tool, []), *(other for option in given for other in WITH.get((tool, option), []))]
    for option in ["", *wanted]:
        replaced = any(INSTEAD.get(other) == option for other in given)
        if not replaced:
            given.setdefault(option, (inputs | outputs)[option])
    # What stands behind a program may be its own.
    options = sorted(given, key=lambda option: option == "")
    return [tool, *others, *(argument(option, given[option]) for option in options)]


def contents(folder):
    """Of each file and link below a folder what is in it."""
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def changes(before, after):
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


class Workplace:
    """A folder with all inputs, which is made anew for each command; the commands are run in it."""

    def __init__(self, root):
        self.plain = root / "plain"
        self.folder = root / "folder"
        self.plain.mkdir()
        for name, text in FILES.items():
            (self.plain / name).write_bytes(text.encode("latin-1"))
        subprocess.run(["wat2wasm", "--debug-names", "app.wat", "-o", "app.wasm"], cwd=self.plain, check=True)
        # With names.
        for name in "long", "samples":
            subprocess.run(["warpo-record-dump", "--format=warpo", "--mapping=app.map", f"{name}.yaml", "-o", f"{name}.warpo"], cwd=self.plain, check=True)

    def begin(self):
        if self.folder.exists():
            shutil.rmtree(self.folder)
        shutil.copytree(self.plain, self.folder)
        os.chdir(self.folder)
