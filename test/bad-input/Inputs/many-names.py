"""usage: many-names.py SLACK FORMAT...

Writes a profile of each format with millions of names, of which warpo-flamegraph has to say in bounded time and memory that they are too
many. SLACK times as much is allowed.
"""
import os
import subprocess
import sys

SLACK = int(sys.argv[1])


def texts(form):
    """The file, in pieces."""
    # More than the 4,194,304 that are read, and what the largest text of JSON has room for.
    numbers = range(4_300_000)
    if form == "folded":
        yield from (b"f%d 1\n" % i for i in numbers)
    elif form == "perf-script":
        yield from (b"a 1 2.5: 1 cycles:\n\t1f f%d (a)\n\n" % i for i in numbers)
    elif form == "speedscope":
        yield b'{"shared":{"frames":[{"name":"f"}'
        yield from (b',{"name":"f%d"}' % i for i in numbers)
        yield b']},"profiles":[{"type":"sampled","samples":[[0]],"weights":[1]}]}'
    elif form == "cpuprofile":
        yield b'{"samples":[1],"nodes":[{"id":-1,"callFrame":{"functionName":"(root)"}}'
        yield from (b',{"id":%d,"callFrame":{"functionName":"f%d"}}' % (i, i) for i in numbers)
        yield b"]}"
    elif form == "firefox":
        yield b'{"meta":{"preprocessedProfileVersion":55},"threads":[{"stringArray":[""'
        yield from (b',"f%d"' % i for i in numbers)
        close = b"]"
        for table, column in (b"funcTable", b"name"), (b"frameTable", b"func"), (b"stackTable", b"frame"):
            yield b'%s,"%s":{"%s":[0' % (close, table, column)
            yield from (b",%d" % i for i in numbers)
            close = b"]}"
        yield b'],"prefix":[null' + b",null" * len(numbers) + b']},"samples":{"stack":[0]}}]}'
    elif form == "chrome":
        yield b"["
        yield from (b'{"ph":"X","ts":%d,"dur":1,"name":"f%d"},\n' % (i, i) for i in numbers)
        yield b"]"
    else:
        # Numbers have four bytes each, and so all messages of a kind one size.
        low = [bytes([i & 127 | 128, i >> 7 | 128]) for i in range(1 << 14)]
        high = [bytes([i & 127 | 128, i >> 7]) for i in range(1 << 14)]
        yield from (b"\x32\x00\x32\x03cpu\x32\x05count", b"\x0a\x04\x08\x01\x10\x02")
        # A string with its function, location and sample.
        group = b"\x32\x08f%07d" b"\x2a\x0a\x08%b\x10%b" b"\x22\x0c\x08%b\x22\x05\x08%b" b"\x12\x07\x08%b\x10\x01"
        for i in numbers:
            # The number of the string too, of which three are there.
            id = low[i + 3 & 16383] + high[i + 3 >> 14]
            yield group % (i, id, id, id, id, id)


MOST = {"folded": 2000}
for form in sys.argv[2:]:
    with open("many", "wb") as file:
        file.writelines(texts(form))
    tool = subprocess.Popen(["warpo-flamegraph", f"--input-format={form}", "many", "-o", "out.svg"], stderr=subprocess.PIPE, text=True)
    message = tool.stderr.read()
    _, status, usage = os.wait4(tool.pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    print(form, os.path.getsize("many") >> 20, "MB:", seconds, "s,", usage.ru_maxrss >> 10, "MB", message, flush=True)
    assert os.waitstatus_to_exitcode(status) == 1 and "more than 4194304 " in message and message.count("\n") == 1, message
    assert seconds < 30 * SLACK and usage.ru_maxrss < MOST.get(form, 2500) * SLACK << 10
os.remove("many")
