// node random-programs.mjs <first seed> <programs> [--without=FEATURE,…] [--only=FEATURE,…] [--with=FEATURE,…] [--js=FOLDER] [--wasm-opt=PROGRAM]
//   [--wasm-as=PROGRAM] [--chromium=PROGRAM] [--keep]
// Runs programs at random, whose host knows what they do, and compares their records with what it knows: each call, its caller, whether a trap ended it,
// where it waited, and the fuel of all. Needs warpo's tools on the PATH; FOLDER: share/warpo/js of a build (default: ./js). Asyncify needs
// Binaryen's wasm-opt, continuations its wasm-as and an engine that has them, promises an engine that has them: else programs have none. Features are drawn by lot, --with those that all programs have.
// Only --with=starts do their hosts make instances whose start functions may trap.
// Only --with=stored do modules store their events by themselves; they do not count fuel then. --with=stored,timed: with the clock thread in place of none.
// With --chromium the programs run in a page of that browser, whose V8 has all of these.
// Each program is one of a seed: to see one again, run it alone with --keep.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openPage } from "./in-page.mjs";
import { missingFeatures, runRecorded } from "./recorded.mjs";
import { generator } from "../../../support/random.mjs";
import { makeProgram, textOf } from "./program.mjs";
import { readProfile, readRecord } from "./record.mjs";

const FEATURES = ["instances", "twins", "left-out", "traps", "told", "caught", "exceptions", "tail-calls", "promises", "asyncify", "short-names", "call-kinds", "continuations"];
const LIKELY = { asyncify: 0.15 };
const PROGRAMS_OF_MODULES = 25;
const PROFILE_EVERY = 10;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: "string", default: "" },
    only: { type: "string" },
    with: { type: "string", default: "" },
    js: { type: "string", default: "js" },
    "wasm-opt": { type: "string" },
    "wasm-as": { type: "string" },
    chromium: { type: "string" },
    keep: { type: "boolean" },
  },
});
const [first, count] = positionals.map(Number);
const js = resolve(values.js);
const folder = mkdtempSync(join(tmpdir(), "random-programs-"));
const path = (name) => join(folder, name);

/** Where programs run: `missing` features, `run()` as runRecorded() has it, which leaves the record in `file`, and `close()`. */
async function openEngine(file) {
  if (values.chromium === undefined) {
    const recorders = await import(pathToFileURL(join(js, "recorder/node.mjs")));
    return { missing: missingFeatures(), run: (about) => runRecorded(recorders, about, { file }), close() {} };
  }
  const { missing, run, close } = await openPage(values.chromium, js, folder);
  const runAndWrite = async (about) => {
    const ran = await run(about);
    writeFileSync(file, ran.record);
    return ran;
  };
  return { missing, run: runAndWrite, close };
}

const file = path("run.warpo");
const engine = await openEngine(file);
const without = [...values.without.split(","), ...engine.missing];
if (values["wasm-opt"] === undefined) without.push("asyncify");
if (values["wasm-as"] === undefined) without.push("continuations");
const only = values.only?.split(",") ?? FEATURES;
const always = values.with.split(",");
const possible = FEATURES.filter((feature) => only.includes(feature) && !without.includes(feature));

/** What goes together. */
function chooseFeatures(random) {
  const features = new Set(possible.filter((feature) => random.chance(LIKELY[feature] ?? 0.6) || always.includes(feature)));
  for (const name of ["stored", "timed", "starts"]) if (always.includes(name)) features.add(name);
  const drop = (...names) => names.forEach((name) => features.delete(name));
  // Binaryen's pass knows none of these, promises would suspend what it unwinds, and where the outermost function is left out nothing shows when it
  // has returned. Which of two stacks a trap took a call of that both have is not said.
  if (features.has("asyncify")) drop("instances", "starts", "left-out", "exceptions", "tail-calls", "promises", "caught", "continuations");
  // A trap takes all calls up to the host, which then comes to its microtasks: unless modules can say of their own calls that a trap took
  // them, which they can where no others are on the stack (docs/instrumented-module.md).
  if (!features.has("traps") || !features.has("told")) drop("caught");
  // A module of its own, too.
  if (features.has("starts")) drop("caught");
  if (features.has("caught")) drop("promises");
  // Where the recorder does not look at the engine's stack, no calls of other modules are ended, nor those around functions that are left out.
  if (features.has("caught") && features.has("continuations")) drop("instances", "left-out");
  // Of a call through a table that others share nothing says that a function which is left out has trapped.
  if (features.has("caught") && features.has("instances")) drop("left-out");
  return features;
}

/** Gives Asyncify's exports other names, as Emscripten shortens them. */
function shortenNames(file) {
  let text = readFileSync(file, "latin1");
  const names = { asyncify_start_unwind: "a", asyncify_stop_unwind: "b", asyncify_start_rewind: "c", asyncify_stop_rewind: "d" };
  for (const [name, short] of Object.entries(names)) text = text.replace(name, short.padEnd(name.length));
  writeFileSync(file, text, "latin1");
}

function instrument(program, features) {
  const names = new Map();
  const modules = program.modules.map((module) => {
    const { number } = module;
    const file = path(`m${number}`);
    writeFileSync(`${file}.wat`, textOf(module, (feature) => features.has(feature)));
    let input = `${file}.wat`;
    if (features.has("asyncify")) {
      const [wasmOpt, ...args] = values["wasm-opt"].split(" ");
      execFileSync(wasmOpt, [...args, "--asyncify", "--pass-arg=asyncify-imports@env.wait", "-O1", "-g", input, "-o", `${file}.asyncify.wasm`]);
      input = `${file}.asyncify.wasm`;
      if (features.has("short-names")) shortenNames(input);
    }
    if (features.has("continuations")) {
      const [wasmAs, ...args] = values["wasm-as"].split(" ");
      execFileSync(wasmAs, [...args, "-all", "--disable-compact-imports", "-g", input, "-o", `${file}.plain.wasm`]);
      input = `${file}.plain.wasm`;
    }
    const told = [...(features.has("told") ? ["traps"] : []), ...(features.has("call-kinds") ? ["call-kinds"] : [])];
    const scope = features.has("told") ? ["--traps-in=thread"] : [];
    const [beside, ...options] = features.has("stored") ? [[], "--events-in=memory"] : [["fuel"]];
    execFileSync("warpo-instrument", ["-q", input, "-o", `${file}.wasm`, `--instrumentation=${["trace", ...beside, ...told]}`, ...options, ...scope, "--exclude=x*",
      `--module-id=${number + 1}`, "--trace-point-mapping-file", `${file}.map`], { stdio: ["ignore", "inherit", "pipe"] });
    const lines = readFileSync(`${file}.map`, "utf8").trim().split("\n");
    const short = { a: "unwind", b: "stop", c: "rewind", d: "stop" };
    const canonical = (name) => short[name.trim()] ?? name.replace(/^asyncify_(start_)?(stop|unwind|rewind).*/, "$2");
    names.set(number + 1, new Map(lines.map((line) => /^(\d+) (.*)$/.exec(line)).map(([, id, name]) => [id - 0x1000000, canonical(name)])));
    return new Uint8Array(readFileSync(`${file}.wasm`));
  });
  return { modules, names };
}

/** Calls as text, each with its own in the parentheses behind it. A stack that waits for one which traps is said to go on then, where other calls are left on it. */
const write = ({ name, end, calls }) => `${name}${end === "trapped" && name !== "(suspended)" ? "!" : ""}${end === "open" ? "…" : ""}(${calls.map(write).join(" ")})`;

/** The imports that are functions of another module in any instance, and whose calls are recorded: tools show one call. */
function linkedImports({ modules, instances }) {
  const linked = new Set();
  for (const { module, imports } of instances)
    for (const [i, bound] of imports.entries()) {
      const target = bound && modules[instances[bound.instance].module];
      if (target && target !== modules[module] && !target.functions[bound.to].name.startsWith("x")) linked.add(modules[module].imports[i].name);
    }
  return linked;
}

/** Whether a call of `name` is no call of its own, as a call of `first` was the first thing in it. */
function isLeftOut(linked, name, first) {
  const moduleOf = (name) => /^m\d+/.exec(name)?.[0];
  return linked.has(name) && first !== undefined && moduleOf(first) !== undefined && moduleOf(first) !== moduleOf(name);
}

/** How many calls there were, by the names on their stack, as tools show them. */
function countPaths(linked, calls, around = "", counts = {}) {
  for (const { name, calls: within } of calls) {
    if (isLeftOut(linked, name, within[0]?.name)) {
      // One call, from the import's begin to its end.
      const [{ calls, ...callee }, ...more] = within;
      countPaths(linked, [{ ...callee, calls: [...calls, ...more] }], around, counts);
      continue;
    }
    const path = `${around}${name}`;
    counts[path] = (counts[path] ?? 0) + 1;
    countPaths(linked, within, `${path};`, counts);
  }
  return counts;
}

async function tryProgram(seed, program, { modules, names }, features) {
  const { clock, known, error, problems } = await engine.run({ seed, program, modules, features: [...features] });
  const mayWait = features.has("asyncify") || features.has("continuations");
  const mayBe = [...(mayWait ? ["calls that are suspended"] : []), ...(features.has("told") ? [] : ["calls left by traps"])];
  const unexpected = problems.filter((problem) => !mayBe.some((start) => problem.startsWith(start)));
  assert.equal(error, undefined);
  assert.deepEqual(unexpected, []);
  if (known.isAmbiguous) return { ...known, calls: 0 };
  const found = readRecord(file, names);
  const expected = known.stacks.flatMap(({ roots }) => roots).map(write).sort();
  const actual = found.roots.map(write).sort();
  assert.deepEqual(actual, expected);
  // Tasks stand below the calls that started them, and those below what started theirs.
  const below = ({ path, call }) => `${path.join(";")} ${write(call)}`;
  const expectedPaths = known.stacks.flatMap(({ path, roots }) => roots.map((call) => below({ path: path.map(({ name }) => name), call })));
  assert.deepEqual(found.roots.map((call) => below({ path: call.path, call })).sort(), expectedPaths.sort());
  // One stack runs at a time; what passes between a task's begin and its first call is nobody's.
  if (clock === "exact") assert.ok(found.ran <= found.union, `ran ${found.ran} of ${found.union}`);
  // What is burnt outside of all calls, and between a trap and what the record has next, is nobody's; and what an instance has burnt counts at its
  // next event, by which time a task may be suspended.
  const isExact = known.traps === 0 && !known.isFuelUnknown && !features.has("left-out") && !(features.has("instances") && features.has("promises"));
  if (isExact) assert.equal(found.fuel, Number(known.fuel), "fuel");
  else if (!known.isFuelUnknown) assert.ok(found.fuel <= Number(known.fuel), "fuel");
  // Readers make the same of it. Asyncify's own functions have other names there.
  if (seed % PROFILE_EVERY === 0 && !features.has("asyncify")) {
    const linked = linkedImports(program);
    assert.deepEqual(readProfile(file, "--wall", "--weight=calls"), countPaths(linked, known.stacks.flatMap(({ roots }) => roots)));
    const joined = {};
    for (const { path, roots } of known.stacks) {
      // The record does not say what else was called before what led to the task.
      const shown = path.filter(({ name, within }) => !isLeftOut(linked, name, within));
      countPaths(linked, roots, shown.map(({ name }) => `${name};`).join(""), joined);
    }
    assert.deepEqual(readProfile(file, "--async=joined", "--wall", "--weight=calls"), joined);
    const sumOfTimes = () => Object.values(readProfile(file, "--async=joined", "--weight=time")).reduce((sum, time) => sum + time, 0);
    if (clock === "exact") assert.equal(sumOfTimes(), found.ran);
  }
  return { ...known, calls: actual.join().split("(").length - 1 };
}

const sums = { programs: 0, skipped: 0, calls: 0, traps: 0, waits: 0, switches: 0 };
let made;
for (let seed = first; seed < first + count; ++seed) {
  const group = Math.floor(seed / PROGRAMS_OF_MODULES);
  if (made?.group !== group) {
    const random = generator(1e6 + group);
    const features = chooseFeatures(random);
    const program = makeProgram(random, features);
    made = { group, features, program, ...instrument(program, features) };
  }
  const { features, program } = made;
  try {
    const { isAmbiguous, calls, traps, waits, switches } = await tryProgram(seed, program, made, features);
    ++sums[isAmbiguous ? "skipped" : "programs"];
    sums.calls += calls;
    sums.traps += traps;
    sums.waits += waits;
    sums.switches += switches;
  } catch (error) {
    await engine.close();
    console.error(`program ${seed} (${[...features].join()}) in ${folder}: ${error.stack}`);
    process.exit(1);
  }
}
await engine.close();
if (values.keep) console.log(folder);
else rmSync(folder, { recursive: true });
console.log(`${sums.programs} programs agree with their records: ${sums.calls} calls, ${sums.traps} traps, ${sums.waits} waits, ${sums.switches} of continuations; ${sums.skipped} left out`);
