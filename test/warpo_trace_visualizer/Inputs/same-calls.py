"""Compares timelines of one record: each must show the same calls at the same times.

usage: same-calls.py RECORD.yaml TIMELINE...

The record must be a sound one. What it says is replayed without any of the tools. A timeline is called as its format.
"""
import json
import os
import re
import sys

ORIGIN = 2**32


def fail(what, *differing):
    for one, other in zip(*differing):
        if one != other:
            sys.exit(f"{what}: {one}, not {other}")
    sys.exit(f"{what}: {[len(part) for part in differing]} entries")


def replay(path):
    """Of each stream its begins and ends: (nanoseconds, name or None)."""
    streams, current = {}, None
    for line in open(path):
        if module := re.match(r"  - module: (\d+)", line):
            current = streams.setdefault(f"Module {module[1]}", [])
        elif entry := re.match(r"  - \[(\d+), (-?)(\d+)\]", line):
            current.append((int(entry[1]), None if entry[2] else f"function {entry[3]}"))
    return streams


def spans(events):
    """The stacks in time order, with the time that each spends on its own."""
    stack, last, result = [], 0, []
    for time, name in events:
        if stack and time > last:
            result.append((";".join(stack), time - last))
        last = time
        stack.append(name) if name else stack.pop()
    return result


def chrome(path):
    streams, names = {}, {}
    for event in json.load(open(path)):
        if event["name"] == "thread_name":
            streams[event["args"]["name"]] = names[event["tid"]] = []
        elif event["ph"] in "BE":
            events, time = names[event["tid"]], round(event["ts"] * 1000) - ORIGIN
            if events and event["ts"] < events[-1][2]:
                fail("chrome: times", [event["ts"]], [events[-1][2]])
            events.append((time, event["name"] if event["ph"] == "B" else None, event["ts"]))
    return {name: [event[:2] for event in events] for name, events in streams.items()}


def speedscope(path, first):
    file = json.load(open(path))
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    return {profile["name"]: [(event["at"] + first, frames[event["frame"]] if event["type"] == "O" else None)
                              for event in profile["events"]] for profile in file["profiles"]}


def firefox(path):
    file = json.load(open(path))
    strings, stacks = file["shared"]["stringArray"], file["shared"]["stackTable"]

    def text(stack):
        prefix = stacks["prefix"][stack]
        return ("" if prefix is None else text(prefix) + ";") + strings[stacks["frame"][stack]]

    return {thread["name"]: [(text(stack), round(weight * 1e6))
                             for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"])
                             if stack is not None] for thread in file["threads"]}


def folded(path):
    streams = {}
    for line in open(path):
        stream, stack, weight = re.fullmatch(r"(.*?);(.*) (\d+)\n", line).groups()
        streams.setdefault(stream.replace("#", ""), []).append((stack.replace("#", ""), int(weight)))
    return streams


record = replay(sys.argv[1])
first = min(events[0][0] for events in record.values())
calls_of = {"chrome": chrome, "speedscope-evented": lambda path: speedscope(path, first)}
spans_of = {"firefox-timeline": firefox, "folded-time": folded}
for path in sys.argv[2:]:
    what = os.path.basename(path)
    if what in calls_of:
        streams, expected = calls_of[what](path), record
    else:
        streams, expected = spans_of[what](path), {name: spans(events) for name, events in record.items()}
    for name in expected:
        if streams.get(name, []) != expected[name]:
            fail(f"{what}: {name}", streams.get(name, []), expected[name])
print(f"{sum(map(len, record.values()))} events of {len(record)} streams")
