// SPDX-License-Identifier: Apache-2.0
// A program: its modules, linked by name, and all their imports.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isAdded, isInstrumented, isSectionCall, isStore } from "../recorder/modules/builtin-imports.mjs";
import { importsOf } from "../recorder/modules/module-parts.mjs";
import { readIdentity } from "../recorder/modules/recorded-module.mjs";
import { systemMessage } from "../recorder/record/system-message.mjs";
import { assemblyScriptImports, readString } from "./assemblyscript.mjs";
import { RunFailure } from "./failures.mjs";
import { fuelLimiter } from "./fuel-limit.mjs";
import { exportStart } from "./start-section.mjs";
import { wasiImports } from "./wasi.mjs";
import { readModuleTypes } from "../recorder/modules/wasm-types.mjs";

function readModule(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RunFailure(`${path}: ${systemMessage(error)}`);
  }
}

function compile(path, bytes) {
  try {
    let module = new WebAssembly.Module(bytes);
    const types = readModuleTypes(bytes);
    const start = exportStart(bytes, types);
    if (start.name !== undefined) module = new WebAssembly.Module(start.bytes);
    return { path, module, bytes, code: start.bytes, types, startName: start.name };
  } catch (error) {
    throw new RunFailure(`${path}: ${error.message}${adviceAfter(error, bytes)}`);
  }
}

/** Advice after a compile error: Node 20 supports only one memory, and instrumenting may add a second one. */
function adviceAfter({ message }, bytes) {
  if (!/memory count of \d+ exceeds|At most one memory/.test(message)) return "";
  const elsewhere = importsOf(bytes).some(isStore) ? "events may go to the host (--events-in=host)" : "counts may be in globals (--counters-in=globals)";
  return `; newer versions of Node take several memories, and ${elsewhere}`;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Imports of an instrumented module that this host provides. */
const isOfRecorder = (entry) => isAdded(entry) || (entry.module === "builtin" && isSectionCall(entry.name));

function identityOf({ module, path }) {
  try {
    return readIdentity(module);
  } catch (error) {
    throw new RunFailure(`${path}: ${error.message}`);
  }
}

/** Modules without an identity get their position on the command line, from 1. */
function identify(units) {
  units.forEach((unit, i) => {
    unit.number = i;
    unit.instrumented = isInstrumented(unit.module);
    unit.id = identityOf(unit)?.id ?? BigInt(i + 1);
    const twin = units
      .slice(0, i)
      .find((other) => other.id === unit.id && other.instrumented && unit.instrumented);
    if (twin)
      throw new RunFailure(`${unit.path}: its module id ${unit.id} is also that of ${twin.path}`);
  });
}

/** Reads `app` and the linked modules (`[[name, path]]`). The app is the first of the result. */
export function loadProgram(app, links, phases) {
  const files = [[undefined, app], ...links];
  phases.begin("decode");
  const contents = files.map(([, path]) => readModule(path));
  phases.end("bytes", sum(contents.map(({ length }) => length)));
  phases.begin("compile");
  const units = files.map(([name, path], i) => ({ ...compile(path, contents[i]), name }));
  phases.end("functions", sum(units.map(({ types }) => types.functionCount)));
  identify(units);
  return units;
}

/** The app comes last: it imports from the others. */
export const inOrderOfRun = ([app, ...others]) => [...others, app];

/** The context of host functions: the instance that they serve. */
function makeContext(unit, options) {
  return {
    module: unit.module,
    args: options.args,
    env: options.env,
    get instance() {
      return unit.instance;
    },
    get exports() {
      return unit.instance?.exports ?? {};
    },
    get memory() {
      return unit.instance?.exports.memory ?? unit.memory;
    },
    readString(pointer) {
      return readString(this.memory, pointer);
    },
  };
}

async function hostImports(file, context) {
  if (file === undefined) return {};
  let provided;
  try {
    provided = (await import(pathToFileURL(resolve(file)))).default;
    if (typeof provided === "function") provided = await provided(context);
  } catch (error) {
    throw new RunFailure(`${file}: ${error.stack ?? error}`);
  }
  if (typeof provided !== "object" || provided === null)
    throw new RunFailure(
      `${file}: its default export is neither an object of imports nor a function that returns one`,
    );
  return provided;
}

/** Memories and tables that a module imports from `env`, within the limits that it declares. */
function madeImports(unit) {
  const made = {};
  for (const { module, name, kind, limits, element } of unit.types.imports) {
    if (module !== "env" || limits.is64) continue;
    if (kind === "memory") made[name] = new WebAssembly.Memory(limits);
    else
      made[name] = new WebAssembly.Table({
        ...limits,
        element: element === "externref" ? "externref" : "anyfunc",
      });
  }
  return made;
}

function checkImports(unit, imports) {
  const missing = WebAssembly.Module.imports(unit.module)
    .filter(({ module, name }) => imports[module]?.[name] === undefined)
    .filter((entry) => !isOfRecorder(entry))
    .map(({ module, name, kind }) => `${module}.${name} (${kind})`);
  if (missing.length !== 0)
    throw new RunFailure(
      `${unit.path}: nothing provides ${missing.join(", ")}; ` +
        "give it with --host=<file.mjs> or --link=<name>=<file.wasm>",
    );
}

/**
 * Instantiates a unit and runs its start function. `linked`: exports of the modules before it, by module name;
 * `tracePointOf(unit, imports)`: its trace point, by the name it imports it under. `options`: `args`, `env`, `preopens`,
 * `host`, `fuelLimit`; `leave(error)` ends the program from anywhere; `phases` and `running` follow its phases;
 * `attach(unit)` is called once the unit is complete; `world` of a deterministic run; `seed()`.
 */
export async function instantiate(unit, linked, tracePointOf, options) {
  options.phases.begin("link");
  const context = makeContext(unit, options);
  const wasi = await wasiImports(unit.module, {
    args: options.args,
    env: options.env,
    preopens: options.preopens,
    leave: options.leave,
    world: options.world,
  });
  const host = await hostImports(options.host, context);
  const imports = {
    ...wasi.imports,
    env: { ...assemblyScriptImports(context, options.leave, options.seed), ...madeImports(unit) },
  };
  // Imports given by the user override ours.
  for (const provided of [linked, host])
    for (const [name, members] of Object.entries(provided))
      imports[name] = { ...imports[name], ...members };
  checkImports(unit, imports);
  options.phases.end("imports", WebAssembly.Module.imports(unit.module).length);
  // Opens the record. Not earlier: a program that cannot run must not overwrite the record of an earlier run.
  const outOfFuel = fuelLimiter(options.fuelLimit, options.leave);
  imports.builtin = { ...imports.builtin, outOfFuel, ...(unit.instrumented && tracePointOf(unit, imports)) };
  // An imported memory is the one that host functions use, whoever provides it.
  const memory = WebAssembly.Module.imports(unit.module).find((entry) => entry.kind === "memory" && !isStore(entry));
  unit.memory = memory && imports[memory.module][memory.name];
  options.running.begin("start");
  unit.instance = await WebAssembly.instantiate(unit.module, imports);
  const { exports } = unit.instance;
  wasi.start(exports.memory ?? unit.memory);
  if (unit.startName !== undefined) exports[unit.startName]();
  exports._initialize?.();
  options.running.end();
  options.attach(unit);
  return exports;
}
