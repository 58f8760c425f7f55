"""Checks that a flame graph has the weights of collapsed stacks: same-sums.py FOLDED SVG."""
import sys
import xml.etree.ElementTree as ElementTree

folded = sum(int(line.rsplit(" ", 1)[1]) for line in open(sys.argv[1]))
svg = ElementTree.parse(sys.argv[2]).getroot()
frames = [element for element in svg.iter("{http://www.w3.org/2000/svg}g") if "data-self" in element.attrib]
total = int(svg.get("data-total"))
drawn = sum(int(frame.get("data-self")) for frame in frames)
assert folded == total, (folded, total)
# What is too narrow even as a remainder is not drawn at all; here that is little.
assert total * 0.99 <= drawn <= total, (total, drawn)

ends = {}
for frame in frames:
    level, start, weight = (int(frame.get(f"data-{key}")) for key in ("level", "start", "weight"))
    assert start >= ends.get(level, 0), "frames overlap"
    assert level == 0 or start + weight <= ends[level - 1], "a frame reaches beyond its caller"
    ends[level] = start + weight
