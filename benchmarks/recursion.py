#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how deep small recursive functions go in V8 before the stack ends: instrumented, as a share of the depth without.

  benchmarks/recursion.py [--build build] [--quick]

In each Node that there is, code as it is compiled first (baseline) and optimised. Larger functions lose less: what is added to a
frame is the same few words. Exit code 1 if a figure is missed.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

from measure import Figures, start

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
MODULE = """(module
  (global $depth (export "depth") (mut i32) (i32.const 0))
  (func $call (export "call") (param i32) (result i32)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (i32.add (call $call (i32.add (local.get 0) (i32.const 1))) (local.get 0))))"""
# The least share of the depth, in baseline and in optimised code.
FORMS = {
    "trace": ([], 0.85, 0.6),
    "trace, --unwind=none": (["--unwind=none"], 0.95, 0.6),
    "trace,traps": ([], 0.85, 0.6),
    "trace,fuel": ([], 0.85, 0.5),
    "fuel": ([], 0.95, 0.95),
}


def main():
    build, _ = start(__doc__, ["warpo-instrument", "warpo-js"])
    recorder = os.path.join(build, "share/warpo/js/recorder/node.mjs")
    nodes = [shutil.which("node"), *glob.glob(os.path.join(ROOT, "node_modules/node-linux-*/bin/node"))]
    figures = Figures()
    with tempfile.TemporaryDirectory(dir=build) as folder:
        text, plain = os.path.join(folder, "plain.wat"), os.path.join(folder, "plain.wasm")
        with open(text, "w", encoding="utf-8") as file:
            file.write(MODULE)
        subprocess.run(["wat2wasm", text, "-o", plain], check=True)
        for node in filter(None, nodes):
            version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout.strip()
            for code, option in enumerate(["--liftoff-only", "--no-liftoff"]):
                def depth(module):
                    script = os.path.join(ROOT, "benchmarks/recursion_v8.mjs")
                    return int(subprocess.run([node, option, script, module, recorder], check=True, capture_output=True).stdout)

                deepest = depth(plain)
                for name, (options, *least) in FORMS.items():
                    traced = os.path.join(folder, "traced.wasm")
                    subprocess.run([os.path.join(build, "bin/warpo-instrument"), "-q", "--all", *options,
                                    f"--instrumentation={name.split(', ')[0]}", plain, "-o", traced,
                                    f"--trace-point-mapping-file={traced}.map"], check=True, stderr=subprocess.DEVNULL)
                    how = ["baseline", "optimised"][code]
                    figures.add(f"Node {version}, {how}, {name}: depth", depth(traced) / deepest, "times", least[code], at_least=True)
    sys.exit(1 if figures.missed else 0)


if __name__ == "__main__":
    main()
