"""Whether a timeline follows the grammar of its format: well-formed.py FORMAT FILE

A format that is not known here is an error.
"""
import json
import pathlib
import re
import sys
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import protobuf


def folded(data):
    for line in data.decode().splitlines():
        assert re.fullmatch(r"[^;]+;.* \d+", line), line


def packets(data):
    assert all(number == 1 for number, _, _ in protobuf.fields(data))


GRAMMARS = {"chrome": json.loads, "firefox-timeline": json.loads, "speedscope-evented": json.loads,
            "flamechart": xml.dom.minidom.parseString, "folded-time": folded, "perfetto": packets}
GRAMMARS[sys.argv[1]](pathlib.Path(sys.argv[2]).read_bytes())
