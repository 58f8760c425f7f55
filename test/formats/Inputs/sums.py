"""The sum of a profile's weights, read from files in many formats: sums.py FILE...

Prints `<format> <sum of the contexts' own weights>` for each file; the format is what the file is called, as in
`time.speedscope`. Formats with several weights have the shown one first. What a format rounds is rounded back. Nothing is
printed for a format that says no weight exactly, and a format that is not known here is an error.
"""
import base64
import csv
import gzip
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

from otlp.profiles import decoded
from support.leb128 import unsigned
from support.protobuf import fields, varints


def speedscope(text):
    profile = json.loads(text)["profiles"][0]
    assert len(profile["samples"]) == len(profile["weights"])
    assert profile["endValue"] == sum(profile["weights"])
    return sum(profile["weights"])


def html(text):
    packed = re.search(r'id="warpo-data">([^<]*)</script>', text)[1]
    data = gzip.decompress(base64.b64decode(packed))
    at = 0

    def number():
        nonlocal at
        value, at = unsigned(data, at)
        return value

    def part():
        nonlocal at
        length = number()
        at += length
        return data[at - length:at]

    first = json.loads(part())["weights"][0]
    columns = {}
    while at < len(data):
        name = part()
        columns[name] = [number() for _ in range(number())]
    assert str(sum(columns[b"self0"])) == first["total"]
    return sum(columns[b"self0"])


def cpuprofile(text):
    profile = json.loads(text)
    assert len(profile["samples"]) == len(profile["timeDeltas"])
    assert profile["startTime"] + sum(profile["timeDeltas"]) == profile["endTime"]
    return sum(profile["timeDeltas"])


def firefox(text):
    samples = json.loads(text)["threads"][0]["samples"]
    scale = 1_000_000 if samples["weightType"] == "tracing-ms" else 1
    return round(sum(weight * scale for weight in samples["weight"]))


def callgrind(text):
    selfs = re.findall(r"^fn=.*\n\d+ (\d+)", text, re.M)
    totals = re.findall(r"^(?:summary|totals): (\d+)", text, re.M)
    assert set(totals) == {str(sum(map(int, selfs)))}, totals
    return int(totals[0])


def table(text):
    rows = list(csv.reader(text.splitlines()))
    return sum(int(row[7]) for row in rows[1:])


def contexts(text):
    profile = json.loads(text)
    sums = sum(context["self"][0] for context in profile["contexts"])
    assert sums == profile["weights"][0]["total"]
    assert sums == sum(c["total"][0] for c in profile["contexts"] if c["caller"] is None)
    return sums


def folded(text):
    return sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())


def svg(text):
    return int(ElementTree.fromstring(text).get("data-total"))


def pprof(data):
    def numbered(message):
        return [(number, value) for number, value, _ in fields(message)]

    message = numbered(gzip.decompress(data))
    strings = [value for number, value in message if number == 6]
    types = [strings[dict(numbered(value))[1]] for number, value in message if number == 1]
    default = types.index(strings[dict(message)[14]])
    total = 0
    for number, sample in message:
        if number == 2:
            values = varints(dict(numbered(sample))[2])
            assert len(values) == len(types)
            total += values[default]
    return total


def opentelemetry(data):
    profile = data["resourceProfiles"][0]["scopeProfiles"][0]["profiles"][0]
    return sum(int(sample["values"][0]) for sample in profile.get("samples", []))


READERS = {"speedscope": speedscope, "html": html, "cpuprofile": cpuprofile, "firefox": firefox, "callgrind": callgrind,
           "csv": table, "json": contexts, "folded": folded, "svg": svg, "pprof": pprof,
           "otlp": lambda data: opentelemetry(decoded(data)), "otlp-json": lambda text: opentelemetry(json.loads(text))}
# For people's eyes; what is read by warpo alone, which is tested by reading it; and tables, which test/parquet reads.
WITHOUT_SUMS = {"dot", "parquet", "text", "warpo-profile"}
for path in sys.argv[1:]:
    kind = path.rsplit(".", 1)[1]
    if kind in WITHOUT_SUMS:
        continue
    data = open(path, "rb").read()
    print(kind, READERS[kind](data if kind in ("pprof", "otlp") else data.decode()))
