// SPDX-License-Identifier: Apache-2.0
// Instruments every WebAssembly module that a Node program loads, on the way:
//
//   WARPO_INSTRUMENT="--instrumentation=trace,fuel,traps" node --import warpo/register --import ./instrument-on-load.mjs app.mjs
//
// Without that variable: trace,traps. It stands behind warpo/register, so that the recorder sees the instrumented bytes.
// warpo-instrument is taken from the PATH. With WARPO_INSTRUMENT_FOLDER each module's bytes are kept there: `0.wasm`,
// `0.traced.wasm`, and so on.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const options = (process.env.WARPO_INSTRUMENT ?? "--instrumentation=trace,traps").split(" ").filter(Boolean);
const kept = process.env.WARPO_INSTRUMENT_FOLDER;
let modules = 0;

function instrument(bytes) {
  const folder = kept ?? mkdtempSync(join(tmpdir(), "warpo-"));
  const [plain, traced] = [join(folder, `${modules}.wasm`), join(folder, `${modules}.traced.wasm`)];
  ++modules;
  writeFileSync(plain, bytes);
  execFileSync("warpo-instrument", ["-q", "--all", ...options, plain, "-o", traced,
    "--trace-point-mapping-file", join(folder, "map")], { stdio: ["ignore", "inherit", "ignore"] });
  const result = readFileSync(traced);
  if (!kept) rmSync(folder, { recursive: true });
  return result;
}

const { Module, compile, instantiate } = WebAssembly;
WebAssembly.Module = new Proxy(Module, {
  construct: (target, [bytes, ...rest]) => new target(instrument(bytes), ...rest),
});
WebAssembly.compile = async (bytes, ...rest) => compile(instrument(bytes), ...rest);
WebAssembly.instantiate = async (source, ...rest) =>
  instantiate(source instanceof Module ? source : instrument(source), ...rest);
// Programs fall back on the bytes without these.
WebAssembly.compileStreaming = undefined;
WebAssembly.instantiateStreaming = undefined;
