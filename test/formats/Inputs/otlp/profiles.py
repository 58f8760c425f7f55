"""Reads and checks OpenTelemetry's profiles.

usage: profiles.py FILE.otlp FILE.otlp.json     prints the samples of the two, which have to say the same, and obey the rules

A profile of each weight: what it counts, its period, and a line for each sample: attributes and link in brackets, the stack with
the outermost frame first, the value.
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Fields of 64 bits, which JSON has as strings, and lists, which the text of a message has as repeated fields.
LONG = {"timeUnixNano", "durationNano", "period", "line", "column", "startLine", "address", "memoryStart", "memoryLimit", "fileOffset"}
LISTS = {
    "resourceProfiles", "scopeProfiles", "profiles", "samples", "attributes", "attributeIndices", "values", "timestampsUnixNano",
    "mappingTable", "locationTable", "functionTable", "linkTable", "stringTable", "attributeTable", "stackTable", "lines",
    "locationIndices",
}  # fmt: skip
# Lists of 64 bits.
LONG_LISTS = {"values", "timestampsUnixNano"}
IDS = {"traceId": 16, "spanId": 8}
TABLES = "mappingTable", "locationTable", "functionTable", "linkTable", "stringTable", "attributeTable", "stackTable"


def decoded(data):
    """A binary message, as JSON would have it."""
    command = ["protoc", f"-I{HERE}", "--decode=Request", "messages.proto"]
    text = subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode()
    top = {}
    open_messages = [top]
    # Stacks may have thousands of frames: the numbers of a list are taken at once.
    for line, name in re.findall(r"( *(\w+): \d+\n(?: *\2: \d+\n)+|.*\n)", text):
        if name in LISTS:
            numbers = line.replace(name + ":", "").split()
            open_messages[-1].setdefault(name, []).extend(map(str if name in LONG_LISTS else int, numbers))
            continue
        line = line.strip()
        if line == "}":
            open_messages.pop()
            continue
        name, _, rest = line.partition(" ")
        name = name.rstrip(":")
        assert not name.isdigit(), f"a field that the protocol does not have: {line}"
        if rest == "{":
            value = {}
            open_messages.append(value)
            holder = open_messages[-2]
        else:
            holder = open_messages[-1]
            value = ast.literal_eval("b" + rest) if rest.startswith('"') else int(rest)
            if name in IDS:
                value = value.hex()
            elif isinstance(value, bytes):
                value = value.decode()
            elif name in LONG | LONG_LISTS:
                value = str(value)
        if name in LISTS:
            holder.setdefault(name, []).append(value)
        else:
            assert name not in holder, f"two fields {name}"
            holder[name] = value
    return top


def same(values):
    return len({json.dumps(value, sort_keys=True) for value in values}) < len(values)


def references(value, name="", seen=None):
    """All indices in a message, by the table that they are into."""
    seen = {table: set() for table in TABLES} if seen is None else seen
    tables = {
        "stackIndex": "stackTable", "linkIndex": "linkTable", "mappingIndex": "mappingTable", "functionIndex": "functionTable",
        "locationIndices": "locationTable", "attributeIndices": "attributeTable",
    }  # fmt: skip
    if isinstance(value, dict):
        for key, inner in value.items():
            references(inner, key, seen)
    elif isinstance(value, list):
        for inner in value:
            references(inner, name, seen)
    elif name.endswith("Strindex"):
        seen["stringTable"].add(value)
    elif name in tables:
        seen[tables[name]].add(value)
    return seen


def check(data):
    """The rules of the protocol."""
    tables = data["dictionary"]
    for name in TABLES:
        table = tables[name]
        assert table[0] == ("" if name == "stringTable" else {}), f"{name} does not begin with the entry for none: {table[0]}"
        assert not same(table), f"{name} has an entry twice"
    for name, used in references(data).items():
        assert used <= set(range(len(tables[name]))), f"an index beyond the end of {name}"
        unused = set(range(1, len(tables[name]))) - used
        assert not unused, f"{name} has entries that nothing refers to: {sorted(unused)}"
    for link in tables["linkTable"][1:]:
        for name, size in IDS.items():
            assert re.fullmatch(f"[0-9a-f]{{{2 * size}}}", link[name]) and int(link[name], 16), f"no {name}: {link}"
    for location in tables["locationTable"][1:]:
        assert len(location["lines"]) == 1 and location["lines"][0]["functionIndex"], location
    for attribute in tables["attributeTable"][1:]:
        assert attribute["keyStrindex"] and attribute["value"], attribute
    for stack in tables["stackTable"][1:]:
        assert stack["locationIndices"] and 0 not in stack["locationIndices"], stack
    for resource in data["resourceProfiles"]:
        keys = [attribute["key"] for attribute in resource["resource"].get("attributes", [])]
        assert len(set(keys)) == len(keys) and "" not in keys, keys
        for scope in resource["scopeProfiles"]:
            assert scope["scope"]["name"] == "warpo"
            for profile in scope["profiles"]:
                check_profile(profile, tables)


def check_profile(profile, tables):
    assert profile["sampleType"]["typeStrindex"] and profile["sampleType"]["unitStrindex"]
    assert profile["periodType"]["typeStrindex"] and int(profile["period"]) > 0
    # A time without a duration is a profile of a moment; a duration without a time says nothing.
    assert "timeUnixNano" in profile or "durationNano" not in profile
    identities = []
    for sample in profile.get("samples", []):
        # Without times, a sample has the sum of what it stands for.
        assert len(sample["values"]) == 1 and "timestampsUnixNano" not in sample, sample
        assert 0 < int(sample["values"][0]) < 1 << 63, sample
        attributes = sample.get("attributeIndices", [])
        assert 0 not in attributes
        keys = [tables["attributeTable"][attribute]["keyStrindex"] for attribute in attributes]
        assert len(set(keys)) == len(keys), f"an attribute twice: {sample}"
        identities.append([sample.get("stackIndex", 0), sorted(attributes), sample.get("linkIndex", 0)])
    assert not same(identities), "two samples of the same stack, attributes and link"


class Tables:
    def __init__(self, data):
        self.tables = data["dictionary"]

    def string(self, index=0):
        return self.tables["stringTable"][index]

    def kind(self, kind):
        return f"{self.string(kind['typeStrindex'])} in {self.string(kind['unitStrindex'])}"

    def attributes(self, indices):
        table = self.tables["attributeTable"]
        return [f"{self.string(table[i]['keyStrindex'])}={table[i]['value']['stringValue']}" for i in indices]

    def frame(self, location):
        place = self.tables["locationTable"][location]
        line = place["lines"][0]
        function = self.tables["functionTable"][line["functionIndex"]]
        text = self.string(function["nameStrindex"])
        if "filenameStrindex" in function:
            text += f" {self.string(function['filenameStrindex'])}:{function.get('startLine', 0)}:{line.get('line', 0)}"
        module = self.tables["mappingTable"][place.get("mappingIndex", 0)]
        types = [attribute.partition("=")[2] for attribute in self.attributes(place.get("attributeIndices", []))]
        return text + "".join(f" ({word})" for word in [self.string(module.get("filenameStrindex", 0)), *types] if word)

    def sample(self, sample):
        beside = self.attributes(sample.get("attributeIndices", []))
        if link := self.tables["linkTable"][sample.get("linkIndex", 0)]:
            beside.append(f"{link['traceId']}/{link['spanId']}")
        stack = self.tables["stackTable"][sample.get("stackIndex", 0)].get("locationIndices", [])
        words = f"[{', '.join(beside)}] " if beside else ""
        return f"{words}{'; '.join(self.frame(location) for location in reversed(stack))}: {sample['values'][0]}"


def shown(data):
    tables = Tables(data)
    for resource in data["resourceProfiles"]:
        for attribute in resource["resource"].get("attributes", []):
            yield f"resource {attribute['key']}={attribute['value']['stringValue']}"
        for profile in resource["scopeProfiles"][0]["profiles"]:
            yield f"{tables.kind(profile['sampleType'])}, each {profile['period']} of {tables.kind(profile['periodType'])}"
            for sample in profile.get("samples", []):
                yield "  " + tables.sample(sample)


def main():
    binary, text = sys.argv[1:]
    data = decoded(pathlib.Path(binary).read_bytes())
    assert data == json.loads(pathlib.Path(text).read_text()), "the two files differ"
    check(data)
    print("\n".join(shown(data)))


if __name__ == "__main__":
    main()
