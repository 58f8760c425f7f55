// node trap-programs.mjs <first seed> <modules> <scripts a module> legacy|exnref [further options of warpo-instrument]
// Random programs and hosts: functions that call each other by name and through tables, imports that call back, traps and
// exceptions that the host catches at random. What the module's trace points tell must be the calls that the host's own
// simulation makes: each with its parent, and whether it returned or a trap ended it. With `sample`, the stack that the recorder
// in ./js keeps for samples must be that of the simulation wherever a function begins.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { generator } from "../../support/random.mjs";

const [first, modules, scripts, form, ...options] = process.argv.slice(2);
const TRAP = 0x7fffffff;
const BUDGET = 40;
const MARKS = 0x300000; // of call-kinds
const isSampled = options.some((option) => option.includes("sample"));
const { OpenCalls } = isSampled ? await import(pathToFileURL(resolve("js/recorder/calls/open-calls.mjs"))) : {};

// The host's functions: `print` and `quiet` are imported, `slot` stands in the shared table only.
const HOSTS = ["print", "quiet", "slot"];

/** Functions 0 … n - 1: what each does, whether it is left out, exported, and in which tables. */
function makeProgram(random) {
  const count = 4 + random.below(8);
  const usesTailCalls = random.chance(0.3);
  const functions = [];
  for (let i = 0; i < count; ++i)
    functions.push({
      isLeftOut: random.chance(0.2),
      isExported: random.chance(0.5),
      shared: random.chance(0.4),
      own: random.chance(0.3),
    });
  functions[0].isExported = true;
  const shared = functions.flatMap((f, i) => (f.shared ? [i] : []));
  const own = functions.flatMap((f, i) => (f.own ? [i] : []));
  const makeOps = (self, depth) => {
    const ops = [];
    for (let n = random.below(4); n >= 0; --n) {
      const kind = random.below(depth ? 8 : 10);
      if (kind < 2) ops.push({ kind: "call", to: random.below(count) });
      else if (kind === 2 && shared.length) ops.push({ kind: "shared", to: random.pick(shared) });
      else if (kind === 3 && own.length) ops.push({ kind: "own", to: random.pick(own) });
      else if (kind === 4) ops.push({ kind: "host", to: random.pick(HOSTS) });
      else if (kind === 5) ops.push({ kind: "trap", how: random.pick(["unreachable", "null", "bounds"]) });
      else if (kind === 6) ops.push({ kind: "throw" });
      else if (kind >= 8) ops.push({ kind: "try", body: makeOps(self, depth + 1), handler: makeOps(self, depth + 1) });
    }
    return ops;
  };
  functions.forEach((f, i) => (f.ops = makeOps(i, 0)));
  // What is a way in is no longer open behind a tail call: docs/instrumented-module.md.
  const callees = (op) => [op.to, ...[...(op.body ?? []), ...(op.handler ?? [])].flatMap(callees)];
  const called = new Set(functions.filter((f) => f.isLeftOut).flatMap((f) => f.ops.flatMap(callees)));
  if (usesTailCalls)
    functions.forEach((f, i) => {
      if (f.isExported || f.shared || f.own || f.isLeftOut || called.has(i) || !random.chance(0.5)) return;
      f.tail = random.chance(0.3) && own.length
        ? { kind: "own", to: random.pick(own) }
        : { kind: "call", to: random.below(count) };
    });
  return { functions, shared, own };
}

function textOf({ functions, shared, own }) {
  const name = (i) => (functions[i].isLeftOut ? `$x${i}` : `$f${i}`);
  const target = ({ kind, to }, tail = "") =>
    kind === "call"
      ? `(${tail}call ${name(to)})`
      : kind === "own"
        ? `(${tail}call_indirect $own (type $v) (i32.const ${own.indexOf(to)}))`
        : `(${tail}call_indirect $shared (type $v) (i32.const ${3 + shared.indexOf(to)}))`;
  const write = (ops) => ops.map(writeOp).join("\n");
  const writeOp = (op) => {
    const free = 3 + shared.length;
    switch (op.kind) {
      case "host":
        return op.to === "slot" ? `(call_indirect $shared (type $v) (i32.const ${free}))` : `(call $${op.to})`;
      case "trap": {
        const slot = op.how === "null" ? 1 : 1000;
        const code = op.how === "unreachable" ? "unreachable" : `(call_indirect $shared (type $v) (i32.const ${slot}))`;
        return `(if (global.get $mayTrap) (then ${code}))`;
      }
      case "throw":
        return "(if (global.get $mayThrow) (then (throw $e)))";
      case "try":
        return form === "legacy"
          ? `(try (do ${write(op.body)}) (catch_all ${write(op.handler)}))`
          : `(block $out (block $caught (try_table (catch_all $caught) ${write(op.body)}) (br $out)) ${write(op.handler)})`;
      default:
        return target(op);
    }
  };
  const bodies = functions.map(
    (f, i) => `(func ${name(i)} ${f.isExported ? `(export "f${i}")` : ""}
      (if (i32.eqz (global.get $budget)) (then (return)))
      (global.set $budget (i32.sub (global.get $budget) (i32.const 1)))
      ${write(f.ops)} ${f.tail ? target(f.tail, "return_") : ""})`,
  );
  return `(module (type $v (func))
    (import "m" "print" (func $print)) (import "m" "quiet" (func $quiet))
    (tag $e)
    (table $shared (export "table") ${10 + shared.length} funcref)
    (table $own ${Math.max(1, own.length)} funcref)
    (elem (table $shared) (i32.const 3) func ${shared.map(name).join(" ")})
    (elem (table $own) (i32.const 0) func ${own.map(name).join(" ")})
    (global $budget (export "budget") (mut i32) (i32.const 0))
    (global $mayTrap (export "mayTrap") (mut i32) (i32.const 0))
    (global $mayThrow (export "mayThrow") (mut i32) (i32.const 0))
    (func $last (export "last"))
    ${bodies.join("\n")})`;
}

class Trap extends Error {}
class Thrown extends Error {}
const isTrap = (error) => error instanceof Trap || error instanceof WebAssembly.RuntimeError;

/** The host. `world`: the module or its simulation, { enter, set }. All that it decides is by its seed. */
function runHost(program, world, seed) {
  const random = generator(seed);
  const ways = [
    ...program.functions.flatMap((f, i) => (f.isExported ? [["export", i]] : [])),
    ...program.shared.map((i) => ["table", i]),
  ];
  let nested = 0;
  let slots = 0;
  const change = () => {
    // A function in a table that catches a trap takes the module's knowledge of what is around it:
    // docs/instrumented-module.md.
    world.set("mayTrap", random.chance(0.4) && slots === 0 ? 1 : 0);
    world.set("mayThrow", random.chance(0.3) ? 1 : 0);
  };
  const enter = () => {
    const [how, i] = random.pick(ways);
    try {
      world.enter(how, i);
    } catch (error) {
      if (isTrap(error)) return "trap";
      return "thrown";
    }
    return "returned";
  };
  world.hosts = Object.fromEntries(
    HOSTS.map((name) => [
      name,
      () => {
        if (nested >= 3) return;
        ++nested;
        slots += name === "slot";
        try {
          let threw = false;
          for (let n = random.below(3); n > 0; --n) {
            change();
            threw = enter() === "thrown";
          }
          slots -= name === "slot";
          change();
          if (name !== "slot" && (threw || random.chance(0.1))) throw new Thrown();
        } finally {
          --nested;
        }
      },
    ]),
  );
  for (let n = 2 + random.below(6); n > 0; --n) {
    world.set("budget", BUDGET);
    change();
    enter();
  }
}

/**
 * What the program does, without wasm: [name, parent, end] of each call in the order of their begins. Undefined if a trap
 * ends a recursive call below another one: the end says the function, not which of its calls.
 */
function simulate(program, seed) {
  let isAmbiguous = false;
  const dying = []; // the names of the calls that a trap has ended so far, innermost first
  const calls = [];
  const stack = [];
  const globals = { budget: 0, mayTrap: 0, mayThrow: 0 };
  const follow = (name, run) => {
    const call = [name, stack.at(-1) ?? -1, "open"];
    stack.push(calls.push(call) - 1);
    try {
      run();
      call[2] = "returned";
    } catch (error) {
      call[2] = error instanceof Trap ? "trapped" : "returned";
      if (error instanceof Trap) dying.push(name);
      throw error;
    } finally {
      stack.pop();
    }
  };
  const runOps = (ops) => ops.forEach(runOp);
  const runOp = (op) => {
    if (op.kind === "trap") {
      if (globals.mayTrap) throw new Trap();
    } else if (op.kind === "throw") {
      if (globals.mayThrow) throw new Thrown();
    } else if (op.kind === "host") {
      if (op.to === "print") follow("print", () => world.hosts.print());
      else world.hosts[op.to]();
    } else if (op.kind === "try") {
      try {
        runOps(op.body);
      } catch (error) {
        if (error instanceof Trap) throw error;
        runOps(op.handler);
      }
    } else {
      runFunction(op.to);
    }
  };
  const runFunction = (i) => {
    const f = program.functions[i];
    let tail = f.tail;
    const body = () => {
      if (globals.budget === 0) return (tail = undefined);
      --globals.budget;
      runOps(f.ops);
    };
    f.isLeftOut ? body() : follow(`f${i}`, body);
    if (tail) runFunction(tail.to);
  };
  const enter = (_, i) => {
    dying.length = 0;
    try {
      runFunction(i);
    } catch (error) {
      const root = dying.at(-1);
      isAmbiguous ||= stack.length > 0 && dying.indexOf(root) < dying.length - 1;
      dying.length = 0;
      throw error;
    }
  };
  const world = { enter, set: (name, value) => (globals[name] = value) };
  runHost(program, world, seed);
  follow("last", () => {});
  return isAmbiguous ? undefined : calls;
}

// A function of the host that tables take.
const asFunction = (() => {
  const module = new WebAssembly.Module(
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 2, 5, 1, 0, 0, 0, 0, 7, 5, 1, 1, 0x66, 0, 0]),
  );
  return (f) => new WebAssembly.Instance(module, { "": { "": f } }).exports.f;
})();

function run(program, module, names, seed) {
  const events = [];
  const stacks = [];
  const open = isSampled ? new OpenCalls() : undefined;
  const nameOf = ({ id }) => names.get(id & ~MARKS);
  const enterFrame = (id) => {
    events.push(id);
    open.follow(1, id);
    if (id !== TRAP) stacks.push(open.list().map(nameOf));
  };
  const leaveFrame = (id) => open.follow(1, -id);
  const world = {};
  const imports = {
    builtin: { tracePoint: (id) => events.push(id), enterFrame, leaveFrame, sample: () => 2n ** 63n - 1n },
    m: { print: () => world.hosts.print(), quiet: () => world.hosts.quiet() },
  };
  const { exports } = new WebAssembly.Instance(module, imports);
  const { table } = exports;
  table.set(3 + program.shared.length, asFunction(() => world.hosts.slot()));
  world.set = (name, value) => (exports[name].value = value);
  world.enter = (how, i) => {
    if (how === "export") exports[`f${i}`]();
    else table.get(3 + program.shared.indexOf(i))();
  };
  runHost(program, world, seed);
  exports.last();
  return { found: isSampled ? stacks : replay(events, names), traps: events.filter((id) => id === TRAP).length };
}

/** Of each call, its stack where it begins, innermost first. */
function stacksOf(calls) {
  const stackOf = (i) => (i < 0 ? [] : [calls[i][0], ...stackOf(calls[i][1])]);
  return calls.map((_, i) => stackOf(i));
}

function replay(events, names) {
  const calls = [];
  const open = [];
  let traps = 0;
  for (const event of events) {
    if (event === TRAP) {
      ++traps;
    } else if (event > 0) {
      open.push({ id: event, call: calls.push([names.get(event & ~MARKS), open.at(-1)?.call ?? -1, "open"]) - 1 });
    } else if (traps > 0) {
      assert.ok(open.some(({ id }) => id === -event), `trap ends ${names.get(-event)}, which is not open`);
      let ended;
      do calls[(ended = open.pop()).call][2] = "trapped";
      while (ended.id !== -event || (traps > 1 && open.some(({ id }) => id === -event)));
      traps = 0;
    } else {
      const ended = open.pop();
      assert.equal(ended?.id, -event, `${names.get(-event)} ends in ${names.get(ended?.id)}`);
      calls[ended.call][2] = "returned";
    }
  }
  return calls;
}

let compared = 0, total = 0, traps = 0;
for (let m = 0; m < modules; ++m) {
  const seed = Number(first) + m;
  const program = makeProgram(generator(seed));
  writeFileSync("program.wat", textOf(program));
  execFileSync("warpo-instrument", ["-q", "program.wat", "-o", "program.wasm", "--trace-point-mapping-file", "map",
    "--exclude=x*", "--exclude=quiet", "--exclude=m.quiet", ...options]);
  const lines = readFileSync("map", "utf8").trim().split("\n");
  const names = new Map(lines.map((line) => line.split(" ")).map(([id, name]) => [Number(id), name]));
  const module = new WebAssembly.Module(readFileSync("program.wasm"));
  for (let s = 0; s < scripts; ++s) {
    const expected = simulate(program, seed * 1000 + s);
    if (expected === undefined) continue;
    let actual;
    try {
      actual = run(program, module, names, seed * 1000 + s);
      assert.deepEqual(actual.found, isSampled ? stacksOf(expected) : expected);
    } catch (error) {
      console.error(`module ${seed}, script ${s}: ${error.message}`);
      process.exit(1);
    }
    traps += actual.traps;
    ++compared;
    total += expected.length;
  }
}
assert.ok(traps > 0, "no trap at all");
console.log(`${compared} of ${modules * scripts} programs agree: ${total} calls, ${traps} traps`);
