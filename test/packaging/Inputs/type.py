"""Types the beginnings of command lines into a shell and prints what its Tab key makes of them.

usage: type.py SHELL SETUP < LINES

SETUP is a file for the shell to source. It binds Ctrl-X, which has the shell print LINE<the line so far>.
"""
import os
import pty
import sys

shell, setup = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    environment = {**os.environ, "TERM": "dumb", "PS1": "", "INPUTRC": "/dev/null"}
    options = ["--norc", "--noprofile"] if shell == "bash" else ["-f"]
    os.execvpe(shell, [shell, *options, "-i"], environment)

output = b""


def read_up_to(end):
    global output
    while end not in output:
        more = os.read(terminal, 65536)
        if not more:
            sys.exit(f"{shell} has ended: {output.decode()}")
        output += more
    before, _, output = output.partition(end)
    return before.decode()


os.write(terminal, f"source {setup}; echo 'rea''dy'\n".encode())
read_up_to(b"ready")
for line in sys.stdin:
    # Ctrl-U begins a new line.
    os.write(terminal, line.rstrip("\n").encode() + b"\t\x18")
    read_up_to(b"LINE<")
    print(f"<{read_up_to(b'>')}>")
    os.write(terminal, b"\x15")
os.kill(child, 9)
