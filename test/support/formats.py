"""The formats that a tool lists, for tests of all of them: formats.py TOOL [but NAME...]

Prints the names, one a line, without those after `but`. It fails if the tool does not list one of these, or if nothing is
left: a test of no format must not pass. For the same reason its output goes into a variable first, since a loop does not
see that the command that lists its words has failed:

  RUN: formats=$(%formats warpo-flamegraph but dot)
  RUN: for format in $formats; do ...; done
"""
import subprocess
import sys

tool, *rest = sys.argv[1:]
if rest and rest.pop(0) != "but":
    sys.exit(__doc__)
listing = subprocess.run([tool, "--list-formats"], capture_output=True, text=True, check=True).stdout
names = [line.split(" - ")[0] for line in listing.splitlines()]
for name in rest:
    if name not in names:
        sys.exit(f"formats.py: {tool} lists no '{name}'")
    names.remove(name)
if not names:
    sys.exit(f"formats.py: {tool} lists nothing else")
print(*names, sep="\n")
