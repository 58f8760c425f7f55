"""Adds a custom section to a module: add-section.py in.wasm out.wasm position name hex-bytes

`position` counts sections: 0 is before the first, -1 behind the last.
"""

import sys

from support.wasm import custom_section, sections

source, target, position, name, contents = sys.argv[1:]
module = open(source, "rb").read()
parts = [module[begin:end] for _, _, begin, _, end in sections(module)]
parts.insert(len(parts) if position == "-1" else int(position), custom_section(name, bytes.fromhex(contents)))
open(target, "wb").write(module[:8] + b"".join(parts))
