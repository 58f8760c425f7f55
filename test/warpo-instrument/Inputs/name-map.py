"""Writes a source map that names the functions of a module: name-map.py in.wasm out.map NAME..."""

import json
import sys

from support.wasm import bodies

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def vlq(number):
    number = -number << 1 | 1 if number < 0 else number << 1
    text = ""
    while True:
        number, digit = number >> 5, number & 31
        text += DIGITS[digit | 32 if number else digit]
        if not number:
            return text


source, target, *names = sys.argv[1:]
entries, last = [], 0
for index, (offset, _) in zip(range(len(names)), bodies(open(source, "rb").read())):
    entries.append(vlq(offset - last) + "AAA" + vlq(1 if index else 0))
    last = offset
json.dump({"version": 3, "sources": ["app.c"], "names": names, "mappings": ",".join(entries)}, open(target, "w"))
