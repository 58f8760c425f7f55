// SPDX-License-Identifier: Apache-2.0
// Calls that a program leaves in the middle: what their instances have counted is right only if that is known too. V8's stacks say
// which functions of which modules they are of, and where in them they were left. docs/counts.md has the format.

import { withStackSettings } from "../engine/engine-stack.mjs";
import { customSection } from "../modules/module-parts.mjs";

const bytesOf = (text) => [...text].map((letter) => letter.charCodeAt(0));
const LEFT = bytesOf("WARPOLFT");
/** In front of the calls in the middle of which a part of the run began. */
export const BEGUN = bytesOf("WARPOBGN");
const VERSION = 1;
/** Where a module says where its code comes from. */
const CODE_SECTION = "warpo.code";
/** An export that does nothing but trap, in its module. */
const TRAP = "__warpo_trap";
/** Offset in the head of counts of how they were planned; the bit for counted exceptions. */
const CHOICE = 10;
const COUNTS_EXCEPTIONS = 2;

/** Stands behind the counts of an instance that may have ended in the middle of calls, which are unknown. */
export const UNKNOWN_CALLS = Uint8Array.from([...LEFT, VERSION, 1, 0, 0]);

/** A frame of wasm: the address of its module, the function's index, the offset in the module. */
const FRAME = /^\s*at (?:.* \()?(.*):wasm-function\[(\d+)\]:0x([0-9a-f]+)\)?$/;
/** What a program of WASI is started by: what ends it goes no further. */
const START = /^\s*at WASI\.(start|initialize) /;

/** Whether instances of a module collect what is right only if all of a stack is known. */
export const needsStacks = (module) => customSection(module, CODE_SECTION) !== undefined;

// Before the program sets one of its own.
const { prepareStackTrace } = Error;

const linesOf = (stack) => (typeof stack === "string" ? stack.split("\n").filter((line) => /^\s*at /.test(line)) : []);

const currentStack = () => withStackSettings(Infinity, undefined, () => linesOf(new Error().stack));

/** Stacks of this thread that wait for promises: their lines. */
const waiting = new Set();

/** The program's stack that this is called on will wait for a promise; call what this returns before it goes on. */
export function addWaiting() {
  // The engine suspends the innermost calls of wasm, up to the first of anything else.
  const lines = currentStack();
  const calls = lines.slice(lines.findIndex((line) => FRAME.test(line)));
  const end = calls.findIndex((line) => !FRAME.test(line));
  const stack = end < 0 ? calls : calls.slice(0, end);
  waiting.add(stack);
  return () => waiting.delete(stack);
}

/** How the engine calls the module of an instance; undefined if it does not tell. */
function addressOf(exports) {
  return withStackSettings(1, undefined, () => {
    try {
      exports[TRAP]();
    } catch (error) {
      return FRAME.exec(linesOf(error?.stack)[0])?.[1];
    }
  });
}

function* unsigned(number) {
  for (; number > 0x7f; number = Math.floor(number / 128)) yield (number % 128) | 0x80;
  yield number;
}

/** The frames of a set of stacks, by the addresses of their modules. */
class Frames {
  #calls = new Map(); // by address: Map from "index offset" to how many

  add(lines) {
    for (const line of lines) {
      const match = FRAME.exec(line);
      if (match === null) continue;
      const [, address, index, offset] = match;
      const calls = this.#calls.get(address) ?? new Map();
      this.#calls.set(address, calls);
      const place = `${index} ${Number.parseInt(offset, 16)}`;
      calls.set(place, (calls.get(place) ?? 0) + 1);
    }
  }

  addAll(other) {
    for (const [address, calls] of other.#calls) {
      const sums = this.#calls.get(address) ?? new Map();
      this.#calls.set(address, sums);
      for (const [place, count] of calls) sums.set(place, (sums.get(place) ?? 0) + count);
    }
  }

  get isEmpty() {
    return this.#calls.size === 0;
  }

  /** Those of a module, `[index, offset, count]` each; they are no longer there. */
  take(address) {
    const calls = this.#calls.get(address) ?? new Map();
    this.#calls.delete(address);
    return [...calls].map(([place, count]) => [...place.split(" ").map(Number), count]);
  }
}

export class LeftCalls {
  // Of what no handler of a program sees, and of exceptions, which modules may have counted themselves.
  #ended = new Frames();
  #thrown = new Frames();
  #isCut = false;
  #followed = new WeakSet(); // what was thrown through follow()

  /** Adds what another one knows. */
  add(other) {
    this.#ended.addAll(other.#ended);
    this.#thrown.addAll(other.#thrown);
    this.#isCut ||= other.#isCut;
  }

  /** The program is left where this is called, and where its stacks wait for promises. */
  addCurrent() {
    for (const stack of [currentStack(), ...waiting]) this.#ended.add(stack);
  }

  /** An error has left calls of the program, or is how its end was signalled. The program sees the error unchanged. */
  addError(error) {
    if (this.#followed.has(error)) return;
    try {
      // The engine makes the text when somebody first asks for it, by the program's function if there is one.
      if (Error.prepareStackTrace === prepareStackTrace) this.#addStack(error, linesOf(error?.stack));
      else this.#isCut = true;
    } catch {
      // A getter of the program.
      this.#isCut = true;
    }
  }

  #addStack(error, lines) {
    // Errors thrown by the engine begin in wasm. A host may throw anything.
    const isTrap = error instanceof Error && FRAME.test(lines[0]);
    (isTrap ? this.#ended : this.#thrown).add(lines);
    this.#isCut ||= lines.length === 0 || lines.length === Error.stackTraceLimit;
  }

  /** Runs what may end a program of WASI by throwing. */
  follow(body) {
    const lines = currentStack();
    const start = lines.findIndex((line) => START.test(line));
    try {
      return body();
    } catch (error) {
      if (Object(error) === error) this.#followed.add(error);
      throw error;
    } finally {
      this.#thrown.add(start < 0 ? lines : lines.slice(0, start));
    }
  }

  /** What to write behind the counts of an instance: of the first one of its module, since a stack does not say whose it is. */
  bytesFor({ exports }, module, { head }, signature = LEFT) {
    const address = addressOf(exports);
    // Without the modules of its frames, a stack may be that of any program.
    this.#isCut ||= address === undefined && !(this.#ended.isEmpty && this.#thrown.isEmpty);
    const ended = this.#ended.take(address);
    const thrown = this.#thrown.take(address);
    const calls = head[CHOICE] & COUNTS_EXCEPTIONS ? ended : [...ended, ...thrown];
    const code = customSection(module, CODE_SECTION);
    const isUnknown = this.#isCut || (code === undefined && calls.length > 0);
    if (!isUnknown && calls.length === 0) return [];
    const known = code === undefined ? [] : calls;
    return Uint8Array.from([
      ...signature,
      VERSION,
      ...unsigned(Number(isUnknown)),
      ...unsigned(code?.length ?? 0),
      ...(code ?? []),
      ...unsigned(known.length),
      ...known.flatMap((numbers) => numbers.flatMap((number) => [...unsigned(number)])),
    ]);
  }
}
