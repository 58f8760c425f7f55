"""Whether a timeline follows the grammar of its format: well-formed.py FORMAT FILE

A format that is not known here is an error.
"""
import base64
import gzip
import json
import pathlib
import re
import sys
import xml.dom.minidom

from support import protobuf


def folded(data):
    for line in data.decode().splitlines():
        assert re.fullmatch(r"[^;]+;.* \d+", line), line


def packets(data):
    assert all(number == 1 for number, _, _ in protobuf.fields(data))


def page(data):
    for part in ("data", "timeline"):
        packed = re.search(rf'id="warpo-{part}">([^<]*)</script>', data.decode())[1]
        assert gzip.decompress(base64.b64decode(packed))


def parquet(data):
    assert data[:4] == data[-4:] == b"PAR1" and int.from_bytes(data[-8:-4], "little") <= len(data) - 12


GRAMMARS = {"chrome": json.loads, "firefox-timeline": json.loads, "speedscope-evented": json.loads,
            "html": page, "flamechart": xml.dom.minidom.parseString, "folded-time": folded, "perfetto": packets,
            "parquet": parquet}
GRAMMARS[sys.argv[1]](pathlib.Path(sys.argv[2]).read_bytes())
