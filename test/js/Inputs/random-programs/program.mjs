// Programs at random: modules whose functions ask their host what to do next, and how they are instantiated. What a function can do at all, such as whom it
// calls by name, is made here; what it does, the host decides when it runs (host.mjs).

const SLOTS = 6; // of the table that all instances share
const HOST_SLOT = SLOTS - 1;
const CONTINUATIONS = 2; // that wait in an instance, at most

/**
 * `features`: of FEATURES (random-programs.mjs), a Set. An instance is { module, imports }: of each import, the function of an earlier
 * instance that it is, { instance, to }, or undefined where the host has one of its own. `slots` are those of the shared table.
 */
export function makeProgram(random, features) {
  const has = (feature) => features.has(feature);
  // Unwinding goes through one module only.
  const count = has("asyncify") || !has("instances") ? 1 : 1 + random.below(3);
  const modules = Array.from({ length: count }, (_, number) => makeModule(random, number, has));
  const instances = [];
  const anExport = (i) => ({ instance: i, to: random.pick(exportsOf(modules[instances[i].module])) });
  const total = has("asyncify") || !has("instances") ? 1 : count + (has("twins") ? random.below(2) : 0);
  for (let i = 0; i < total; ++i) {
    const module = i < count ? i : random.below(count);
    const imports = modules[module].imports.map(() => (i > 0 && random.chance(0.6) ? anExport(random.below(i)) : undefined));
    instances.push({ module, imports });
  }
  const slots = Array.from({ length: SLOTS }, (_, slot) => (slot === HOST_SLOT ? undefined : anExport(random.below(total))));
  if (has("starts")) modules.push(starterOf(count));
  return { modules, instances, slots };
}

/** A module that the host makes instances of, now and then: its start function calls the host, and may trap then. */
const starterOf = (number) => ({ number, isStarter: true, functions: [], hosts: [], imports: [] });
const textOfStarter = ({ number }) => `(module $m${number}
    (import "env" "host" (func $m${number}host))
    (import "env" "traps" (func $x${number}traps (result i32)))
    (func $m${number}inner (call $m${number}host) (if (call $x${number}traps) (then (unreachable))))
    (func $m${number}start (call $m${number}inner))
    (start $m${number}start))`;

export const exportsOf = ({ functions }) => functions.flatMap(({ isExported }, i) => (isExported ? [i] : []));

function makeModule(random, number, has) {
  const size = 2 + random.below(4);
  const functions = Array.from({ length: size }, (_, i) => ({
    name: `${has("left-out") && random.chance(0.15) ? "x" : "m"}${number}f${i}`,
    isExported: random.chance(0.5),
    isOwn: random.chance(0.4),
  }));
  functions[0].isExported = true;
  functions[0].name = `m${number}f0`;
  const own = functions.flatMap(({ isOwn }, i) => (isOwn ? [i] : []));
  const hosts = ["print", "quiet"].map((kind) => ({ kind, name: `${kind === "quiet" ? "x" : "m"}${number}${kind}` }));
  const imports = Array.from({ length: has("instances") ? 2 : 0 }, (_, i) => ({
    name: `${has("left-out") && random.chance(0.5) ? "x" : "m"}${number}i${i}`,
  }));
  functions.forEach((f) => {
    const kinds = ["call", "call", "call", "host", "host", "host", "next"];
    if (own.length > 0) kinds.push("own");
    if (imports.length > 0) kinds.push("import", "import", "shared");
    if (has("promises") || has("asyncify")) kinds.push("wait", "wait");
    if (has("continuations")) kinds.push(...["resume", "suspend"].flatMap((kind) => Array(4).fill(kind)));
    if (has("traps")) kinds.push("trap");
    if (has("exceptions")) kinds.push("throw", "try", "try");
    f.ops = Array.from({ length: 3 + random.below(4) }, () => makeOp(random.pick(kinds)));
  });
  // What is a way in is no longer open behind a tail call, nor is what a left-out function calls: docs/instrumented-module.md.
  const isLeftOut = ({ name }) => name.startsWith("x");
  const callees = new Set(functions.filter(isLeftOut).flatMap(({ ops }) => ops.map(({ kind, to }) => (kind === "call" ? to : -1))));
  functions.forEach((f, i) => {
    const isWayIn = f.isExported || f.isOwn || isLeftOut(f) || callees.has(i);
    if (has("tail-calls") && !isWayIn && random.chance(0.5)) f.ops.push({ ...makeOp("call"), isTail: true });
  });
  function makeOp(kind) {
    const to = { call: size, own: own.length, import: imports.length, shared: SLOTS, host: hosts.length }[kind];
    if (kind === "trap") return { kind, how: random.pick(["unreachable", "(drop (i32.div_u (i32.const 1) (i32.const 0)))"]) };
    if (kind === "try") return { ...makeOp(random.pick(has("continuations") ? ["call", "resume"] : ["call", "host"])), isTry: true };
    if (kind === "resume") return { kind, to: random.below(size), slot: random.below(CONTINUATIONS), tags: random.pick([["y"], ["y", "z"]]) };
    if (kind === "suspend") return { kind, tag: random.pick(["y", "z"]) };
    const target = to && random.below(to);
    return { kind, to: kind === "own" ? own[target] : target, slot: target };
  }
  return { number, functions, own, hosts, imports, nextName: `${random.chance(0.7) ? "x" : "m"}${number}next`, givenName: `x${number}given`, waitName: `m${number}wait` };
}

/** `has`: see makeProgram. */
export function textOf(module, has) {
  if (module.isStarter) return textOfStarter(module);
  const { number, functions, own, hosts, imports, nextName, givenName, waitName } = module;
  const parameters = "(local.get $stack)";
  const call = ({ kind, to, slot, tags }, tail = "") => {
    if (kind === "call") return `(${tail}call $${functions[to].name} ${parameters})`;
    if (kind === "own") return `(call_indirect $own (type $v) ${parameters} (i32.const ${slot}))`;
    if (kind === "shared") return `(call_indirect $shared (type $v) ${parameters} (i32.const ${slot}))`;
    if (kind === "import") return `(call $${imports[to].name} ${parameters})`;
    if (kind === "host") return `(call $${hosts[to].name} ${parameters})`;
    if (kind === "resume") return resume({ to, slot, tags });
    return `(call $${waitName} ${parameters})`;
  };
  // What waits in the slot goes on, else a function begins on a stack of its own; what is suspended meanwhile waits there.
  const resume = ({ to, slot, tags }) => `(block $done (block $suspended (result (ref $c))
      (if (ref.is_null (global.get $k${slot})) (then (global.set $k${slot} (cont.new $c (ref.func $${functions[to].name})))))
      (local.set $k (global.get $k${slot}))
      (global.set $k${slot} (ref.null $c))
      (resume $c ${tags.map((tag) => `(on $${tag} $suspended)`).join(" ")} (call $${givenName}) (local.get $k))
      (br $done)) (global.set $k${slot}))`;
  const write = (op) => {
    if (op.kind === "next") return "";
    if (op.kind === "trap") return op.how;
    if (op.kind === "throw") return "(throw $e)";
    if (op.kind === "suspend") return `(drop (suspend $${op.tag}))`;
    if (op.isTail) return call(op, "return_");
    return op.isTry ? `(try (do ${call(op)}) (catch_all))` : call(op);
  };
  const bodies = functions.map(
    ({ name, isExported, ops }, i) => `(func $${name} ${isExported ? `(export "f${i}")` : ""} (param $stack i32) (local $what i32) ${has("continuations") ? "(local $k (ref null $c))" : ""}
      (loop $again
        (local.set $what (call $${nextName} (local.get $stack) (i32.const ${i})))
        (if (i32.eqz (local.get $what)) (then (return)))
        ${ops.map((op, o) => `(if (i32.eq (local.get $what) (i32.const ${o + 1})) (then ${write(op)}))`).join("\n")}
        (br $again)))`,
  );
  const isShared = imports.length > 0;
  const globals = Array.from({ length: CONTINUATIONS }, (_, i) => `(global $k${i} (mut (ref null $c)) (ref.null $c))`);
  return `(module $m${number} (type $v (func (param i32)))
    ${has("continuations") ? `(type $c (cont $v)) (import "env" "given" (func $${givenName} (result i32)))` : ""}
    (import "env" "next" (func $${nextName} (param i32 i32) (result i32)))
    ${hosts.map(({ name }, i) => `(import "env" "host${i}" (func $${name} (param i32)))`).join("\n")}
    ${imports.map(({ name }, i) => `(import "env" "import${i}" (func $${name} (param i32)))`).join("\n")}
    ${has("promises") || has("asyncify") ? `(import "env" "wait" (func $${waitName} (param i32)))` : ""}
    ${isShared ? `(import "env" "table" (table $shared ${SLOTS} funcref))` : ""}
    ${has("asyncify") ? `(memory (export "memory") 4) (func $m${number}leaf (export "leaf"))` : ""}
    (table $own ${Math.max(1, own.length)} funcref)
    (elem (table $own) (i32.const 0) func ${own.map((i) => `$${functions[i].name}`).join(" ")})
    ${has("exceptions") ? "(tag $e)" : ""}
    ${has("continuations") ? `(tag $y (result i32)) (tag $z (result i32)) ${globals.join(" ")}` : ""}
    ${has("continuations") ? `(elem declare func ${functions.map(({ name }) => `$${name}`).join(" ")})` : ""}
    ${bodies.join("\n")})`;
}
