// node save-dump.mjs MODULE DUMP EXPORT...: calls the exports, then writes the memory that first executions are in.

import { readFileSync, writeFileSync } from "node:fs";

const [module, dump, ...calls] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module));
for (const name of calls) instance.exports[name]();
writeFileSync(dump, new Uint8Array(instance.exports.__warpo_order_dump.buffer));
