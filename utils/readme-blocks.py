#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the commands and the quoted files of README.md out, for the tests that keep it true.

usage: readme-blocks.py script README [LINK]  the ```sh blocks, as one script in which each begins at the root; only those
                                              below the heading that links to LINK
       readme-blocks.py quotes README FILE    fails unless a block of README is FILE, word for word but for the
                                              line that names its licence
"""
import re
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LICENCE = re.compile(r"^.*SPDX-License-Identifier:.*\n", re.MULTILINE)
HEADING = re.compile(r"^#+ ", re.MULTILINE)


def below(text, link):
    """What stands below the heading with this link; the program ends if there is none."""
    sections = [section for section in HEADING.split(text) if f"]({link})" in section.partition("\n")[0]]
    if len(sections) != 1:
        sys.exit(f"error: {len(sections)} headings link to {link}")
    return sections[0]


def main(action, readme, *files):
    with open(readme) as file:
        text = file.read()
    if action == "script":
        for language, text in BLOCK.findall(below(text, *files) if files else text):
            if language == "sh":
                print(f"(\n{text})")
        return 0
    for name in files:
        with open(name) as file:
            quoted = LICENCE.sub("", file.read())
        if not any(block == quoted for _, block in BLOCK.findall(text)):
            print(f"{readme}: error: no block is the text of {name}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
