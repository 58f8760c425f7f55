"""usage: check-line-formats.py STACKS CALLGRIND CPUPROFILE FIREFOX: whether they have as many samples in each line as collapsed STACKS of lines."""
import collections
import json
import sys

stacks, callgrind, cpuprofile, firefox = map(open, sys.argv[1:])
expected = collections.Counter()
for stack in stacks:
    frames, samples = stack.rsplit(" ", 1)
    expected[frames.rsplit(";", 1)[-1]] += int(samples)


def compare(name, found):
    if +found != expected:
        sys.exit(f"{name}: {found}\nis not {expected}")


# Costs of the functions themselves; those behind `calls=` are of calls.
found, names, file, is_call, column = collections.Counter(), {}, None, False, 0
for line in callgrind:
    key, _, value = line.strip().partition("=")
    if line.startswith("events:"):
        column = line.split().index("samples")
    elif key in ("fl", "fi", "fe", "cfi"):
        number, _, text = value.partition(" ")
        names.setdefault(number, text)
        if key != "cfi":
            file = names[number]
    elif key == "calls":
        is_call = True
    elif line[:1].isdigit():
        if not is_call:
            fields = line.split()
            found[f"{file}:{fields[0]}"] += int(fields[column])
        is_call = False
compare("callgrind", found)

found = collections.Counter()
for node in json.load(cpuprofile)["nodes"]:
    for tick in node.get("positionTicks", []):
        found[f"{node['callFrame']['url']}:{tick['line']}"] += tick["ticks"]
    assert node["hitCount"] == sum(tick["ticks"] for tick in node.get("positionTicks", []))
compare("cpuprofile", found)

profile = json.load(firefox)
shared, thread = profile["shared"], profile["threads"][0]
frames, functions, strings = shared["frameTable"], shared["funcTable"], shared["stringArray"]
found = collections.Counter()
for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
    frame = shared["stackTable"]["frame"][stack]
    source = functions["source"][frames["func"][frame]]
    found[f"{strings[shared['sources']['filename'][source]]}:{frames['line'][frame]}"] += weight
compare("firefox", found)
print("the same lines")
