// node traced-heap.mjs MODULE.wasm RECORD [JS]: runs a module of AssemblyScript whose allocator tells the host what it does (ASC_RTRACE), and
// writes what is live behind it to live.log: lines `live ADDRESS USABLE-SIZE`.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [file, record, js] = process.argv.slice(2);
const { createRecorder } = await import(pathToFileURL(resolve(js, "recorder/node.mjs")));
const bytes = readFileSync(file);
const recorder = createRecorder({ file: record, module: bytes });
await recorder.ready;

// In front of a block stands its size, with two flags.
const OVERHEAD = 4;
const live = new Map();
const nothing = () => {};
const usable = (block) => new DataView(instance.exports.memory.buffer).getUint32(block, true) & ~3;
const rtrace = {
  onalloc: (block) => live.set(block + OVERHEAD, usable(block)),
  onresize: (block) => live.set(block + OVERHEAD, usable(block)),
  onfree: (block) => {
    if (!live.delete(block + OVERHEAD)) throw new Error(`free of ${block}`);
  },
};
for (const name of ["oninit", "onmove", "oncollect", "oninterrupt", "onyield"]) rtrace[name] = nothing;
// The collector goes on to this object.
rtrace.onvisit = () => true;
// Each access of memory goes through one of these, with its address.
rtrace.onload = rtrace.onstore = (address) => address;
const abort = () => {
  throw new Error("abort");
};
const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { ...recorder.imports, env: { abort }, rtrace });
instance.exports._start();
console.log(instance.exports.run(2000));
recorder.close();
if (recorder.error) throw new Error(recorder.error);
writeFileSync("live.log", [...live].map(([address, size]) => `live ${address} ${size}\n`).join(""));
