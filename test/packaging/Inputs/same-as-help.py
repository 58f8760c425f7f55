"""Checks that a tool's man page has the options that --help shows, with the same values and descriptions.

usage: same-as-help.py TOOL PAGE
"""
import re
import subprocess
import sys

tool, page = sys.argv[1:]
help = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
shown = []
for line in help.partition("OPTIONS:")[2].partition("EXAMPLES:")[0].splitlines():
    if match := re.match(r"  (-\S+(?: <[^>]*>)?) +- (.*)| {4}=(\S+) +-   (.*)", line):
        term, text, value, meaning = match.groups()
        shown.append([term or value, text or meaning])
    elif re.match(" {10}", line):
        shown[-1][1] += " " + line.strip()

roff = open(page).read().partition(".SH OPTIONS")[2].partition("\n.SH")[0]
for escape, text in (("\\fB", ""), ("\\fI", "<"), (r"\-", "-"), (r"\(aq", "'"), (r"\e", "\\"), (r"\&", "")):
    roff = roff.replace(escape, text)
written = []
for term, text in re.findall(r"\.TP\n(.*)\n(.*)", roff):
    # The values of a description have none of their own.
    if not text.startswith("."):
        bold, _, rest = term.partition(r"\fR")
        written.append([bold + rest.replace(r"\fR", ">"), text])
if not shown or shown != written:
    for pair in shown:
        print(*pair, sep="\t", file=sys.stderr) if pair not in written else None
    sys.exit(f"{page}: not what {tool} --help shows")
