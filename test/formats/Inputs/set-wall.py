"""Sets in a record of the format warpo when it began, in ns since 1970: set-wall.py RECORD NANOSECONDS"""
import struct
import sys


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


path, wall = sys.argv[1:]
data = bytearray(open(path, "rb").read())
block, payload = 8, 24
size = struct.unpack_from("<I", data, block + 8)[0]
struct.pack_into("<Q", data, payload + 4 * 8, int(wall))
struct.pack_into("<I", data, block + 12, crc32c(data[block + 4:block + 12] + data[payload:payload + size]))
open(path, "wb").write(data)
