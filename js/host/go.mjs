// SPDX-License-Identifier: Apache-2.0
// Runs a module of Go's compiler, for `warpo record app.wasm`:
//
//   node go.mjs <Go's wasm_exec.js> <module> [arguments]
//
// Go's own script for Node supports only the versions of Node of its time: that of Go 1.19 fails in Node 20, where it
// assigns to a property that has become read-only.

import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [script, ...program] = process.argv.slice(2);
// Globals that wasm_exec.js expects; in Node they are modules.
Object.assign(globalThis, { fs, path, require: createRequire(import.meta.url) });
globalThis.crypto ??= crypto.webcrypto;
await import(pathToFileURL(script));

const go = new globalThis.Go();
go.argv = program;
go.env = { ...process.env };
go.exit = process.exit;
const { instance } = await WebAssembly.instantiate(fs.readFileSync(program[0]), go.importObject);
// Let Go detect a deadlock: if called once more while all goroutines wait, it reports them.
process.on("exit", (code) => {
  if (code !== 0 || go.exited) return;
  go._pendingEvent = { id: 0 };
  go._resume();
});
await go.run(instance);
