// An instrumenter that has nothing in common with the one that it judges: it changes Binaryen's
// text of a module, and of a function's code only where tail calls go.
//
// Every function `$f` gets a new name, and in its place stands one that tells the host of the
// begin, calls it, and tells of the end. So whatever way the code takes out of a function, by a
// branch, a return, an exception, wasm itself leads it through the end. A tail call goes through a
// function that tells the host first: the host keeps a stack, and drops the end that comes later.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const binaryen = fileURLToPath(new URL("../../../node_modules/binaryen/bin/", import.meta.url));
const firstId = 0x1000000;
const features = ["-all", "--disable-compact-imports"];
const runBinaryen = (name, ...args) =>
  execFileSync(process.execPath, [binaryen + name, ...features, ...args]);

// The lists that stand side by side in a text.
function lists(text) {
  const found = [];
  for (let depth = 0, begin = 0, i = 0; i < text.length; ++i) {
    if (text[i] === "(" && depth++ === 0) begin = i;
    else if (text[i] === ")" && --depth === 0) found.push(text.slice(begin, i + 1));
  }
  return found;
}

// The items of a list such as `(param $name (ref $type))`, but for its first word.
function items(list) {
  const inner = list.slice(1, -1);
  const words = lists(inner);
  for (const word of words) list = list.replace(word, "");
  return [...list.slice(1, -1).trim().split(/\s+/).slice(1), ...words];
}

// Of a function's type, written `(type $t) (param $a i32) (result i32)`: itself, the types of the
// parameters, and the results.
function signature(text) {
  const parts = lists(text).filter((part) => /^\((type|param|result) /.test(part));
  return {
    text: parts.join(" "),
    params: parts.filter((part) => part.startsWith("(param "))
      .flatMap((part) => items(part).filter((item) => !item.startsWith("$"))),
    results: parts.find((part) => part.startsWith("(result ")) ?? "",
  };
}

const parameters = (params) => params.map((_, i) => `local.get ${i}`).join(" ");

// A function that calls another one of its own type between begin and end, with what becomes of
// exceptions in one of the forms.
const wrappers = {
  none: (begin, call, end) => `${begin} ${call} ${end}`,
  legacy: (begin, call, end, results) =>
    `${begin} try ${results} ${call} catch_all ${end} rethrow 0 end ${end}`,
  exnref: (begin, call, end) =>
    `${begin} block $caught (result exnref)
       try_table (catch_all_ref $caught) ${call} ${end} return end unreachable
     end ${end} throw_ref`,
};

// Functions for tail calls: each tells the host that its caller ends, and makes the call.
class TailCalls {
  names = new Map();
  functions = [];

  constructor(module) {
    this.module = module;
  }

  // What a line that begins a tail call becomes. Behind the arguments stands what is called.
  patch(line, caller) {
    const [begin, head, instruction, target] =
      /^(\s*\()(return_call\S*) ((?:\S+ )?\(type \S+\)|\S+)/.exec(line);
    const { signatures, types, tables64 } = this.module;
    const callee = {
      return_call: () => [signatures.get(target)],
      return_call_ref: () => [types.get(target), `(ref null ${target})`],
      return_call_indirect: () => [types.get(/\(type (\S+)\)/.exec(target)[1]),
                                   tables64.has(target.split(" ")[0]) ? "i64" : "i32"],
    }[instruction];
    const [{ params, results }, ...reference] = callee();
    const key = `${caller.id} ${instruction} ${target}`;
    if (!this.names.has(key)) {
      this.names.set(key, `$tail:${this.names.size}`);
      const all = [...params, ...reference];
      const type = [...all.map((param) => `(param ${param})`), results].join(" ");
      this.functions.push(`(func ${this.names.get(key)} ${type}
        i32.const ${caller.id} call $tailed ${parameters(all)} ${instruction} ${target})`);
    }
    return line.replace(begin, `${head}return_call ${this.names.get(key)}`);
  }
}

// What a text says of its functions, which are given their ids in order.
function readText(lines) {
  const module = {
    functions: new Map(), signatures: new Map(), types: new Map(), tables64: new Set(),
  };
  for (const line of lines) {
    const type = /^ *\(type (\S+) .*?\(func/.exec(line);
    const table = /^ \(table (\S+) i64 /.exec(line);
    const imported = /^ \(import "((?:[^"\\]|\\.)*)" "(?:[^"\\]|\\.)*" \(func (\S+)/.exec(line);
    const defined = /^ \(func (\S+)/.exec(line);
    if (type) module.types.set(type[1], signature(line.slice(type[0].length)));
    if (table) module.tables64.add(table[1]);
    const [name] = (imported ?? defined ?? []).slice(-1);
    if (!name) continue;
    const header = line.slice((imported ?? defined)[0].length).replace("(exact ", "");
    module.signatures.set(name, signature(header));
    if (imported?.[1] === "builtin") continue;
    const number = module.functions.size;
    module.functions.set(name, {
      id: firstId + number, inner: `$inner:${number}`, isImported: Boolean(imported),
    });
  }
  return module;
}

/// Ids count up over the functions, imported ones first, none of the module `builtin`.
export function instrumentText(text, form) {
  const lines = text.split("\n");
  const module = readText(lines);
  const tails = new TailCalls(module);
  let current;
  const patched = lines.map((line) => {
    const [whole, begin, name] = /^( \((?:import .* \()?func )(\S+)/.exec(line) ?? [];
    const exported = /^ \(export .* \(func (\S+?)\)\)$/.exec(line);
    if (module.functions.has(name)) {
      current = module.functions.get(name);
      return line.replace(whole, begin + current.inner);
    }
    // Exports of an import stay the import itself.
    const target = module.functions.get(exported?.[1]);
    if (target?.isImported) return line.replace(`(func ${exported[1]})`, `(func ${target.inner})`);
    return line.includes("(return_call") ? tails.patch(line, current) : line;
  });
  const wrapped = [...module.functions].map(([name, { id, inner }]) => {
    const { text: type, params, results } = module.signatures.get(name);
    const body = wrappers[form](`i32.const ${id} call $begun`, `${parameters(params)} call ${inner}`,
                                `i32.const ${id} call $ended`, results);
    return `(func ${name} ${type} ${body})`;
  });
  const host = ["begun", "ended", "tailed"]
    .map((name) => `(import "oracle" "${name}" (func $${name} (param i32)))`);
  const [first, ...rest] = patched.slice(0, patched.lastIndexOf(")"));
  return [first, ...host, ...rest, ...tails.functions, ...wrapped, ")"].join("\n");
}

/// Instruments a module in a file; `form` as of `--unwind`, but `auto`. Returns the new bytes.
export function instrument(path, form, prefix) {
  runBinaryen("wasm-dis", path, "-o", `${prefix}.wat`);
  const text = readFileSync(`${prefix}.wat`, "utf8");
  writeFileSync(`${prefix}.oracle.wat`, instrumentText(text, form));
  runBinaryen("wasm-as", `${prefix}.oracle.wat`, "-o", `${prefix}.oracle.wasm`);
  return readFileSync(`${prefix}.oracle.wasm`);
}

/// What such a module imports from `oracle`: hands on each begin and end as a trace point would.
export function host(tracePoint) {
  const open = [];
  return {
    begun(id) {
      open.push({ id, hasEnded: false });
      tracePoint(id);
    },
    tailed(id) {
      open.findLast((call) => call.id === id).hasEnded = true;
      tracePoint(-id);
    },
    // Not always the innermost: a continuation may rest, and a trap leaves calls open.
    ended(id) {
      const [call] = open.splice(open.findLastIndex((call) => call.id === id), 1);
      if (!call.hasEnded) tracePoint(-id);
    },
  };
}
