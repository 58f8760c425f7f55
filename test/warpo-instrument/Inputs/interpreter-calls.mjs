// Holds the trace points of an instrumented module to the trace of wabt's interpreter on the
// original, which runs every export and prints every instruction:
//
//   #<open calls>. <place>: V:<values> | <instruction>
//
//   node interpreter-calls.mjs before.wasm after.wasm
//
// The interpreter names no functions, but a function begins at one place, and places are in the
// order of functions: so the two streams must be the same with ids for places, one for each, in the
// same order. Prints `same`, the number of functions that ran, and the number of events.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [before, after] = process.argv.slice(2);

// A begin is what begins, an end `end`. Imports come before all places.
function interpreted() {
  const trace = execFileSync("wasm-interp", [before, "--enable-all", "--trace", "--host-print",
                                             "--run-all-exports"], { encoding: "utf8" });
  const events = [];
  let last; // the instruction before, of this export
  for (const line of trace.split("\n")) {
    const [, depth, place, operation, operand] =
      /^#(\d+)\. +(\d+): V:\d+ +\| (\S+)(?: \$(\d+))?/.exec(line) ?? [];
    if (line.startsWith(">>> running")) last = undefined;
    if (!operation) continue;
    const opened = !last || +depth > last.depth || last.operation.startsWith("return_call");
    if (last?.operation.startsWith("return_call")) events.push("end");
    // An exception leaves several functions at once.
    if (last?.operation === "throw" || last?.operation === "rethrow")
      for (let i = last.depth; i > +depth; --i) events.push("end");
    if (opened) events.push(+place);
    if (operation === "call_import") events.push(operand - 1e6, "end");
    if (operation === "return") events.push("end");
    last = { depth: +depth, operation };
  }
  return events;
}

function recorded() {
  const events = [];
  const builtin = { tracePoint: (id) => events.push(id > 0 ? id : "end") };
  const module = new WebAssembly.Module(readFileSync(after));
  const { exports } = new WebAssembly.Instance(module, { builtin, host: { print() {} } });
  for (const run of Object.values(exports))
    try {
      run();
    } catch {
      // A trap or an exception: the next export runs all the same.
    }
  return events;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const places = interpreted();
const ids = recorded();
const idOf = new Map();
for (let i = 0; i < Math.max(places.length, ids.length); ++i) {
  if (!idOf.has(places[i])) idOf.set(places[i], ids[i]);
  if (idOf.get(places[i]) !== ids[i])
    fail(`event ${i} is ${ids[i]}, the interpreter's ${places[i]} was ${idOf.get(places[i])} before`);
}
idOf.delete("end");
const inOrder = [...idOf].sort(([one], [other]) => one - other).map(([, id]) => id);
if (inOrder.some((id, i) => i && id <= inOrder[i - 1])) fail("the functions have another order");
console.log(`same: ${idOf.size} functions, ${ids.length} events`);
