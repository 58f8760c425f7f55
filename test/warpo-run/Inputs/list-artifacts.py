"""Lists artifacts in a module: list-artifacts.py in.wasm out.wasm ARTIFACT...

An artifact is FORMAT|EXTENSION|DESCRIPTION|HEAD|ACCESS, where the access is one of
  memory,NAME,OFFSET,SIZE   function,NAME,i32|i64,COUNT   globals,i32|i64,NAME...
A last argument --raw=HEX is the section's contents instead.
"""
import sys

from support.leb128 import encoded as leb
from support.leb128 import text as name
from support.wasm import custom_section


def encode(artifact):
    *names, access = artifact.split("|")
    kind, *parts = access.split(",")
    types = {"i32": b"\x7f", "i64": b"\x7e", "f64": b"\x7c"}
    encoded = b"".join(map(name, names))
    if kind == "memory":
        return encoded + b"\0" + name(parts[0]) + leb(int(parts[1])) + leb(int(parts[2]))
    if kind == "function":
        return encoded + b"\1" + name(parts[0]) + types[parts[1]] + leb(int(parts[2]))
    return encoded + b"\2" + types[parts[0]] + leb(len(parts) - 1) + b"".join(map(name, parts[1:]))


source, target, *artifacts = sys.argv[1:]
contents = b"\1" + leb(len(artifacts)) + b"".join(
    encode(artifact) for artifact in artifacts if not artifact.startswith("--raw="))
if artifacts[-1].startswith("--raw="):
    contents = bytes.fromhex(artifacts[-1][6:])
with open(source, "rb") as file:
    module = file.read()
with open(target, "wb") as file:
    file.write(module + custom_section("warpo.artifacts", contents))
