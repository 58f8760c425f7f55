// Holds samples of a program of npm's, taken every so many instructions, to its exact fuel.
//
//   node sampled.mjs program.mjs work-folder samples
//
// The program runs in four processes: with trace points that tell the fuel, which gives every
// function's share; with samples and a shadow stack, told or kept; with samples and the stack of V8. Prints how many samples were
// taken, and of how many functions' shares the worst is how many standard deviations off. Fails if
// a share is further from the exact one than chance explains, or if the kinds of stacks differ in
// any function of any sample.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import "./steady.mjs";

const [program, folder, count, kind, every] = process.argv.slice(2);
const instrumentations = {
  exact: ["--instrumentation=trace,fuel"],
  shadow: ["--instrumentation=sample"],
  memory: ["--instrumentation=sample", "--stack=memory"],
  engine: ["--instrumentation=sample", "--stack=engine"],
};

function fail(message) {
  console.error(message);
  process.exit(1);
}

// Where V8 has inlined two calls that follow each other, its stack may show the first as the caller of
// the second.
const flags = ["--no-wasm-inlining"];
// Deviations as large as this are to be expected of one function in a million.
const likely = 5;
// So few samples say little of a function: those with fewer to be expected are judged together.
const few = 10;

if (kind === undefined) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const run = (kind, every = "0") => {
    const arguments_ = [fileURLToPath(import.meta.url), program, folder, count, kind, every];
    execFileSync(process.execPath, [...flags, ...arguments_], { stdio: ["ignore", "ignore", "inherit"] });
    return JSON.parse(readFileSync(`${folder}/${kind}.json`, "utf8"));
  };
  const used = new Map(run("exact"));
  const total = [...used.values()].reduce((sum, fuel) => sum + fuel);
  const interval = String(Math.floor(total / Number(count)));
  const [shadow, memory, engine] = ["shadow", "memory", "engine"].map((kind) => run(kind, interval));

  const found = new Map();
  for (const stack of shadow) found.set(stack.at(-1), (found.get(stack.at(-1)) ?? 0) + 1);
  let [functions, worst, restFuel, restFound] = [0, 0, 0, 0];
  const judge = (what, fuel, samples) => {
    const share = fuel / total;
    const expected = shadow.length * share;
    const sigmas = Math.abs(samples - expected) / Math.sqrt(expected * (1 - share));
    if (sigmas > likely) fail(`${what}: ${samples} samples, ${expected} by its fuel`);
    ++functions;
    worst = Math.max(worst, sigmas);
  };
  for (const id of new Set([...used.keys(), ...found.keys()])) {
    const [fuel, samples] = [used.get(id) ?? 0, found.get(id) ?? 0];
    if ((shadow.length * fuel) / total >= few) {
      judge(`function ${id}`, fuel, samples);
    } else {
      restFuel += fuel;
      restFound += samples;
    }
  }
  if (restFuel) judge("all others", restFuel, restFound);
  for (const told of [shadow, memory]) {
    if (told.length !== engine.length) fail(`${told.length} samples, ${engine.length} of V8's stack`);
    told.forEach((stack, i) => {
      if (stack.join() !== engine[i].join()) fail(`sample ${i}: ${stack}\nbut V8: ${engine[i]}`);
    });
  }
  console.log(`samples ${shadow.length}, deepest ${Math.max(...shadow.map(({ length }) => length))}`);
  console.log(`functions ${functions}, sigmas ${worst.toFixed(2)}`);
  process.exit(0);
}

function instrument(bytes) {
  const path = `${folder}/${kind}`;
  writeFileSync(`${path}.wasm`, bytes);
  execFileSync("warpo-instrument", ["-q", "--all", ...instrumentations[kind], `${path}.wasm`, "-o",
    `${path}.out.wasm`, "--trace-point-mapping-file", `${path}.map`, "--info-file", `${path}.info`],
    { stdio: "ignore" });
  for (const { id, newIndex, thunkIndex } of JSON.parse(readFileSync(`${path}.info`, "utf8")).functions)
    ids.set(thunkIndex ?? newIndex, id);
  return readFileSync(`${path}.out.wasm`);
}

const ids = new Map(); // by index in the instrumented module
const open = [];
const used = new Map(); // by id
const samples = [];
let last = 0n;
let due = 0n;

function leave(id) {
  if (open.pop() !== id) fail(`an end of ${id} that is not the innermost call's`);
}
Error.stackTraceLimit = Infinity;
// Innermost last, as on the shadow stack.
const engineStack = () =>
  [...new Error().stack.matchAll(/wasm-function\[(\d+)\]/g)].map(([, index]) => ids.get(+index)).reverse();

function sample(fuel, stack) {
  // The first check of all only asks.
  if (due) samples.push(stack);
  do due += BigInt(every);
  while (due <= fuel);
  return due;
}

const builtin = {
  tracePointFuel(id, fuel) {
    const top = open.at(-1) ?? 0;
    used.set(top, (used.get(top) ?? 0) + Number(fuel - last));
    last = fuel;
    if (id > 0) open.push(id);
    else leave(-id);
  },
  enterFrame: (id) => void open.push(id),
  leaveFrame(id) {
    // Told late, an end is that of all calls within it too.
    if (kind === "memory") open.length = open.lastIndexOf(id) + 1;
    leave(id);
  },
  sample: (fuel) => sample(fuel, kind === "engine" ? engineStack() : [...open]),
  sampleCaller: (fuel) => sample(fuel, engineStack().slice(0, -1)),
};

const { instantiate } = WebAssembly;
WebAssembly.instantiateStreaming = undefined;
WebAssembly.instantiate = (bytes, imports) => instantiate(instrument(bytes), { ...imports, builtin });
process.on("exit", () =>
  writeFileSync(`${folder}/${kind}.json`, JSON.stringify(kind === "exact" ? [...used] : samples)));
await import(pathToFileURL(program));
