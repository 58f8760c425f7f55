"""make-names.py MODULE MAP RECORD [tags]: a module whose functions have names that wasm2c has to change, or that clash with each
other and with what else has names; a mapping of them; and a record in which all of them run, from the first on. `tags`: tags clash with them too."""

import sys

from support.leb128 import encoded as leb
from support.leb128 import sized, text
from support.wasm import section

NAMES = [
    "dup", "dup", "a\nb", "", "g0", "memory", "glob", "", "T0", "dup_0", "M0", "9x", "$d", "$$d", "f8", "", "w2c_x", "_y",
    "e0", "d0", "dup.1", "env.h", "table", "d\u00e9j\u00e0", "Array<i32>#push", "a_b", "#lead", "std::f(int)",
]


module_file, map_file, record_file = sys.argv[1:4]
tags = sys.argv[4:] == ["tags"]
count = leb(len(NAMES))
named = [leb(i + 1) + text(name) for i, name in enumerate(NAMES) if name]
with open(module_file, "wb") as module:
    module.write(b"\0asm\1\0\0\0" + section(1, leb(1) + b"\x60\0\0"))
    module.write(section(2, leb(2) + text("env") + text("h") + b"\0\0" + text("env") + text("g") + b"\3\x7f\0"))
    module.write(section(3, count + b"\0" * len(NAMES)) + section(4, b"\1\x70\0\1") + section(5, b"\1\0\1"))
    if tags:
        module.write(section(13, leb(2) + b"\0\0" * 2))
    module.write(section(6, leb(2) + b"\x7f\0\x41\0\x0b" * 2))
    module.write(section(7, leb(3) + text("memory") + b"\2\0" + text("exp!") + b"\0\4" + text("table") + b"\1\0"))
    module.write(section(9, b"\1\0\x41\0\x0b\1\1") + section(10, count + b"\2\0\x0b" * len(NAMES)))
    module.write(section(11, b"\1\0\x41\0\x0b\1x"))
    names = b"\1" + sized(leb(len(named)) + b"".join(named)) + b"\7" + sized(leb(1) + leb(1) + text("glob"))
    if tags:
        names += b"\x0a" + sized(leb(1) + leb(0) + text("a_b"))
    module.write(section(0, text("name") + names))
with open(map_file, "w", encoding="utf-8") as mapping, open(record_file, "w", encoding="utf-8") as record:
    record.write("warpo-record: 1\nentries:\n")
    for i, name in enumerate(NAMES):
        # As warpo-instrument calls them: by name, by export, by index.
        name = name or ("exp!" if i == 3 else f"func[{i + 1}]")
        mapping.write(f"{i + 1} {name}\n".replace("\nb", " b"))
        record.write(f"  - [{i}, {i + 1}]\n  - [{i}, {-i - 1}]\n")
