// Makes modules of many sizes, up to several pieces of blake3.c, and prints `size hash` of each: blake3.mjs folder-of-js
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const { blake3 } = await import(new URL("recorder/modules/blake3.mjs", pathToFileURL(`${process.argv[2]}/`)));

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const PIECE = 1 << 18;

/** A module of so many bytes, at least 15: all but its head is a custom section, which has a number of four bytes for its size. */
function moduleOf(size) {
  const contents = size - HEAD.length - 5;
  const number = [0, 7, 14, 21].map((shift, i) => ((contents >> shift) & 0x7f) | (i < 3 ? 0x80 : 0));
  const head = [...HEAD, 0, ...number, 1, 0x78];
  const bytes = Uint8Array.from({ length: size }, (_, i) => head[i] ?? (i * 251 + (i >> 8)) & 0xff);
  return bytes;
}

const chunks = [1, 2, 3, 4, 5, 7, 8, 9, 31].map((count) => 1024 * count);
const pieces = [1, 2, 3, 4, 5].map((count) => PIECE * count);
const sizes = [...chunks, ...pieces].flatMap((size) => [size - 65, size - 64, size - 1, size, size + 1, size + 64]);
for (const size of [15, 63, 64, 65, 128, PIECE + 1024 * 3 + 7, PIECE * 3 + 1024 * 200 + 1000, ...sizes]) {
  fs.writeFileSync(`${size}.wasm`, moduleOf(size));
  console.log(size, Buffer.from(blake3(fs.readFileSync(`${size}.wasm`))).toString("hex"));
}
