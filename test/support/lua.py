"""Prints the sources of Lua that need nothing of the system, as examples/lua-guest names them: lua.py node_modules/lua-src/src"""

import os
import re
import sys

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/lua-guest")


def sources(folder):
    with open(os.path.join(EXAMPLE, "CMakeLists.txt")) as file:
        parts = re.search(r"set\(parts ([^)]*)\)", file.read())[1].split()
    return [f"{folder}/{part}.c" for part in parts]


if __name__ == "__main__":
    print("\n".join(sources(sys.argv[1])))
