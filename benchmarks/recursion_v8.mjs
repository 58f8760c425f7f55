// SPDX-License-Identifier: Apache-2.0
// node recursion_v8.mjs MODULE RECORDER: prints how deep the module's function `call` goes before the stack ends. RECORDER: the module of
// warpo's recorder, for an instrumented one.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [file, recorderFile] = process.argv.slice(2);
const bytes = readFileSync(file);
const module = new WebAssembly.Module(bytes);
let imports = {};
if (WebAssembly.Module.imports(module).length > 0) {
  const { createRecorder } = await import(pathToFileURL(recorderFile));
  imports = createRecorder({ clock: "none", policy: "ring" }).importsFor(bytes);
}
const { call, depth } = new WebAssembly.Instance(module, imports).exports;
// What the engine does when code runs first takes stack too.
for (let i = 0; i < 5; ++i) {
  depth.value = 0;
  try {
    call(1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}
console.log(depth.value);
