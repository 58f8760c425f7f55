"""Writes what the `run:` steps of a GitHub job do, as one script: steps.py JOB.yml"""

import re
import sys
import textwrap

text = open(sys.argv[1]).read()
for step in re.findall(r"^ +run: \|\n((?: {10}.*\n)+)", text, re.MULTILINE):
    print(f"(\n{textwrap.dedent(step)}) || exit")
