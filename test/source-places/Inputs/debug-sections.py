"""usage: debug-sections.py MODULE COMPANION: writes a module of MODULE's debug sections alone."""
import pathlib
import sys

import places
from support.leb128 import sized


module, companion = map(pathlib.Path, sys.argv[1:])
companion.write_bytes(b"\0asm\1\0\0\0" + b"".join(
    b"\0" + sized(sized(name.encode()) + contents)
    for _, name, contents, _ in places.sections(module.read_bytes()) if name.startswith(".debug_")))  # fmt: skip
