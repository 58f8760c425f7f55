// Proves the rewriter on one module: assembled by npm's Binaryen, instrumented, validated by npm's
// Binaryen, and run before and after by the Node that runs this.
//
//   node [V8's flags] prove.mjs sample.wat work-prefix [warpo-instrument's options...]
//
// All exported functions are called, in order and without arguments. Prints a line for each:
//
//   name = result: calls
//
// where calls are nested as they were recorded, `main(f g(h))`; a call that got no end is followed
// by `!`. Fails if the module's results differ before and after, or an end matches no begin, or the
// trace points are not those of an independent instrumenter (oracle.mjs), id for id. Nor may any of
// that change where the module counts fuel too, samples, and asks for its limit; there the shadow
// stack must be told the same, and fuel never go back. Counts are proved too (prove-counts.mjs).
// Where V8 does not know the proposal, says so instead; the modules are validated all the same.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as oracle from "./oracle.mjs";
import { proveCounts } from "./prove-counts.mjs";

const [sample, prefix, ...options] = process.argv.slice(2);
const binaryen = fileURLToPath(new URL("../../../node_modules/binaryen/bin/", import.meta.url));
const paths = { before: `${prefix}.wasm`, after: `${prefix}.traced.wasm`, map: `${prefix}.map`,
                all: `${prefix}.all.wasm` };

function tool(program, ...args) {
  execFileSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });
}
// Binaryen writes imports in the compact form wherever it may, which V8 does not know yet.
const features = ["-all", ...(sample.includes("compact") ? [] : ["--disable-compact-imports"])];
const runBinaryen = (name, ...args) => tool(process.execPath, binaryen + name, ...features, ...args);

// A sample may be bytes already.
if (sample.endsWith(".wasm")) writeFileSync(paths.before, readFileSync(sample));
else runBinaryen("wasm-as", "-g", sample, "-o", paths.before);
for (const [path, ...which] of [[paths.after], [paths.all, "--instrumentation=trace,fuel,sample,fuel-limit"]]) {
  tool("warpo-instrument", "-q", paths.before, "-o", path,
       "--trace-point-mapping-file", paths.map, ...which, ...options);
  runBinaryen("wasm-opt", path, "-o", `${prefix}.validated.wasm`);
}

const names = new Map(readFileSync(paths.map, "utf8").split("\n").filter(Boolean).map((line) => {
  const [, id, name] = /^(\d+) (.*)$/.exec(line);
  return [+id, name];
}));

// The calls of one stream of trace points, as text.
class Calls {
  text = "";
  open = [];
  points = [];

  tracePoint = (id) => {
    this.points.push(id);
    if (id > 0) {
      if (this.open.length) this.text += this.open.at(-1).calls++ ? " " : "(";
      else if (this.text) this.text += " ";
      this.text += names.get(id) ?? `unknown ${id}`;
      this.open.push({ id, calls: 0 });
      return;
    }
    const call = this.open.pop();
    if (call?.id !== -id) throw new Error(`the end of ${names.get(-id)} matches no begin`);
    if (call.calls) this.text += ")";
  };

  // What a module asks of its host beside trace points. The shadow stack is told behind a trace
  // point at a begin, before it at an end.
  fuel = 0n;
  left = [];

  count(fuel) {
    if (fuel < this.fuel) throw new Error(`fuel went back from ${this.fuel} to ${fuel}`);
    this.fuel = fuel;
  }
  tracePointFuel = (id, fuel) => {
    this.count(fuel);
    if (id < 0 && this.left.pop() !== -id) throw new Error(`no leaveFrame of ${names.get(-id)}`);
    this.tracePoint(id);
  };
  // Stacks that are left and entered: each has a number of its own, and what runs is always told. The host here looks at the numbers alone.
  stacks = 0;
  waiting = new Set();
  leaveStack = () => (this.waiting.add(++this.stacks), this.stacks);
  leaveStackFuel = (fuel) => (this.count(fuel), this.leaveStack());
  enterStack = (number) => {
    if (!this.waiting.delete(number)) throw new Error(`stack ${number} runs, which was not left`);
  };
  enterFrame = (id) => {
    if (this.points.at(-1) !== id) throw new Error(`enterFrame of ${names.get(id)} by itself`);
  };
  leaveFrame = (id) => this.left.push(id);
  sample = (fuel) => (this.count(fuel), fuel + 3n);
  outOfFuel = (fuel) => (this.count(fuel), fuel + 10n);

  take() {
    for (const call of this.open.reverse()) this.text += call.calls ? "!)" : "!";
    const taken = { calls: this.text, points: this.points };
    this.text = "";
    this.open = [];
    this.points = [];
    return taken;
  }
}

// What the host has for samples that import: what is not listed is left out.
const env = {
  add: (a, b) => a + b,
  fail: () => { throw new RangeError("from the host"); },
  nothing: () => {},
  number: 7,
};

// The form that --unwind=auto takes, unless the options say which.
function exceptionForm() {
  const given = options.find((option) => option.startsWith("--unwind="));
  if (given) return given.slice("--unwind=".length);
  return /\b(try_table|throw_ref)\b/.test(readFileSync(sample, "utf8")) ? "exnref" : "legacy";
}

const show = (value) =>
  Array.isArray(value) ? value.map(show).join(" ") : typeof value === "bigint" ? `${value}n`
    : value !== null && typeof value === "object" ? "an object" : String(value);

function outcome(run) {
  try {
    return show(run());
  } catch (error) {
    if (error instanceof WebAssembly.Exception) return "throws an exception";
    return `throws ${error.constructor.name}`;
  }
}

function instantiate(path, imports) {
  const compiling = { builtins: ["js-string"], importedStringConstants: "strings" };
  const module = new WebAssembly.Module(readFileSync(path), compiling);
  return { module, instance: new WebAssembly.Instance(module, { env, ...imports }) };
}

function* run(path, importsOf = (calls) => ({ builtin: calls })) {
  const calls = new Calls();
  const { exports } = instantiate(path, importsOf(calls)).instance;
  yield { line: "start = done", ...calls.take() };
  for (const [name, value] of Object.entries(exports))
    if (typeof value === "function")
      yield { line: `${name} = ${outcome(value)}`, ...calls.take() };
}

try {
  new WebAssembly.Module(readFileSync(paths.before), { builtins: ["js-string"],
                                                       importedStringConstants: "strings" });
} catch (error) {
  console.log(`not run, since V8 ${process.versions.v8.split(".")[0]} does not know it:`,
              error.message.replace(/^[^:]*: /, "").replace(/ @\+\d+$/, ""));
  process.exit(0);
}

const before = run(paths.before);
const all = run(paths.all);
oracle.instrument(paths.before, exceptionForm(), prefix);
const judge = run(`${prefix}.oracle.wasm`, (calls) => ({ oracle: oracle.host(calls.tracePoint) }));
const returning = [];
for (const { line, calls, points } of run(paths.after)) {
  const { value } = before.next();
  if (value?.line !== line) throw new Error(`was ${value?.line}, but is ${line} when instrumented`);
  if (value.calls) throw new Error("the original records something");
  for (const [name, lines] of Object.entries({ "the oracle": judge, "all together": all })) {
    const { value: expected } = lines.next();
    if (expected?.line !== line || expected.points.join() !== points.join())
      throw new Error(`${line}: ${calls}, but ${name} says ${expected?.line}: ${expected?.calls}`);
  }
  if (!line.includes(" = throws ")) returning.push(line.split(" = ")[0]);
  if (calls || !line.startsWith("start")) console.log(calls ? `${line}: ${calls}` : line);
}
if (!before.next().done) throw new Error("instrumented, the module has fewer exports");

// Where a trap or an exception leaves the module, nothing says how far its calls came.
const mayCatch = /\btry(_table)?\b/.test(readFileSync(sample, "utf8"));
proveCounts(paths.before, prefix, mayCatch, (path) => {
  const { module, instance } = instantiate(path);
  for (const name of returning.slice(1)) outcome(instance.exports[name]);
  return { module, instance };
});
