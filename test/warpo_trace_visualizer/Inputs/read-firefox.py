"""Reads a processed profile of the Firefox Profiler, version 61, as strictly as its description is.

usage: read-firefox.py FILE

Checks that every column of every table has the table's length, that indices point to something, that a stack comes after
the one it grew from, and that samples are in time order. Prints of each thread its samples, `start weight stack`, and its
markers, `start..end name data`, in microseconds.
"""
import json
import sys


def check(condition, message):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {message}")


def table(parent, name, columns):
    result = parent[name]
    for column in columns:
        check(len(result[column]) == result["length"], f"{name}.{column} is not of length {result['length']}")
    return result


def indices(values, count, what, optional=False):
    for value in values:
        fits = value is None and optional or isinstance(value, int) and 0 <= value < count
        check(fits, f"{what}: {value} is not below {count}")


def micros(milliseconds):
    return f"{milliseconds * 1000:.3f}"


profile = json.load(open(sys.argv[1], encoding="utf-8"))
meta, shared = profile["meta"], profile["shared"]
check(meta["preprocessedProfileVersion"] == 61, "not version 61")
check(meta["interval"] > 0, "no interval")
check(any(c["name"] == "Other" and c["color"] == "grey" for c in meta["categories"]), "no category Other")
schemas = {schema["name"]: {field["key"] for field in schema["fields"]} for schema in meta["markerSchema"]}

strings = shared["stringArray"]
check(all(isinstance(string, str) for string in strings), "stringArray")
functions = table(shared, "funcTable", "name isJS relevantForJS resource source lineNumber columnNumber".split())
frames = table(shared, "frameTable", "address inlineDepth category subcategory func nativeSymbol innerWindowID line "
               "column".split())
stacks = table(shared, "stackTable", ["frame", "prefix"])
table(shared, "resourceTable", ["lib", "name", "host", "type"])
table(shared, "nativeSymbols", ["libIndex", "address", "name", "functionSize"])
table(shared, "sources", ["filename"])
indices(functions["name"], len(strings), "funcTable.name")
indices(frames["func"], functions["length"], "frameTable.func")
indices(frames["category"], len(meta["categories"]), "frameTable.category")
indices(stacks["frame"], frames["length"], "stackTable.frame")
for i, prefix in enumerate(stacks["prefix"]):
    indices([prefix], i, f"stackTable.prefix of {i}", optional=True)


def stack_text(stack):
    names = []
    while stack is not None:
        names.append(strings[functions["name"][frames["func"][stacks["frame"][stack]]]])
        stack = stacks["prefix"][stack]
    return ";".join(reversed(names)) or "-"


for thread in profile["threads"]:
    check(isinstance(thread["pid"], str), "pid is no string")
    samples = table(thread, "samples", ["stack", "time", "weight"])
    check(samples["weightType"] in ("tracing-ms", "samples"), "weightType")
    indices(samples["stack"], stacks["length"], "samples.stack", optional=True)
    check(samples["time"] == sorted(samples["time"]), "samples are not in time order")
    print(f"thread {thread['name']}: {micros(thread['registerTime'])}..{micros(thread['unregisterTime'])}, "
          f"total {micros(sum(samples['weight']))}")
    for stack, time, weight in zip(samples["stack"], samples["time"], samples["weight"]):
        print(f"  {micros(time)} {micros(weight)} {stack_text(stack)}")
    markers = table(thread, "markers", ["name", "startTime", "endTime", "phase", "category", "data"])
    indices(markers["name"], len(strings), "markers.name")
    indices(markers["category"], len(meta["categories"]), "markers.category")
    for i in range(markers["length"]):
        data = dict(markers["data"][i])
        kind = data.pop("type")
        check(set(data) <= schemas[kind], f"marker {i}: {data} has fields that its schema does not know")
        check(markers["phase"][i] == 1, f"marker {i} is no interval")
        print(f"  {kind} {micros(markers['startTime'][i])}..{micros(markers['endTime'][i])} "
              f"{strings[markers['name'][i]]}", *(f"{key}={value}" for key, value in data.items()))
