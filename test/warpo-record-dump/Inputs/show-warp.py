"""Shows a WARP record by nothing but its definition: the magic, then `module time id` a line."""
import struct
import sys

data = open(sys.argv[1], "rb").read()
print(data[:16].decode())
for entry in struct.iter_unpack("<QIi", data[16:]):
    print(*entry)
