// Runs a module that keeps first executions, and shows what it exports: a memory, or a function that gives ranks.
//
//   node order-dump.mjs module.wasm mapping export

import { readFileSync } from "node:fs";

const [path, mapping, main] = process.argv.slice(2);
const names = new Map(readFileSync(mapping, "utf8").split("\n").filter(Boolean).map((line) => {
  const [, id, name] = /^(\d+) (.*)$/.exec(line);
  return [+id, name];
}));
const told = [];
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)),
                                             { builtin: { tracePoint: (id) => told.push(id) }, env: { f() {} } });
exports[main]();

if (exports.__warpo_order_rank) {
  const numbers = [...Array(names.size).keys()];
  const ranks = numbers.map((number) => `${names.get(0x1000000 + number)}=${exports.__warpo_order_rank(number)}`);
  console.log(`ranks: ${ranks.join(" ")}; behind: ${[names.size, -1].map(exports.__warpo_order_rank)}`);
  if (told.length) console.log(`told: ${told.join(" ")}`);
  process.exit();
}
const bytes = new Uint8Array(exports.__warpo_order_dump.buffer);
const view = new DataView(bytes.buffer);
const u32 = (at) => view.getUint32(at, true);
const [version, capacity, firstId, functions, logged] = [8, 12, 24, 28, 32].map(u32);
const magic = String.fromCharCode(...bytes.subarray(0, 8));
console.log(`${magic} version ${version}, module ${view.getBigUint64(16, true).toString(16)}, ` +
            `${functions} functions from ${firstId}, capacity ${capacity}`);
const entries = [];
for (let i = Math.max(0, logged - capacity); i < logged; i++) entries.push(names.get(u32(40 + (i % capacity) * 4)));
console.log([`logged ${logged}:`, ...entries].join(" "));
const ran = [];
for (let i = 0; i < functions; i++)
  if (bytes[40 + 4 * capacity + (i >> 3)] & (1 << (i & 7))) ran.push(names.get(firstId + i));
console.log(`ran: ${ran.join(" ")}`);
if (told.length) console.log(`told: ${told.join(" ")}`);
