// SPDX-License-Identifier: Apache-2.0
// Stacks of V8's profiler, as frames of modules and of the host around and between them.
//
// V8 names a frame of wasm by a URL of its module and the offset at which the function's code begins.
// The offsets that occur with the URL tell which module it belongs to.

const WASM = "wasm://";

// Of this package.
const OWN = new URL("..", import.meta.url).href;

const isOwn = ({ url }) => url.startsWith(OWN);
/** What of it takes the place of functions of the engine, and calls these: what they do then is the program's. */
const STAND_INS = new Set(["hook", "suspension", "file-names", "worker-hook"].map((name) => `${OWN}recorder/${name}.mjs`));
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
  const file = url.startsWith("node:") ? url : url.slice(url.lastIndexOf("/") + 1);
  return file === "" ? name : `${name} (${file})`;
}

/**
 * A stack, outermost first, with one frame for all that the recorder did. Where the recorder called the program, or a function of the
 * engine for it, the stack is the program's.
 */
function withoutOwn(path) {
  let end = path.length;
  while (end > 0 && (isOwn(path[end - 1]) || isOfEngine(path[end - 1]))) --end;
  const first = path.findIndex((callFrame, i) => i >= end && isOwn(callFrame));
  const isProgram = (callFrame) => !isOwn(callFrame);
  if (first < 0) return path.filter(isProgram);
  const last = path.findLastIndex(isOwn);
  const calledForProgram = STAND_INS.has(path[last].url) ? path.slice(last + 1) : [];
  const innermost = calledForProgram.length > 0 ? calledForProgram : [{ functionName: "(recorder)", url: "" }];
  return [...path.slice(0, first).filter(isProgram), ...innermost];
}

export class ProfiledStacks {
  #moduleOf = new Map(); // by URL
  #frames = new Map(); // by node: of the whole stack, outermost first
  #isWhole;

  /**
   * `nodes` of EngineProfiler.stop(), `modules` are PlainModules. `isWhole`: with the frames around the
   * outermost of wasm; else those are the host's, and a stack without wasm is its innermost frame.
   */
  constructor(nodes, modules, isWhole) {
    this.#isWhole = isWhole;
    const offsets = new Map();
    for (const { callFrame } of nodes) {
      const { url, columnNumber } = callFrame;
      if (!isWasm(callFrame) || isWrapper(callFrame)) continue;
      if (!offsets.has(url)) offsets.set(url, new Set());
      offsets.get(url).add(columnNumber);
    }
    for (const [url, places] of offsets) {
      const has = (module) => [...places].every((offset) => module.idAt(offset) !== undefined);
      this.#moduleOf.set(url, modules.find(has));
    }
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
    const program = this.#isWhole ? 0 : path.findIndex(isWasm);
    const frames = (this.#isWhole ? withoutOwn(path) : path)
      .slice(program)
      .map((callFrame) => this.#frameOf(callFrame))
      .filter((frame) => frame !== undefined);
    this.#frames.set(node, frames);
    return frames;
  }

  /** Undefined of a wrapper; a function of the program may be called so too. */
  #frameOf(callFrame) {
    const module = this.#moduleOf.get(callFrame.url);
    const id = module?.idAt(callFrame.columnNumber);
    if (id !== undefined) return { module, id };
    return isWrapper(callFrame) ? undefined : { text: textOf(callFrame) };
  }
}
