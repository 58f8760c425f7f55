// SPDX-License-Identifier: Apache-2.0
// Stacks of V8's profiler, as frames of modules and of the host around and between them.
//
// V8 names a frame of wasm by a URL of its module and the offset at which the function's code begins. The module of a
// URL is found by the offsets that occur with it, or by its bytes if several modules match.

import { blake3 } from "../modules/blake3.mjs";

const WASM = "wasm://";

// The folder of this package.
const OWN = new URL("../..", import.meta.url).href;

const isOwn = ({ url }) => url.startsWith(OWN);
/** What of it takes the place of functions of the engine, and calls these: what they do then is the program's. */
const STAND_INS = new Set(
  ["hook", "calls/suspension", "node/file-names", "node/worker-hook"].map((name) => `${OWN}recorder/${name}.mjs`),
);
/** The engine's own functions, which may do something for any other. */
const isOfEngine = ({ url }) => url === "" || url.startsWith("node:");

const isWasm = ({ url }) => url.startsWith(WASM);
/** Of nodes as of readProfile(): whether any is a function of a module. */
export const hasWasm = (nodes) => nodes.some(({ callFrame }) => isWasm(callFrame) && !isWrapper(callFrame));

/** V8's own code between JavaScript and wasm, such as `wasm-to-js:i:v-log` and `GenericJSToWasmWrapper`. */
const isWrapper = ({ functionName }) =>
  /^((js-to-wasm|wasm-to-js)(:.*)?|\w*(JSToWasm|WasmToJS)\w*)$/i.test(functionName);

/** `log (app.js)`, `writeSync (node:fs)`, `(garbage collector)` */
function textOf({ functionName, url }) {
  const name = functionName || "(anonymous)";
  if (isWasm({ url })) return `${name} (wasm)`;
  const scheme = url.match(/^(?:node|data):/)?.[0];
  // The rest of an address that holds its data is the code itself.
  const file = scheme === "data:" ? scheme : scheme === "node:" ? url : url.slice(url.lastIndexOf("/") + 1);
  return file === "" ? name : `${name} (${file})`;
}

/** Of these PlainModules, the first of each that have the same bytes. */
function distinct(modules) {
  if (modules.length < 2) return modules;
  const found = new Map();
  for (const module of modules) {
    const hash = String(module.hash);
    if (!found.has(hash)) found.set(hash, module);
  }
  return [...found.values()];
}

/** V8 may call modules by the same URL: Node 20 does if they are large and of the same size. */
const scriptOf = ({ scriptId, url }) => `${scriptId} ${url}`;

/**
 * Of each script of wasm among `nodes`, by scriptOf(): its `scriptId` and `url`, and the `offsets` that occur with it.
 */
function scriptsOf(nodes) {
  const scripts = new Map();
  for (const { callFrame } of nodes) {
    if (!isWasm(callFrame) || isWrapper(callFrame)) continue;
    const { scriptId, url, columnNumber } = callFrame;
    const script = scriptOf(callFrame);
    if (!scripts.has(script)) scripts.set(script, { scriptId, url, offsets: new Set() });
    scripts.get(script).offsets.add(columnNumber);
  }
  return scripts;
}

/**
 * The hashes of the modules that this script may be. V8 may have forgotten it, and another thread knows it by another
 * id: then all with its URL.
 */
function hashesOf({ scriptId, url }, known) {
  const ofUrl = known.filter((each) => each.url === url);
  const own = ofUrl.filter((each) => each.scriptId === scriptId);
  return new Set((own.length > 0 ? own : ofUrl).map(({ bytes }) => String(blake3(bytes))));
}

/** Which of `modules` each script among `nodes` is, in a Map by scriptOf(); undefined where that is not known. */
function modulesByScript(nodes, modules, modulesAt) {
  const scripts = scriptsOf(nodes);
  const candidates = new Map();
  for (const [script, { offsets }] of scripts) {
    const has = (module) => [...offsets].every((offset) => module.idAt(offset) !== undefined);
    candidates.set(script, distinct(modules.filter(has)));
  }
  const alike = [...scripts.keys()].filter((script) => candidates.get(script).length > 1);
  const urls = new Set(alike.map((script) => scripts.get(script).url));
  const known = alike.length > 0 ? modulesAt([...urls], new Set(alike.flatMap((script) => candidates.get(script)))) : [];
  for (const script of alike) {
    const hashes = hashesOf(scripts.get(script), known);
    candidates.set(script, candidates.get(script).filter((module) => hashes.has(String(module.hash))));
  }
  return new Map(Array.from(candidates, ([script, found]) => [script, found.length === 1 ? found[0] : undefined]));
}

/**
 * A stack, outermost first, with one frame for all that the recorder did. Where the recorder called the program, or a
 * function of the engine for it, the stack is the program's.
 */
function withoutOwn(path) {
  let end = path.length;
  while (end > 0 && (isOwn(path[end - 1]) || isOfEngine(path[end - 1]))) --end;
  const first = path.findIndex((callFrame, i) => i >= end && isOwn(callFrame));
  const isProgram = (callFrame) => !isOwn(callFrame);
  if (first < 0) return path.filter(isProgram);
  const last = path.findLastIndex(isOwn);
  const calledForProgram = STAND_INS.has(path[last].url) ? path.slice(last + 1) : [];
  const innermost = calledForProgram.length > 0 ? calledForProgram : [RECORDER];
  return [...path.slice(0, first).filter(isProgram), ...innermost];
}

const RECORDER = { functionName: "(recorder)", url: "" };
/** Makes the program's instances: what the engine does then is the program's. */
const MAKER = `${OWN}host/program.mjs`;

/** The one frame of a stack without wasm, outside of the program. */
function frameOfHost(path) {
  const last = path.findLastIndex(isOwn);
  const called = path.slice(last + 1);
  const isForProgram = called.length > 0 && (last < 0 || path[last].url === MAKER || !called.every(isOfEngine));
  return isForProgram ? called.slice(-1) : [RECORDER];
}

export class ProfiledStacks {
  #moduleOf; // by scriptOf()
  #frames = new Map(); // by node: of the whole stack, outermost first
  #isWhole;

  /**
   * `nodes` of EngineProfiler.stop(), `modules` are PlainModules. `isWhole`: with the frames around the outermost of
   * wasm; else those are the host's, and a stack without wasm is its innermost frame, or one for all that warpo's host
   * did. `modulesAt(urls, modules)`: what
   * EngineProfiler.modulesAt() knows of these URLs, which stand for some of these modules.
   */
  constructor(nodes, modules, isWhole, modulesAt) {
    this.#isWhole = isWhole;
    this.#moduleOf = modulesByScript(nodes, modules, modulesAt);
  }

  /**
   * The frames of a node's stack, outermost first, `{ module, id }` (a PlainModule and a function's
   * id) or `{ text }`.
   */
  framesOf(node) {
    const known = this.#frames.get(node);
    if (known !== undefined) return known;
    const path = [];
    for (let at = node; at.parent !== undefined; at = at.parent) path.push(at.callFrame);
    path.reverse();
    const program = path.findIndex(isWasm);
    const ofProgram = () => (program < 0 ? frameOfHost(path) : path.slice(program));
    const frames = (this.#isWhole ? withoutOwn(path) : ofProgram())
      .map((callFrame) => this.#frameOf(callFrame))
      .filter((frame) => frame !== undefined);
    this.#frames.set(node, frames);
    return frames;
  }

  /** Undefined of a wrapper; a function of the program may be called so too. */
  #frameOf(callFrame) {
    const module = this.#moduleOf.get(scriptOf(callFrame));
    const id = module?.idAt(callFrame.columnNumber);
    if (id !== undefined) return { module, id };
    return isWrapper(callFrame) ? undefined : { text: textOf(callFrame) };
  }
}
