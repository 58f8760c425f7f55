// SPDX-License-Identifier: Apache-2.0
// A hash of a function's code, for finding it in another build: the same as wasm::hashBody().

import { blake3 } from "./blake3.mjs";
import { WasmReader } from "./wasm-reader.mjs";

/** Constants and offsets from here on may be addresses of data, which move with all that is in front of it. */
const FIRST_ADDRESS = 1024;

// What an immediate is, and how it is read. A capital letter: it says where something stands in the module, or may.
const READ = {
  n: (code) => code.number(),
  N: (code) => code.number(),
  b: (code) => code.byte(),
  w: (code) => code.slice(4),
  d: (code) => code.slice(8),
  q: (code) => code.slice(16),
  l: (code) => readTimes(code, code.number() + 1, "n"),
  T: readType,
  V: (code) => readTimes(code, code.number(), "T"),
  // Clauses of try_table, and of resume: tags and labels.
  C: (code) => readClauses(code, { 0: "NN", 1: "NN", 2: "N", 3: "N" }),
  H: (code) => readClauses(code, { 0: "NN", 1: "N" }),
  m: readAccess,
};

/** Of each opcode its immediates, by the letters of READ. */
const ONE_BYTE = opcodes({
  "": "0-1 5 a-b f 19-1b 45-c4 d1 d3-d4",
  n: "9 c-d 18 20-22 d5-d6",
  N: "7-8 10 12 14-15 23-26 3f-40 d2 e0 e2",
  NN: "11 13 e1 e6",
  s: "41-42",
  w: "43",
  d: "44",
  l: "e",
  T: "2-4 6 d0",
  V: "1c",
  TC: "1f",
  NH: "e3 e5",
  NNH: "e4",
  m: "28-3e",
});
const PREFIXED = {
  0xfb: opcodes({
    "": "f 1a-1f 83 85 88-89 8b 98 9a 9c a8-a9 b1 b3-b4 b6",
    n: "82",
    N: "0-1 6-7 b-e 10 20-22",
    NN: "2-5 8-a 11-13",
    T: "14-17 23-24",
    bnTT: "18-19 25-26",
  }),
  0xfc: opcodes({ "": "0-7 13-16", N: "9 b d f-11", NN: "8 a c e", m: "30-31" }),
  0xfd: opcodes({
    "": "e-14 23-53 5e-99 9b-a1 a3-a4 a7-ae b1 b5-ba bc-c1 c3-c4 c7-ce d1 d5-e1 e3-ed ef-113 120 130-14b 14e-14f",
    b: "15-22 121-122",
    q: "c-d",
    m: "0-b 5c-5d",
    mb: "54-5b",
  }),
  0xfe: opcodes({ "": "4 6-7", b: "3", m: "0-2 10-4e", NN: "5", bNN: "5c-66", bN: "67-71" }),
};

function opcodes(ranges) {
  const table = new Map();
  for (const [immediates, list] of Object.entries(ranges))
    for (const range of list.split(" ")) {
      const [first, last = first] = range.split("-").map((digits) => parseInt(digits, 16));
      for (let opcode = first; opcode <= last; ++opcode) table.set(opcode, immediates);
    }
  return table;
}

function readTimes(code, count, kind) {
  for (; count > 0; --count) READ[kind](code);
}

// Exact, a reference to null or not, shared.
const TYPE_PREFIXES = [0x62, 0x63, 0x64, 0x65];

/** A value type, a heap type, or a block's. */
function readType(code) {
  while (TYPE_PREFIXES.includes(code.bytes[code.at])) code.byte();
  code.number();
}

function readClauses(code, forms) {
  for (let count = code.number(); count > 0; --count)
    for (const kind of forms[code.byte()]) READ[kind](code);
}

function readAccess(code) {
  const flags = code.number();
  if (flags & 0x40) code.number(); // the memory
  if (flags & 0x10) code.byte(); // the order
  if (flags & 0x20) code.number(); // the array's type
  code.number();
}

/** Whether any number in these bytes may be an address. */
function hasAddress(bytes) {
  const numbers = new WasmReader(bytes);
  while (!numbers.done) if (numbers.number() >= FIRST_ADDRESS) return true;
  return false;
}

/** Passes the number of i32.const or i64.const; whether it may be an address. */
function readConstant(code) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = code.byte();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    if (byte & 0x40) value -= 1n << (shift + 7n);
    return value >= FIRST_ADDRESS || value <= -FIRST_ADDRESS;
  }
}

/** Passes the immediates of an instruction; whether they stay as they are from build to build. */
function readImmediates(code, kinds) {
  if (kinds === "s") return !readConstant(code);
  const begin = code.at;
  for (const kind of kinds) READ[kind](code);
  if (kinds.startsWith("m")) return !hasAddress(code.bytes.subarray(begin, code.at));
  return kinds === kinds.toLowerCase();
}

/**
 * 16 hexadecimal digits for a body of a valid module, from its local declarations on; undefined if it has unknown
 * instructions.
 */
export function hashBody(body) {
  const code = new WasmReader(body);
  const kept = new Uint8Array(body.length);
  let size = 0;
  for (let locals = code.number(); locals > 0; --locals) {
    code.number();
    readType(code);
  }
  while (!code.done) {
    const begin = code.at;
    const opcode = code.byte();
    const kinds = opcode in PREFIXED ? PREFIXED[opcode].get(code.number()) : ONE_BYTE.get(opcode);
    if (kinds === undefined) return undefined;
    const immediates = code.at;
    const end = readImmediates(code, kinds) ? code.at : immediates;
    kept.set(body.subarray(begin, end), size);
    size += end - begin;
  }
  const hash = blake3(kept.subarray(0, size));
  return new DataView(hash.buffer).getBigUint64(0, true).toString(16).padStart(16, "0");
}
