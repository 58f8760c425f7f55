#!/usr/bin/env python3
"""Takes the commands and the quoted files of README.md out, for the tests that keep it true.

usage: readme-blocks.py script README        the ```sh blocks, as one script in which each begins at the root
       readme-blocks.py quotes README FILE   fails unless a block of README is FILE, word for word
"""
import re
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(action, readme, *files):
    with open(readme) as file:
        blocks = BLOCK.findall(file.read())
    if action == "script":
        for language, text in blocks:
            if language == "sh":
                print(f"(\n{text})")
        return 0
    for name in files:
        with open(name) as file:
            text = file.read()
        if not any(block == text for _, block in blocks):
            print(f"{readme}: error: no block is the text of {name}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
