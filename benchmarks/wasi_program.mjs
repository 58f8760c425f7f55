// SPDX-License-Identifier: Apache-2.0
// Runs a WASI program with nothing of ours: wasi_program.mjs program.wasm [arguments]

import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args });
const { instance } = await WebAssembly.instantiate(readFileSync(args[0]), {
  ...wasi.getImportObject(),
  env: { abort: () => process.exit(1) },
});
wasi.start(instance);
