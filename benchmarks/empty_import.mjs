// SPDX-License-Identifier: Apache-2.0
// node empty_import.mjs MODULE [EXPORT]: runs a program for WASI, or one of its exports, with an empty function where heaps are told: what calling it costs.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, entry] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1" });
const imports = {
  ...wasi.getImportObject(),
  builtin: { heap() {} },
  env: {
    abort() {
      throw new Error("abort");
    },
  },
};
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), imports);
if (entry === undefined) wasi.start(instance);
else instance.exports[entry]();
