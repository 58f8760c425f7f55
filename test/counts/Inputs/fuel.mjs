// SPDX-License-Identifier: Apache-2.0
// What a call of `run` burns, in a module that counts fuel and imports nothing: fuel.mjs module.wasm argument
import { readFileSync } from "node:fs";

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])));
exports.run(Number(process.argv[3]));
console.log(String(exports.__warpo_get_fuel()));
