// Records a program of npm's by fuel alone, with the recorder that is imported from `recorder`.
//
//   node recorded.mjs program.mjs recorder/node.mjs out.warpo
//
// Modules are instrumented on the way.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import "./steady.mjs";

const [program, recorderPath, file] = process.argv.slice(2);
const { createRecorder, hookWebAssembly } = await import(pathToFileURL(recorderPath));
const recorder = createRecorder({ file, clock: "fuel" });
hookWebAssembly(recorder);

let modules = 0;
function instrument(bytes) {
  const path = `${file}.${modules++}`;
  writeFileSync(`${path}.wasm`, bytes);
  execFileSync("warpo-instrument", ["-q", "--all", "--instrumentation=trace,fuel", `${path}.wasm`, "-o",
    `${path}.out.wasm`, "--trace-point-mapping-file", `${path}.map`], { stdio: "ignore" });
  return readFileSync(`${path}.out.wasm`);
}

const { instantiate } = WebAssembly;
WebAssembly.instantiateStreaming = undefined;
WebAssembly.instantiate = (bytes, imports) => instantiate(instrument(bytes), imports);
process.on("exit", () => recorder.close());
await import(pathToFileURL(program));
