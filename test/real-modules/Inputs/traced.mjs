// Runs a program of npm's in one process each, as it is and with every module that it makes
// instrumented on the way, and compares what it prints.
//
//   node traced.mjs [--oracle | --fuel] program.mjs work-folder [warpo-instrument's options...]
//
// Prints the program's output, and a line `events` with what was recorded. Fails if the outputs
// differ, or if an end is not that of the innermost open call of its instance. With --oracle it is
// run a third time, instrumented by the oracle of the proposals' samples (which knows --unwind=
// alone of the options), and the trace points of every instance must be the same, id for id, but for
// the marks that tell how functions were entered: the line `events` says how often by reference. With
// --fuel the modules count fuel instead, and once more naively: the line `fuel` has what each
// instance counted, which must be the same.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as oracle from "../../proposals/Inputs/oracle.mjs";
import * as naive from "../../warpo-instrument/Inputs/naive-fuel.mjs";
import "./steady.mjs";

const args = process.argv.slice(2);
const asksOracle = args[0] === "--oracle";
const asksFuel = args[0] === "--fuel";
if (asksOracle || asksFuel) args.shift();
const [program, folder, ...options] = args;
// Who instruments in this process: nobody, warpo, oracle, fuel or naive; undefined in the first of
// them.
const by = process.env.WARPO_TRACED_BY;

// Of ids: see warpo/Support/CallKind.h.
const MARKS = 0x300000;
const REFERENCE = 0x100000;

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (by === undefined) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const run = (by) =>
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), program, folder, ...options], {
      env: { ...process.env, WARPO_TRACED_BY: by }, encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
  const plain = run("nobody");
  if (asksFuel) {
    const [ours, naive] = ["fuel", "naive"].map(run);
    if (!ours.startsWith(plain)) fail(`was:\n${plain}\nis:\n${ours}`);
    if (ours !== naive) fail(`counted:\n${ours}\nnaively:\n${naive}`);
    process.stdout.write(ours);
    process.exit(0);
  }
  let events = "";
  for (const by of asksOracle ? ["warpo", "oracle"] : ["warpo"]) {
    const lines = run(by).split("\n");
    const [line] = lines.splice(lines.findIndex((line) => line.startsWith("events ")), 1);
    events ||= line;
    if (!events.startsWith(line)) fail(`${by}: ${line}, was ${events}`);
    if (lines.join("\n") !== plain) fail(`was:\n${plain}\nis:\n${lines.join("\n")}`);
  }
  for (const file of readdirSync(folder).filter((name) => asksOracle && name.endsWith(".points"))) {
    const [ours, theirs] = ["warpo", "oracle"].map((by) => {
      const bytes = readFileSync(`${folder}/${file.replace(/^[a-z]+/, by)}`);
      return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    });
    const at = ours.findIndex((id, i) => Math.sign(id) * (Math.abs(id) & ~MARKS) !== theirs[i]);
    if (at !== -1 || ours.length !== theirs.length)
      fail(`${file}: trace point ${at} is ${ours[at]}, the oracle's is ${theirs[at]}`);
  }
  process.stdout.write(plain + events + "\n");
  process.exit(0);
}

let modules = 0;
let events = 0;
let deepest = 0;
let byReference = 0;

function instrument(bytes) {
  const path = `${folder}/${by}.${modules++}`;
  writeFileSync(`${path}.wasm`, bytes);
  if (by === "oracle") {
    const form = options.find((option) => option.startsWith("--unwind="));
    return oracle.instrument(`${path}.wasm`, form?.slice("--unwind=".length) ?? "legacy", path);
  }
  if (by === "naive") {
    naive.instrument(`${path}.wasm`, `${path}.traced.wasm`);
    return readFileSync(`${path}.traced.wasm`);
  }
  execFileSync("warpo-instrument", ["-q", `${path}.wasm`, "-o", `${path}.traced.wasm`,
    "--trace-point-mapping-file", `${path}.map`, ...(by === "fuel" ? ["--instrumentation=fuel"] : []),
    ...options], { stdio: ["ignore", "inherit", "ignore"] });
  return readFileSync(`${path}.traced.wasm`);
}

// The trace points of an instance; as many as there are, a few million at the most.
class Recorder {
  open = [];
  points = new Int32Array(1 << 16);
  count = 0;

  tracePoint = (id) => {
    if (this.count === this.points.length) {
      const longer = new Int32Array(2 * this.count);
      longer.set(this.points);
      this.points = longer;
    }
    this.points[this.count++] = id;
    events += 1;
    if (id > 0) {
      byReference += (id & REFERENCE) !== 0;
      this.open.push(id);
      deepest = Math.max(deepest, this.open.length);
    } else if (this.open.pop() !== -id) {
      fail(`an end of ${-id} that is not the innermost call's`);
    }
  };
}

const recorders = [];
function withRecorder(imports = {}) {
  const made = new Recorder();
  recorders.push(made);
  return { ...imports, builtin: made, oracle: oracle.host(made.tracePoint) };
}

const counters = [];
function withCounter(result) {
  const { exports } = result.instance ?? result;
  const read = by === "fuel" ? exports.__warpo_get_fuel : exports.naive_fuel && (() => exports.naive_fuel.value);
  if (read) counters.push(read);
  return result;
}

if (by !== "nobody") {
  const { Module, Instance, instantiate, compile } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, [bytes, ...rest]) => new target(instrument(bytes), ...rest),
  });
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, [module, imports]) => withCounter(new target(module, withRecorder(imports))),
  });
  WebAssembly.compile = (bytes, ...rest) => compile(instrument(bytes), ...rest);
  WebAssembly.instantiate = (source, imports, ...rest) =>
    instantiate(source instanceof Module ? source : instrument(source), withRecorder(imports),
                ...rest).then(withCounter);
  WebAssembly.instantiateStreaming = undefined;
  process.on("exit", () => {
    if (by === "fuel" || by === "naive")
      return console.log(`fuel ${counters.map((read) => read()).join(" ")}`);
    recorders.forEach(({ points, count }, i) =>
      writeFileSync(`${folder}/${by}.${i}.points`, points.subarray(0, count)));
    const left = recorders.reduce((sum, { open }) => sum + open.length, 0);
    console.log(`events ${events}, modules ${modules}, instances ${recorders.length}, ` +
                `deepest ${deepest}, open ${left}` +
                (byReference ? `, by reference ${byReference}` : ""));
  });
}
await import(pathToFileURL(program));
