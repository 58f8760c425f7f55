// random-frames.mjs FIRST COUNT --js=FOLDER [--heap-stack=contexts]: programs at random that catch nothing, in which functions allocate in some of their ways only; each event has the
// stack that it has where the same program is interpreted here. Each program runs several times, also within calls of its host, and exceptions leave it.
// Every second program leaves some of its functions out, which then are on no stack. Every second pair of programs calls some functions and its host through a table, too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { js: { type: "string" }, "heap-stack": { type: "string", default: "contexts" } } });
const [firstSeed, count] = positionals.map(Number);
const { createRecorder } = await import(resolve(values.js, "recorder/node.mjs"));

const FIRST_ID = 0x1000000;
const FUNCTIONS = 8;
const ALL = ["host", "malloc", "free", "more", "grow", ...Array.from({ length: FUNCTIONS }, (_, number) => `f${number}`), "zero", "delete", "sized"];
const MOST_NESTED = 3;
const MOST_PAGES = 1000;

function generator(seed) {
  let state = seed * 2654435761;
  return (below) => ((state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) >>> 8) % below;
}

/** The functions that a program leaves out. */
function leftOutOf(seed) {
  const random = generator(seed + 1e6);
  return seed % 2 === 0 ? [] : ALL.filter((name) => random(["more", "grow"].includes(name) ? 3 : 10) === 0);
}
/** The ids of functions by their names: those that are left out have none. */
const idsOf = (leftOut) => Object.fromEntries(ALL.filter((name) => !leftOut.includes(name)).map((name, index) => [name, FIRST_ID + index]));

/** The statements of a function of this number. */
function statements(random, number, depth = 0) {
  return Array.from({ length: 1 + random(3) }, () => statement(random, number, depth));
}
function statement(random, number, depth) {
  const inner = () => statements(random, number, depth + 1);
  const kind = random(depth < MOST_NESTED ? 12 : 6);
  if (kind < 3 && number + 1 < FUNCTIONS) return { call: number + 1 + random(FUNCTIONS - number - 1) };
  if (kind < 4) return { size: 8 + random(50) };
  if (kind < 5) return random(4) === 0 ? { isMore: true } : { free: ["free", "delete", "sized"][random(3)] };
  if (kind < 6) return depth > 0 && random(2) === 0 ? (random(2) === 0 ? { isThrow: true } : { isHost: true }) : { size: 4 };
  if (kind < 9) return { mask: random(8), then: inner(), else: random(2) ? inner() : [] };
  if (kind < 11) return { mask: random(4), skipped: inner() };
  return { times: 1 + random(3), loop: inner() };
}

/** By their numbers, which are their places in the table. */
const IN_TABLE = [2, 5];
const HOST_IN_TABLE = 0;
const hasTable = (seed) => seed % 4 >= 2;
/** Has half of the calls that may go through the table do so. */
function callByTable(random, all) {
  for (const each of all) {
    if (IN_TABLE.includes(each.call) || each.isHost) each.byTable = random(2) === 0;
    for (const inner of [each.then, each.else, each.skipped, each.loop]) if (inner) callByTable(random, inner);
  }
}

const RANDOM = "(global.set $random (i32.add (i32.mul (global.get $random) (i32.const 1103515245)) (i32.const 12345)))";
const isZero = (mask) => `(call $zero (i32.const ${mask}))`;
const textOf = (all, depth = 0) => all.map((each) => text(each, depth)).join("\n");
function text(each, depth) {
  if (each.byTable) return `(call_indirect (i32.const ${each.call ?? HOST_IN_TABLE}))`;
  if (each.call !== undefined) return `(call $f${each.call})`;
  if (each.size !== undefined) return `(global.set $last (call $malloc (i32.const ${each.size})))`;
  if (each.isMore) return "(call $more)";
  if (each.free) return `(call $${each.free} (global.get $last))`;
  if (each.isThrow) return "(throw $error)";
  if (each.isHost) return "(call $host)";
  if (each.then) return `(if ${isZero(each.mask)} (then ${textOf(each.then, depth)}) (else ${textOf(each.else, depth)}))`;
  if (each.skipped) return `(block (br_if 0 ${isZero(each.mask)}) ${textOf(each.skipped, depth)})`;
  const local = `$i${depth}`;
  return `(local.set ${local} (i32.const ${each.times}))
    (loop ${textOf(each.loop, depth + 1)} (br_if 0 (local.tee ${local} (i32.sub (local.get ${local}) (i32.const 1)))))`;
}

const TABLE = `(table 8 funcref) (elem (i32.const ${HOST_IN_TABLE}) $host)
  ${IN_TABLE.map((number) => `(elem (i32.const ${number}) $f${number})`).join(" ")}`;
const moduleOf = (functions, table) => `(module
  (import "host" "call" (func $host))
  (tag $error) ${table}
  (memory 1 ${MOST_PAGES})
  (global $random (mut i32) (i32.const 1)) (global $next (mut i32) (i32.const 1024)) (global $last (mut i32) (i32.const 0))
  (func $malloc (param $size i32) (result i32)
    (if ${isZero(7)} (then (call $more)))
    (global.set $next (i32.add (global.get $next) (i32.const 16)))
    (global.get $next))
  (func $free (param i32))
  (func $more
    (if ${isZero(15)} (then (throw $error)))
    (if ${isZero(1)} (then (call $grow))))
  (func $grow (drop (memory.grow (i32.const 1))))
  ${functions.map((body, number) => `(func $f${number} (local ${"i32 ".repeat(8)}) ${textOf(body)})`.replaceAll(/\$i(\d)/g, "$1")).join("\n")}
  (func $zero (param $mask i32) (result i32)
    ${RANDOM}
    (i32.eqz (i32.and (i32.shr_u (global.get $random) (i32.const 16)) (local.get $mask))))
  (func $delete (param i32) (call $free (local.get 0)))
  (func $sized (param i32) (call $delete (local.get 0)))
  (export "run0" (func $f0)) (export "run1" (func $f1)))`;

class Thrown extends Error {}

/** What the program does: events as the record has them. */
class Program {
  events = [];
  #functions;
  #ids;
  #host;
  #random = 1;
  #next = 1024;
  #last = 0;
  #pages = 1;
  #stack = [];

  /** `host(program)` is what the import does. */
  constructor(functions, ids, host) {
    this.#functions = functions;
    this.#ids = ids;
    this.#host = host;
  }
  #isZero(mask) {
    this.#random = (Math.imul(this.#random, 1103515245) + 12345) | 0;
    return ((this.#random >>> 16) & mask) === 0;
  }
  #note(...event) {
    this.events.push([...event, ...this.#stack].join(" "));
  }
  #within(name, action) {
    const id = this.#ids[name];
    if (id === undefined) return action();
    this.#stack.push(id);
    try {
      action();
    } finally {
      this.#stack.pop();
    }
  }
  run(number) {
    this.#within(`f${number}`, () => this.#do(this.#functions[number]));
  }
  #allocate(size) {
    this.#within("malloc", () => {
      if (this.#isZero(7)) this.#more();
    });
    this.#last = this.#next += 16;
    this.#note("allocate", this.#last, size);
  }
  #free(by) {
    if (by === "free") {
      if (this.#last !== 0) this.#note("free", this.#last);
    } else {
      this.#within(by, () => this.#free(by === "sized" ? "delete" : "free"));
    }
  }
  #more() {
    this.#within("more", () => {
      if (this.#isZero(15)) throw new Thrown();
      if (this.#isZero(1) && this.#pages < MOST_PAGES) this.#within("grow", () => this.#note("grow", ++this.#pages * 65536));
    });
  }
  #do(all) {
    for (const each of all) {
      if (each.call !== undefined) this.run(each.call);
      else if (each.size !== undefined) this.#allocate(each.size);
      else if (each.isMore) this.#more();
      else if (each.free) this.#free(each.free);
      else if (each.isThrow) throw new Thrown();
      else if (each.isHost) this.#within("host", () => this.#host(this));
      else if (each.then) this.#do(this.#isZero(each.mask) ? each.then : each.else);
      else if (each.skipped && !this.#isZero(each.mask)) this.#do(each.skipped);
      else if (each.loop) for (let left = each.times; left > 0; --left) this.#do(each.loop);
    }
  }
}

/** Calls the program as often as it should be; within, at most one call deep. */
function callAll(run, isThrown) {
  const attempt = (number) => {
    try {
      run(number);
    } catch (error) {
      if (!isThrown(error)) throw error;
    }
  };
  for (let i = 0; i < 6; ++i) attempt(i % 2);
}
function hostOf(run, isThrown) {
  let depth = 0;
  return () => {
    if (depth > 0) return;
    ++depth;
    try {
      run(1);
    } catch (error) {
      if (!isThrown(error)) throw error;
    } finally {
      --depth;
    }
  };
}

const fileOf = (name) => resolve(`frames-${firstSeed}${name}`);
let events = 0;
let framesAtCalls = 0;
for (let seed = firstSeed; seed < firstSeed + count; ++seed) {
  const random = generator(seed);
  const functions = Array.from({ length: FUNCTIONS }, (_, number) => statements(random, number));
  const leftOut = leftOutOf(seed);
  if (hasTable(seed)) functions.forEach((body) => callByTable(random, body));
  writeFileSync(fileOf(".wat"), moduleOf(functions, hasTable(seed) ? TABLE : ""));
  execFileSync("wat2wasm", ["--enable-exceptions", "--debug-names", fileOf(".wat"), "-o", fileOf(".wasm")]);
  execFileSync("warpo-instrument", ["-q", "--instrumentation=heap", `--heap-stack=${values["heap-stack"]}`, ...leftOut.map((name) => `--exclude=${name}`), fileOf(".wasm"), "-o", fileOf(".heap.wasm")]);
  const bytes = readFileSync(fileOf(".heap.wasm"));
  const recorder = createRecorder({ file: fileOf(".warpo"), clock: "none", module: bytes });
  const isException = (error) => error instanceof WebAssembly.Exception;
  const call = hostOf((number) => exports[`run${number}`](), isException);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { ...recorder.imports, host: { call } });
  callAll((number) => exports[`run${number}`](), isException);
  recorder.close();
  assert.equal(recorder.error, undefined);
  const isThrown = (error) => error instanceof Thrown;
  const program = new Program(functions, idsOf(leftOut), hostOf((number) => program.run(number), isThrown));
  callAll((number) => program.run(number), isThrown);

  const dump = execFileSync("warpo-record-dump", ["--strict", "--format=yaml", fileOf(".warpo")], { encoding: "utf8", maxBuffer: Infinity });
  const recorded = Array.from(dump.matchAll(/heap: \[(allocate|free|grow), \d+, \d+, (\d+)(?:, (\d+))?((?:, \[\d+, \d+\])*)\]/g), ([, what, address, size, frames]) =>
    [what, address, ...(what === "allocate" ? [size] : []), ...Array.from(frames.matchAll(/, (\d+)\]/g), ([, id]) => id)].join(" "),
  );
  // The first is the size of the memory, found by the first allocation.
  const found = recorded.findIndex((event) => event === "grow 65536");
  if (found >= 0) recorded.splice(found, 1);
  assert.deepEqual(recorded, program.events, `program ${seed}`);
  events += recorded.length;
  framesAtCalls += execFileSync("wasm-objdump", ["-d", fileOf(".heap.wasm")], { encoding: "utf8", maxBuffer: Infinity }).match(/i32\.const 1677\d+\n.*drop/g)?.length ?? 0;
}
for (const name of [".wat", ".wasm", ".heap.wasm", ".warpo"]) rmSync(fileOf(name), { force: true });
console.log(`${count} programs: ${events} events, ${framesAtCalls} functions begin with a mark`);
