"""Instruments modules of very many very small things, and checks what each thing costs in memory.

  peak-memory.py work-prefix [warpo-instrument's options...]

Prints a line for each kind: `within`, or the bytes that one thing takes beside its own bytes in the input and the output.
What a module without the things takes is not theirs.
"""

import os
import sys

from support.leb128 import encoded as leb
from support.wasm import section

COUNT = 500_000
HEADER = b"\0asm\1\0\0\0"


NULLARY = section(1, b"\1\x60\0\0")
ONE_FUNCTION = section(3, b"\1\0")
ONE_BODY = section(10, b"\1\2\0\x0b")

# What a module of `n` such things is, and how many bytes beside its own one may take.
KINDS = {
    "imports": (lambda n: NULLARY + section(2, leb(n) + b"\0\0\0\0" * n), 160),
    # Each has no name, and gets one of 26 bytes.
    "functions": (lambda n: NULLARY + section(3, leb(n) + b"\0" * n) + section(10, leb(n) + b"\2\0\x0b" * n), 320),
    "types": (lambda n: section(1, leb(n) + b"\x60\0\0" * n), 80),
    "exports": (lambda n: NULLARY + ONE_FUNCTION + section(7, leb(n) + b"\0\0\0" * n) + ONE_BODY, 40),
    "custom sections": (lambda n: b"\0\1\0" * n, 100),
    "hints": (lambda n: NULLARY + ONE_FUNCTION
              + section(0, b"\x19metadata.code.branch_hint" + b"\1\0" + leb(n) + b"\0\0" * n) + ONE_BODY, 20),
    "calls of an import": (lambda n: NULLARY + section(2, b"\1\0\0\0\0") + ONE_FUNCTION
                           + section(10, b"\1" + leb(2 + 2 * n) + b"\0" + b"\x10\0" * n + b"\x0b"), 20),
    "returns": (lambda n: NULLARY + ONE_FUNCTION
                + section(10, b"\1" + leb(2 + n) + b"\0" + b"\x0f" * n + b"\x0b"), 20),
}


def peak(module, prefix, options):
    """The largest resident set of instrumenting, without the bytes of the module before and after."""
    with open(prefix + ".wasm", "wb") as file:
        file.write(HEADER + module)
    process = os.posix_spawnp("warpo-instrument", ["warpo-instrument", "-q", prefix + ".wasm", "-o", prefix + ".out.wasm",
                                                   "--trace-point-mapping-file", prefix + ".map", *options], os.environ)
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{' '.join(options)}: exit status {status}")
    return usage.ru_maxrss * 1024 - os.path.getsize(prefix + ".wasm") - os.path.getsize(prefix + ".out.wasm")


def main():
    prefix, *options = sys.argv[1:]
    for name, (module, limit) in KINDS.items():
        each = (peak(module(COUNT), prefix, options) - peak(module(1), prefix, options)) / COUNT
        print(f"{name}: {'within' if each <= limit else f'{each:.0f} bytes, more than {limit}'}")


main()
