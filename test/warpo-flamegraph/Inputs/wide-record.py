"""Writes a record of many contexts with its mapping: wide-record.py CONTEXTS RECORD MAP.

Function 1 has a name of 100 000 characters, function 2 one that would end a script and has a NUL, a line separator and half a
surrogate in it. The other names are long and differ, as C++ has them.
"""
import random
import sys

contexts = int(sys.argv[1])
functions = 3000
rng = random.Random(1)

with open(sys.argv[3], "wb") as mapping:
    mapping.write(b"1 " + b"x" * 100_000 + b"\n")
    mapping.write(b'2 "</script><!--\0a\xe2\x80\xa8b\xed\xa0\x80c\'\n')
    for i in range(3, functions + 1):
        mapping.write(b"%d name::space%d::Class<int, Type%d>::method_%d(unsigned long, char const*)\n" % (i, i % 40, i * 7919 % 1000, i))

with open(sys.argv[2], "w") as record:
    time = made = 0
    stack = []
    # Of each open call which functions it has called.
    called = [set()]
    lines = ["warpo-record: 1", "entries:"]
    while made < contexts:
        time += rng.randrange(1, 5000)
        if stack and (len(stack) > 40 or rng.random() < 0.49):
            lines.append(f"  - [{time}, {-stack.pop()}]")
            called.pop()
            continue
        function = made + 1 if made < 2 else rng.randrange(1, functions + 1)
        if function in called[-1]:
            continue
        called[-1].add(function)
        made += 1
        stack.append(function)
        called.append(set())
        lines.append(f"  - [{time}, {function}]")
    while stack:
        time += 1
        lines.append(f"  - [{time}, {-stack.pop()}]")
    record.write("\n".join(lines) + "\n")
