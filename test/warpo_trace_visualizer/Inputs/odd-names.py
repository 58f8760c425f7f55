"""Writes a mapping of names that some reader of timelines could trip over, and a record that calls each for 10 ns.

usage: odd-names.py MAP RECORD
"""
import sys

NAMES = [
    b"main",
    b"a;b",
    b'quote " apostrophe \' backslash \\',
    b"</script> ]]> <g> & &amp;",
    b"op 2",
    b"op 2.5",
    b"(12) id",
    b"#comment",
    b":ir,x",
    b" spaces ",
    b"",
    b"tab\tand\rreturn",
    b"escape \x1b[31m bell \x07 delete \x7f",
    b"not UTF-8: \xff \xc3",
    b"lone surrogate \xed\xa0\x80",
    "next\u0085line\u2028and\u2029paragraph \ufffe".encode(),
    "na\u00efve \u2713 \U0001d11e".encode(),
    b"x" * 5000,
    b"same",
    b"same",
]

with open(sys.argv[1], "wb") as out:
    for i, name in enumerate(NAMES):
        out.write(b"%d %s\n" % (i + 1, name))
with open(sys.argv[2], "w") as out:
    print("warpo-record: 1\nentries:\n  - [0, 1]", file=out)
    for i in range(1, len(NAMES)):
        print(f"  - [{20 * i}, {i + 1}]\n  - [{20 * i + 10}, -{i + 1}]", file=out)
    print(f"  - [{20 * len(NAMES)}, -1]", file=out)
