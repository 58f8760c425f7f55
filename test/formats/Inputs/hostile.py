"""Writes a record and its mapping with a name for each trap of a profile format: hostile.py RECORD MAP."""
import sys

NAMES = [
    b"a;b",                            # ends a frame of a collapsed stack
    b"op 2",                           # reads as a second weight there
    b"# c",                            # a comment
    b" spaced ",
    b"tab\there",
    b"cr\rhere",
    b"(2) id",                         # a number of callgrind's
    b"fn=evil",
    b"(root)",                         # not functions for DevTools
    b"(idle)",
    b'quote"d',
    b"back\\slash\\",
    b"<b>&amp;</b>",
    b"</script><script>throw 1</script>",
    b"--><!--]]>",
    b"=1+1",                           # a formula for a spreadsheet
    b"comma, \"quoted\"",
    b"bad \xff utf-8",
    b"lone \xed\xa0\x80 surrogate",
    b"esc \x1b[31m",
    "line\u2028end".encode(),
    "not xml \ufffe".encode(),
    "\u00fcn\u00efc\u00f6de \U0001f525".encode(),
    b"x" * 300,
]
FIRST = 16777216

with open(sys.argv[2], "wb") as mapping:
    mapping.write(b"%d main\n" % FIRST)
    for i, name in enumerate(NAMES, FIRST + 1):
        mapping.write(b"%d %s\n" % (i, name))

# Heavier ones first, so that all readers show them in this order.
with open(sys.argv[1], "w") as record:
    record.write(f"warpo-record: 1\nentries:\n  - [0, {FIRST}]\n")
    time = 0
    for i in range(1, len(NAMES) + 1):
        record.write(f"  - [{time}, {FIRST + i}]\n")
        time += 1000 * (100 - i)
        record.write(f"  - [{time}, {-FIRST - i}]\n")
    record.write(f"  - [{time + 1000}, {-FIRST}]\n")
