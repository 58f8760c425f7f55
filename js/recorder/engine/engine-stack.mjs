// SPDX-License-Identifier: Apache-2.0
// The engine's own stack, as frames of the modules that are sampled. Only V8 reports the module and function of each
// frame.
//
// A call site of V8 has the address of its module (a hash of its bytes, or their URL), the offset of the call in the
// module, and the function's index in its text. The recorder learns the module of an address when an instance calls its
// host: the innermost frame of wasm is then the instance's.

/** The end of the text of a call site in wasm. */
const PLACE = /:wasm-function\[(\d+)\]:0x[0-9a-f]+\)?$/;
/** The name of the script by which V8 calls the recorder where another thread interrupts this one. */
export const OF_INTERRUPT = "warpo-switch";
/** Opcodes that leave a function: `end`, `return`, `return_call`, `return_call_indirect`, `return_call_ref`. */
const LEAVING_OPCODES = [0x0b, 0x0f, 0x12, 0x13, 0x15];
/** The folder of the recorder's scripts. */
const OWN_FOLDER = new URL("..", import.meta.url).href;
/** Maximum number of host frames between wasm and callSites(). */
const HOST_FRAMES = 16;

/** Sets a property of Error; `before` is its descriptor. To define it anew takes longer. */
function set(name, value, before) {
  if (before?.writable) Error[name] = value;
  else Reflect.defineProperty(Error, name, { value, writable: true, configurable: true });
}
function restore(name, before) {
  if (before?.writable) Error[name] = before.value;
  else if (before === undefined) Reflect.deleteProperty(Error, name);
  else Reflect.defineProperty(Error, name, before);
}

/** Calls `body` with this property of Error, restores the program's, and returns the result of `body`. */
function withSetting(name, value, body) {
  const before = Object.getOwnPropertyDescriptor(Error, name);
  try {
    set(name, value, before);
    return body();
  } finally {
    restore(name, before);
  }
}

/**
 * Calls `body` with stacks limited to `most` frames and built by `prepare` (undefined: by the engine, as text),
 * restores the program's settings of stack traces, and returns the result of `body`.
 */
export const withStackSettings = (most, prepare, body) =>
  withSetting("stackTraceLimit", most, () => withSetting("prepareStackTrace", prepare, body));

const { captureStackTrace } = Error;
const asSites = (_, sites) => sites;

/** The call sites of a stack that captureStackTrace() has put there, innermost first. */
const sitesOf = ({ stack }) => (Array.isArray(stack) ? stack : []);

/** At most `most` call sites, innermost first; empty if the engine has no call sites. */
export const callSites = (most) =>
  withStackSettings(most, asSites, () => {
    const holder = {};
    captureStackTrace?.(holder);
    return sitesOf(holder);
  });

/**
 * The stack of now for EngineStack.framesOf(). V8 makes call sites of it only when it is asked for them, and for many
 * stacks in turn that takes a fraction of the time. `below`: a function of the host that is open, which saves V8 the
 * frames above it.
 */
export const capturedStack = (below) =>
  withSetting("stackTraceLimit", Infinity, () => {
    const holder = {};
    captureStackTrace?.(holder, below);
    return holder;
  });

/** The index of the function of a call site; undefined outside of wasm. */
function indexOf(site) {
  const match = PLACE.exec(String(site));
  return match ? Number(match[1]) : undefined;
}

/** Whether V8 was interrupted before the first instruction of the function: the position is then that of its body. */
const isAtBegin = (site) => indexOf(site) !== undefined && site.getPosition() === site.getEnclosingColumnNumber?.();

/** The calls in which another thread interrupted this one, innermost first. */
function interruptedSites() {
  const sites = callSites(Infinity);
  return sites.slice(sites.findIndex((site) => site.getScriptNameOrSourceURL() === OF_INTERRUPT) + 1);
}

/** Recorder scripts that call the program, and change nothing meanwhile. */
const CALLERS = ["hook.mjs", "node/file-names.mjs", "engine/replacements.mjs", "calls/suspension.mjs", "calls/asyncify.mjs"].map((file) => OWN_FOLDER + file);

/** Whether another thread interrupted this one in the recorder, by the innermost function of JavaScript that is not Node's own. */
export function isInRecorder() {
  const isScript = (site) => indexOf(site) === undefined && !(site.getFileName() ?? "node:").startsWith("node:");
  const innermost = interruptedSites().find(isScript);
  const file = innermost?.getFileName();
  return file?.startsWith(OWN_FOLDER) === true && !CALLERS.includes(file);
}

export class EngineStack {
  #modules = new Map(); // by address: { number, ids, hasPlaces, frames }, frames by offset

  /**
   * To be called where module `number` calls its host. `ids`: of its functions, by index. `hasPlaces`: frames have
   * offsets. `between`: so many frames of other modules are above its own. Returns
   * whether the engine has shown it.
   */
  learn(number, ids, hasPlaces, between = 0) {
    const own = callSites(HOST_FRAMES).filter((site) => indexOf(site) !== undefined)[between];
    const address = own?.getFileName();
    if (own !== undefined && this.#modules.get(address)?.number !== number)
      this.#modules.set(address, { number, ids, hasPlaces, frames: new Map() });
    return own !== undefined;
  }

  /** The same, from an export of the instance that only traps. `code`: the module's bytes, if known. */
  learnFrom(trap, { number, ids, code }) {
    const own = withStackSettings(1, (_, sites) => sites, () => {
      try {
        trap();
      } catch ({ stack }) {
        return Array.isArray(stack) ? stack[0] : undefined;
      }
    });
    if (own !== undefined) this.#modules.set(own.getFileName(), { number, ids, code, hasPlaces: false, frames: new Map() });
  }

  /**
   * The frames of the known modules, outermost first, `{ module, id, offset }` or `{ text }`. `isCaller`: without the
   * innermost one.
   */
  frames(isCaller) {
    return this.#framesAt(callSites(Infinity), isCaller);
  }

  /** The frames() of each captured stack: `{ stack, isCaller }`, with that of capturedStack(). */
  framesOf(captured) {
    return withSetting("prepareStackTrace", asSites, () => captured.map(({ stack, isCaller }) => this.#framesAt(sitesOf(stack), isCaller)));
  }

  /** Those of the host are skipped by address: getting the text of a call site takes ten times as long as all the rest. */
  #framesAt(sites, isCaller) {
    const frames = [];
    let isLeftOut = isCaller;
    for (const site of sites) {
      const module = this.#modules.get(site.getFileName());
      if (module === undefined) continue;
      const frame = isLeftOut ? undefined : frameOf(module, site);
      isLeftOut = false;
      if (frame !== undefined) frames.push(frame);
    }
    return frames.reverse();
  }

  /**
   * All calls of the stack, outermost first: the position in each, and its frame as in frames(). A function that is
   * about to begin has no frame.
   */
  calls() {
    const callOf = (site) => ({
      place: `${site.getFileName()}:${site.getPosition()}`,
      frame: isAtBegin(site) ? undefined : this.#frameOf(site),
    });
    return callSites(Infinity).map(callOf).reverse();
  }

  /**
   * Whether another thread interrupted this one in the program: not in the recorder, in an unknown module, or where a
   * function has recorded its end and is about to return.
   */
  isInProgram() {
    const interrupted = interruptedSites();
    for (const site of interrupted) {
      const file = site.getFileName();
      if (indexOf(site) !== undefined) return this.#modules.has(file) && (site !== interrupted[0] || !this.#mayHaveEnded(site));
      if (file?.startsWith(OWN_FOLDER)) return false;
    }
    return true;
  }

  /** V8 interrupts functions where they begin, return or wait, and in loops. `site` belongs to a known module. */
  #mayHaveEnded(site) {
    const { ids, code } = this.#modules.get(site.getFileName());
    const mayLeave = code === undefined || LEAVING_OPCODES.includes(code[site.getPosition()]);
    return ids.has(indexOf(site)) && !isAtBegin(site) && mayLeave;
  }

  /** Undefined for functions that are not instrumented, and outside of the known modules. */
  #frameOf(site) {
    const module = this.#modules.get(site.getFileName());
    return module && frameOf(module, site);
  }
}

/** The frame of a call site in a known module; undefined for functions that are not instrumented. */
function frameOf(module, site) {
  const offset = site.getPosition();
  const known = module.frames.get(offset);
  if (known !== undefined) return known ?? undefined;
  const frame = describe(module, site, offset);
  module.frames.set(offset, frame ?? null);
  return frame;
}

/** `offset`: in the module's file. Frames of modules without ids (optimised later, or of unknown bytes) have texts. */
function describe({ number, ids, hasPlaces }, site, offset) {
  const index = indexOf(site);
  const id = ids.get(index);
  if (id !== undefined) return hasPlaces ? { module: number, id, offset } : { module: number, id };
  if (ids.size > 0 || index === undefined) return undefined;
  const text = site.getFunctionName() ?? `wasm-function[${index}]`;
  return { text: text.replace(/ \(traced\)$/, "") };
}
