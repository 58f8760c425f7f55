// SPDX-License-Identifier: Apache-2.0
// The engine's own stack, as frames of the modules that are sampled: V8's, the only one that tells
// which functions of which modules are on it.
//
// A call site of V8 has the address of its module (a hash of the bytes, or whence they came), the
// offset of the call in it, and in its text the function's index. Whose an address is, is learned
// where an instance calls its host: there the innermost frame of wasm is its own.

/** How the text of a call site in wasm ends. */
const PLACE = /:wasm-function\[(\d+)\]:0x[0-9a-f]+\)?$/;
/** The name of the script by which V8 calls the recorder where another thread interrupts this one. */
export const OF_SWITCH = "warpo-switch";
/** Where functions are left: `end`, `return`, `return_call`, `return_call_indirect`, `return_call_ref`. */
const LEAVING_OPCODES = [0x0b, 0x0f, 0x12, 0x13, 0x15];
/** Where the recorder's scripts are. */
const OWN_FOLDER = new URL("..", import.meta.url).href;
/** Frames of the host between a call and what it calls here. */
const HOST_FRAMES = 16;

/**
 * What `body` returns, called where stacks have at most so many frames and are made by `prepare`; undefined: as text, by the engine.
 * The program finds its settings of stack traces as it left them.
 */
export function withStackSettings(most, prepare, body) {
  const before = ["stackTraceLimit", "prepareStackTrace"].map((name) => [
    name,
    Object.getOwnPropertyDescriptor(Error, name),
  ]);
  const define = (name, value) =>
    Reflect.defineProperty(Error, name, { value, writable: true, configurable: true });
  try {
    define("stackTraceLimit", most);
    define("prepareStackTrace", prepare);
    return body();
  } finally {
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(Error, name);
      else Reflect.defineProperty(Error, name, descriptor);
  }
}

/** The innermost call sites, at most so many, innermost first; none where the engine has no such thing. */
export const callSites = (most) =>
  withStackSettings(most, (_, sites) => sites, () => {
    const { stack } = new Error();
    return Array.isArray(stack) ? stack : [];
  });

/** The index of the function of a call site; undefined outside of wasm. */
function indexOf(site) {
  const match = PLACE.exec(String(site));
  return match ? Number(match[1]) : undefined;
}

/** Whether V8 was interrupted where the function is about to begin: then it stands at its body. */
const isAtBegin = (site) => indexOf(site) !== undefined && site.getPosition() === site.getEnclosingColumnNumber?.();

export class EngineStack {
  #modules = new Map(); // by address: { number, ids, hasPlaces, frames }, frames by offset

  /** Called where the module with this number calls its host; `ids` of its functions, by index. `hasPlaces`: frames have offsets. */
  learn(number, ids, hasPlaces) {
    const own = callSites(HOST_FRAMES).find((site) => indexOf(site) !== undefined);
    const address = own?.getFileName();
    if (own !== undefined && this.#modules.get(address)?.number !== number)
      this.#modules.set(address, { number, ids, hasPlaces, frames: new Map() });
  }

  /** The same by an export of the module's instance that does nothing but trap there; `code`: the module's bytes, if they are known. */
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
   * Outermost first, `{ module, id, offset }` or `{ text }`; `isCaller`: without the innermost of the modules that are known. Their addresses tell them from
   * the host's frames in front of it: the text of a call site takes ten times as long as all else of it.
   */
  frames(isCaller) {
    const sites = callSites(Infinity);
    const own = sites.findIndex((site) => this.#modules.has(site.getFileName()));
    if (own < 0) return [];
    return sites
      .slice(isCaller ? own + 1 : own)
      .map((site) => this.#frameOf(site))
      .filter((frame) => frame !== undefined)
      .reverse();
  }

  /**
   * All calls of the stack, outermost first: the place that each has come to, and the frame of those that frames() has. A function that is about to
   * begin has none.
   */
  calls() {
    const callOf = (site) => ({
      place: `${site.getFileName()}:${site.getPosition()}`,
      frame: isAtBegin(site) ? undefined : this.#frameOf(site),
    });
    return callSites(Infinity).map(callOf).reverse();
  }

  /**
   * Whether another thread interrupted this one in the program: not in the recorder, nor in modules that are not known, nor where a function has reported
   * its end and is about to return.
   */
  isInProgram() {
    const sites = callSites(Infinity);
    const interrupted = sites.slice(sites.findIndex((site) => site.getScriptNameOrSourceURL() === OF_SWITCH) + 1);
    for (const site of interrupted) {
      const file = site.getFileName();
      if (indexOf(site) !== undefined) return this.#modules.has(file) && (site !== interrupted[0] || !this.#mayHaveEnded(site));
      if (file?.startsWith(OWN_FOLDER)) return false;
    }
    return true;
  }

  /** V8 interrupts functions where they begin, return, or wait, and in loops; `site` is one of a module that is known. */
  #mayHaveEnded(site) {
    const { ids, code } = this.#modules.get(site.getFileName());
    const mayLeave = code === undefined || LEAVING_OPCODES.includes(code[site.getPosition()]);
    return ids.has(indexOf(site)) && !isAtBegin(site) && mayLeave;
  }

  /** Undefined of what is not instrumented, and outside of the modules that are known. */
  #frameOf(site) {
    const module = this.#modules.get(site.getFileName());
    if (module === undefined) return undefined;
    const offset = site.getPosition();
    if (!module.frames.has(offset)) module.frames.set(offset, describe(module, site, offset));
    return module.frames.get(offset);
  }
}

/** `offset` is one of the module's file. A module without ids, as it was optimised or its bytes are not known, has texts. */
function describe({ number, ids, hasPlaces }, site, offset) {
  const index = indexOf(site);
  const id = ids.get(index);
  if (id !== undefined) return hasPlaces ? { module: number, id, offset } : { module: number, id };
  if (ids.size > 0 || index === undefined) return undefined;
  const text = site.getFunctionName() ?? `wasm-function[${index}]`;
  return { text: text.replace(/ \(traced\)$/, "") };
}
