#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check-cobertura.py FILE

Holds a file to what Cobertura's DTD says of elements, their order and their attributes, and sums to lines."""
import sys
import xml.etree.ElementTree as tree

RATES = {"line-rate", "branch-rate", "complexity"}
SUMS = {"lines-covered", "lines-valid", "branches-covered", "branches-valid"}
# Of each element: attributes that it must have, those that it may have, and what it holds: names in their order, with `*`
# for any number and `?` for one at most.
DTD = {
    "coverage": (RATES | SUMS | {"version", "timestamp"}, set(), ["sources?", "packages"]),
    "sources": (set(), set(), ["source*"]),
    "source": (set(), set(), []),
    "packages": (set(), set(), ["package*"]),
    "package": (RATES | {"name"}, set(), ["classes"]),
    "classes": (set(), set(), ["class*"]),
    "class": (RATES | {"name", "filename"}, set(), ["methods", "lines"]),
    "methods": (set(), set(), ["method*"]),
    "method": (RATES | {"name", "signature"}, set(), ["lines"]),
    "lines": (set(), set(), ["line*"]),
    "line": ({"number", "hits"}, {"branch", "condition-coverage"}, ["conditions*"]),
    "conditions": (set(), set(), ["condition*"]),
    "condition": ({"number", "type", "coverage"}, set(), []),
}


def check(element):
    required, optional, content = DTD[element.tag]
    given = set(element.keys())
    assert required <= given <= required | optional, (element.tag, given)
    children = [child.tag for child in element]
    for name in content:
        plain = name.rstrip("*?")
        count = 0
        while children and children[0] == plain and (count == 0 or name.endswith("*")):
            children.pop(0)
            count += 1
        assert count > 0 or name != plain, (element.tag, name)
    assert not children, (element.tag, children)
    for child in element:
        check(child)


root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "coverage"
check(root)
lines = root.findall("packages/package/classes/class/lines/line")
covered = sum(line.get("hits") != "0" for line in lines)
assert (root.get("lines-covered"), root.get("lines-valid")) == (str(covered), str(len(lines)))
assert float(root.get("line-rate")) == round(covered / len(lines), 4)
branches = [line.get("condition-coverage").split("(")[1].rstrip(")").split("/") for line in lines if line.get("branch") == "true"]
sums = [str(sum(int(pair[i]) for pair in branches)) for i in range(2)]
assert [root.get("branches-covered"), root.get("branches-valid")] == sums
print(f"{covered} of {len(lines)} lines, {sums[0]} of {sums[1]} branches")
