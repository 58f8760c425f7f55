// node random-heaps.mjs <first seed> <programs> [--js=FOLDER] [--heap-stack=STACK] [--memory64] [--tables]
// Runs programs at random whose allocators get their addresses from the host, which so knows what was allocated, by whom, and what became of it.
// It decides what each function does next: calls, catches, throws and traps, allocators that call others, fail or throw, and mistakes. With --tables,
// programs have a table that they and the host make grow, and do not trap: once code changes tables, `traps` does not know each call. Each program runs
// as it is and instrumented, which must do the same; then the tools must say of its record what the model says.
// FOLDER: share/warpo/js of a build (default: ./js).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { generator } from "../../support/random.mjs";
import { Model, compare } from "./model.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { js: { type: "string", default: "js" }, "heap-stack": { type: "string", default: "contexts" }, memory64: { type: "boolean" }, tables: { type: "boolean" } } });
const [firstSeed, count] = positionals.map(Number);
const { createRecorder } = await import(pathToFileURL(resolve(values.js, "recorder/node.mjs")));

const FUNCTIONS = 6;
const numbers = [...Array(FUNCTIONS).keys()];
const ACTIONS = ["return", "call", "try", "throw", "trap", "callHost", "grow", "malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", ...(values.tables ? ["growTable"] : [])];
const MOST_DEPTH = 12;
// Of a memory of 64 bits addresses do not fit into 32, and sizes need not.
const is64 = values.memory64 ?? false;
const T = is64 ? "i64" : "i32";
const narrow = is64 ? "i32.wrap_i64" : "i32.or (i32.const 0)";
const widen = is64 ? "i64.extend_i32_s" : "i32.or (i32.const 0)";
const numberFor = is64 ? BigInt : Number;
const FIRST_ADDRESS = is64 ? 2 ** 33 + 1024 : 1024;
const TOO_MANY_PAGES = is64 ? 2 ** 40 : 100000;
const LARGE_SIZE = is64 ? 2 ** 36 : 2 ** 31;
const [FIRST_ELEMENTS, MOST_ELEMENTS] = [3, 30];

// What an action does: `arg` gives its numbers. Cases stand in the order of ACTIONS.
const CASES = [
  "(return)",
  `(call_indirect $functions (type $f) (${narrow} (call $arg (i32.const 0))))`,
  `(try (do (call_indirect $functions (type $f) (${narrow} (call $arg (i32.const 0))))) (catch_all (call $caught)))`,
  "(throw $tag)",
  "(unreachable)",
  `(call $callHost (${narrow} (call $arg (i32.const 0))))`,
  "(call $got (memory.grow (call $arg (i32.const 0))))",
  "(call $got (call $malloc (call $arg (i32.const 0))))",
  "(call $got (call $calloc (call $arg (i32.const 0)) (call $arg (i32.const 1))))",
  "(call $got (call $realloc (call $arg (i32.const 0)) (call $arg (i32.const 1))))",
  "(call $free (call $arg (i32.const 0)))",
  `(call $got (${widen} (call $posix_memalign (${T}.const 64) (${T}.const 8) (call $arg (i32.const 0)))))`,
  `(call $got (call $aligned_alloc (${T}.const 8) (call $arg (i32.const 0))))`,
  ...(values.tables ? [`(call $got (${widen} (table.grow $table (ref.null extern) (${narrow} (call $arg (i32.const 0))))))`] : []),
];
const functionText = (k) => `
  (func $f${k} (export "f${k}")
    (call $enter (i32.const ${k}))
    (loop $again
      ${"(block ".repeat(CASES.length)}
        (br_table ${CASES.map((_, i) => i).join(" ")} (call $next (i32.const ${k})))
      ${CASES.map((code) => `) ${code} (br $again)`).join("\n      ")}))`;

// malloc gets its address from the host, or grows the memory first, or throws; calloc and realloc call it.
const MODULE = `(module
  (type $f (func))
  (import "env" "enter" (func $enter (param i32)))
  (import "env" "next" (func $next (param i32) (result i32)))
  (import "env" "arg" (func $arg (param i32) (result ${T})))
  (import "env" "got" (func $got (param ${T})))
  (import "env" "caught" (func $caught))
  (import "env" "callHost" (func $callHost (param i32)))
  (import "env" "take" (func $take (result ${T})))
  (memory (export "memory") ${T} 1)
  (tag $tag)
  ${values.tables ? `(table $table (export "table") ${FIRST_ELEMENTS} ${MOST_ELEMENTS} externref)` : ""}
  (table $functions funcref (elem ${numbers.map((k) => `$f${k}`).join(" ")}))
  (func $pages (if (${narrow} (call $take)) (then (drop (memory.grow (${T}.const 1))))))
  (func $malloc (param ${T}) (result ${T}) (local $address ${T})
    (call $pages)
    (local.set $address (call $take))
    (if (${T}.eq (local.get $address) (${T}.const -1)) (then (throw $tag)))
    (local.set 0 (${T}.const 7))
    (local.get $address))
  (func $calloc (param ${T} ${T}) (result ${T}) (call $malloc (${T}.mul (local.get 0) (local.get 1))))
  (func $aligned_alloc (param ${T} ${T}) (result ${T}) (call $free (call $malloc (local.get 1))) (call $malloc (local.get 1)))
  (func $posix_memalign (param ${T} ${T} ${T}) (result i32)
    (${T}.store (local.get 0) (call $aligned_alloc (local.get 1) (local.get 2)))
    (if (result i32) (${T}.eqz (${T}.load (local.get 0))) (then (i32.const 12)) (else (i32.const 0))))
  (func $realloc (param ${T} ${T}) (result ${T})
    (if (i32.eqz (${T}.eqz (local.get 0))) (then (call $free (local.get 0))))
    (call $malloc (local.get 1)))
  (func $free (param ${T}) (drop (i32.const 0)))
  ${numbers.map(functionText).join("")})`;

/** The host of one run. It draws each decision once; `log` has what it was told, so that two runs can be compared. */
class Host {
  log = [];
  events = [];
  #random;
  #left;
  #frames = []; // { name, isTry }
  #args = [];
  #asked; // of the allocator that is open: { operation, size, old }
  #held = [];
  #gone = [];
  #taken = [];
  #address = FIRST_ADDRESS;
  #pages = 1;
  #elements = FIRST_ELEMENTS;
  #foundElements; // of the table, as the program saw it last

  constructor(random) {
    this.#random = random;
    this.#left = random.pick([5, 40, 400]);
    this.#note("grow", { size: 65536n }, []);
    this.events.length = 0;
  }

  imports = {
    env: {
      enter: (k) => {
        this.log.push(k);
        this.#frames.push({ name: `f${k}` });
      },
      next: () => this.#next(),
      arg: (i) => numberFor(this.#args[i]),
      got: (result) => this.#got(Number(result)),
      caught: () => this.#caught(),
      callHost: (k) => this.#callHost(k),
      take: () => numberFor(this.#taken.pop() ?? 0),
    },
  };

  run(instance) {
    this.instance = instance;
    while (this.#left > 0) this.#callHost(this.#random.below(FUNCTIONS));
    this.events.unshift({ operation: "grow", address: 0n, old: 0n, size: 65536n, path: "" });
  }

  #callHost(k) {
    const depth = this.#frames.length;
    // The import is a function as others are.
    if (depth > 0) this.#frames.push({ name: "callHost" });
    try {
      this.instance.exports[`f${k}`]();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof WebAssembly.Exception)) throw error;
      this.log.push(error.constructor.name);
    }
    this.#frames.length = depth;
  }

  #note(operation, { address = 0n, size = 0n, old = 0n }, within) {
    const path = [...this.#frames.map(({ name }) => name), ...within].join(";");
    this.events.push({ operation, address, size, old, path });
  }

  #next() {
    const random = this.#random;
    this.#frames.at(-1).isTry = false;
    const leave = this.#left-- <= 0 || random.chance(0.15);
    let action = leave ? "return" : random.pick(ACTIONS.slice(random.chance(0.4) ? 1 : 6));
    const canCall = this.#frames.length < MOST_DEPTH;
    if (!canCall && ["call", "try", "callHost"].includes(action)) action = "free";
    // Traps end more than they show.
    if ((action === "trap" || action === "throw") && random.chance(0.5)) action = "malloc";
    if (values.tables && action === "trap") action = "growTable";
    this.#asked = undefined;
    if (action === "return") this.#frames.pop();
    else if (action === "try") {
      this.#frames.at(-1).isTry = true;
      this.#args = [random.below(FUNCTIONS)];
    } else if (action === "call" || action === "callHost") this.#args = [random.below(FUNCTIONS)];
    else if (action === "grow") this.#args = [random.pick([0, 1, 2, TOO_MANY_PAGES])];
    else if (action === "growTable") this.#growTable();
    else if (action === "free") this.#free();
    else if (!["throw", "trap"].includes(action)) this.#allocate(action);
    return ACTIONS.indexOf(action);
  }

  #growTable() {
    this.#findTable();
    this.#args = [this.#random.below(6)];
    this.#asked = { action: "growTable" };
  }
  /** The program sees what size the table has: the host may have made it grow. */
  #findTable() {
    if (!values.tables) return;
    if (this.#elements < MOST_ELEMENTS && this.#random.chance(0.1)) {
      this.instance.exports.table.grow(1);
      ++this.#elements;
    }
    if (this.#elements !== this.#foundElements) this.#noteTable("(unknown stack)");
  }
  #noteTable(path) {
    this.#foundElements = this.#elements;
    this.events.push({ operation: "grow-table", address: 0n, old: 0n, size: BigInt(this.#elements), path });
  }

  #free() {
    const random = this.#random;
    let address = 0;
    if (random.chance(0.1)) address = 8 * random.below(40000);
    else if (random.chance(0.12) && this.#gone.length > 0) address = random.pick(this.#gone);
    else if (this.#held.length > 0 && random.chance(0.9)) address = this.#takeHeld();
    this.#args = [address];
    if (address !== 0) {
      this.#note("free", { address: BigInt(address) }, []);
      this.#gone.push(address);
    }
  }
  #takeHeld() {
    return this.#held.splice(this.#random.below(this.#held.length), 1)[0];
  }

  #allocate(action) {
    const random = this.#random;
    this.#findTable();
    const size = random.pick([0, random.below(50), random.below(5000), LARGE_SIZE - 1 - random.below(9)]);
    this.#args = action === "calloc" ? [random.below(20), random.below(300)] : [size];
    const asked = action === "calloc" ? this.#args[0] * this.#args[1] : size;
    let old = 0;
    if (action === "realloc") {
      old = this.#held.length > 0 && random.chance(0.8) ? random.pick(this.#held) : 0;
      this.#args = [old, size];
    }
    let address = this.#address;
    if (random.chance(0.1) || (action === "realloc" && size === 0)) address = 0;
    else if (this.#gone.length > 0 && random.chance(0.3)) address = random.pick(this.#gone);
    else if (old !== 0 && random.chance(0.3)) address = old;
    else this.#address += 16;
    const grows = random.chance(0.05);
    const throws = random.chance(0.05);
    // posix_memalign and aligned_alloc call malloc twice, and free between.
    const isTwice = action === "aligned_alloc" || action === "posix_memalign";
    this.#taken = [throws ? -1 : address, grows ? 1 : 0, ...(isTwice ? [8, 0] : [])];
    const within = { calloc: ["calloc", "malloc"], realloc: ["realloc", "malloc"], malloc: ["malloc"], aligned_alloc: ["aligned_alloc", "malloc"], posix_memalign: ["posix_memalign", "aligned_alloc", "malloc"] }[action];
    if (grows) this.#note("grow", { size: BigInt(++this.#pages) * 65536n }, [...within, "pages"]);
    if (!throws) this.#asked = { action, size: BigInt(asked), old, address };
  }

  /** What an action gave: what it asked for has happened. */
  #got(result) {
    this.log.push(result);
    const asked = this.#asked;
    if (asked === undefined) {
      const [pages] = this.#args;
      // It gives the size before.
      if (result < 0 || pages === 0) return;
      this.#pages = result + pages;
      this.#note("grow", { size: BigInt(this.#pages) * 65536n }, []);
      return;
    }
    const { action, size, old, address } = asked;
    if (action === "growTable") {
      const [added] = this.#args;
      assert.equal(result, this.#elements + added <= MOST_ELEMENTS ? this.#elements : -1);
      if (result < 0 || added === 0) return;
      this.#elements += added;
      this.#noteTable(this.#frames.map(({ name }) => name).join(";"));
      return;
    }
    const at = BigInt(address);
    if (action === "realloc" && old !== 0) {
      if (size === 0n && address === 0) this.#note("free", { address: BigInt(old) }, []);
      else this.#note("reallocate", { address: at, size, old: BigInt(old) }, []);
      if (address !== 0 || size === 0n) {
        this.#held.splice(this.#held.indexOf(old), 1);
        this.#gone.push(old);
      }
    } else {
      this.#note("allocate", { address: at, size }, []);
    }
    if (address !== 0) this.#held.push(address);
    this.#gone = this.#gone.filter((gone) => gone !== address);
  }

  #caught() {
    const at = this.#frames.findLastIndex(({ isTry }) => isTry);
    this.#frames.length = at + 1;
    this.log.push("caught");
  }
}

const fileOf = (name) => resolve(`heaps-${firstSeed}${name}`);
writeFileSync(fileOf(".wat"), MODULE);
execFileSync("wat2wasm", ["--enable-exceptions", "--enable-memory64", "--debug-names", fileOf(".wat"), "-o", fileOf(".wasm")]);
execFileSync("warpo-instrument", ["-q", "--instrumentation=heap,traps", `--heap-stack=${values["heap-stack"]}`, fileOf(".wasm"), "-o", fileOf(".heap.wasm")]);
const plain = new WebAssembly.Module(readFileSync(fileOf(".wasm")));
const bytes = readFileSync(fileOf(".heap.wasm"));
const instrumented = new WebAssembly.Module(bytes);
const sums = { events: 0, traps: 0, exceptions: 0, caught: 0, leaks: 0n };

function runOnce(seed, module, imports) {
  const host = new Host(generator(seed));
  host.run(new WebAssembly.Instance(module, { ...host.imports, ...imports }));
  return host;
}

for (let seed = firstSeed; seed < firstSeed + count; ++seed) {
  const file = fileOf(".warpo");
  const recorder = createRecorder({ file, clock: "none", module: bytes });
  const host = runOnce(seed, instrumented, recorder.imports);
  recorder.close();
  try {
    assert.equal(recorder.error, undefined);
    assert.deepEqual(host.log, runOnce(seed, plain, {}).log);
    const model = new Model();
    // Nothing may have made the program report its memory's size, which is the first event.
    if (host.events.slice(1).every(({ operation }) => operation === "free" || operation === "grow-table")) continue;
    // Without a clock all is at one time.
    for (const event of host.events) model.event({ stream: 0, memory: 0, time: 0, ...event });
    compare(file, model);
    sums.leaks += model.leaks;
  } catch (error) {
    console.error(`program ${seed}: ${error.stack}`);
    process.exit(1);
  }
  sums.events += host.events.length;
  sums.traps += host.log.filter((entry) => entry === "RuntimeError").length;
  sums.exceptions += host.log.filter((entry) => entry === "Exception").length;
  sums.caught += host.log.filter((entry) => entry === "caught").length;
}
for (const name of [".wat", ".wasm", ".heap.wasm", ".warpo"]) rmSync(fileOf(name), { force: true });
console.log(`${count} programs: ${sums.events} events, ${sums.traps} traps, ${sums.exceptions} exceptions, ${sums.caught} caught, ${sums.leaks} objects not freed`);
