// SPDX-License-Identifier: Apache-2.0
// Runs a module of Go's compiler, for `warpo record app.wasm`: node go.mjs <Go's wasm_exec.js> <module> [arguments]
//
// Go has a script for that too. Each version of it goes with some versions of Node: that of Go 1.19 ends in Node 20, where it wants to
// set what has become constant.

import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [script, ...program] = process.argv.slice(2);
// What a page does not have, and Node has as modules alone.
Object.assign(globalThis, { fs, path, require: createRequire(import.meta.url) });
globalThis.crypto ??= crypto.webcrypto;
await import(pathToFileURL(script));

const go = new globalThis.Go();
go.argv = program;
go.env = { ...process.env };
go.exit = process.exit;
const { instance } = await WebAssembly.instantiate(fs.readFileSync(program[0]), go.importObject);
// Goroutines that all wait for each other: Go finds that out, and says it, when it is called once more.
process.on("exit", (code) => {
  if (code !== 0 || go.exited) return;
  go._pendingEvent = { id: 0 };
  go._resume();
});
await go.run(instance);
