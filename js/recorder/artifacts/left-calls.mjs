// SPDX-License-Identifier: Apache-2.0
// Calls that a program leaves in the middle. Counts are exact only if these calls are known too. V8's stacks give their
// modules and functions, and the position in each. The format is in docs/counts.md.

import { withStackSettings } from "../engine/engine-stack.mjs";
import { customSection } from "../modules/module-parts.mjs";

const bytesOf = (text) => [...text].map((letter) => letter.charCodeAt(0));
const LEFT = bytesOf("WARPOLFT");
/** Signature of the calls that were open when a part of the run began. */
export const BEGUN = bytesOf("WARPOBGN");
const VERSION = 1;
/** The custom section that maps a module's code to that of its original. */
const CODE_SECTION = "warpo.code";
/** An export that only traps. */
const TRAP = "__warpo_trap";
/** Offset in the counts header of the flags of their plan; the flag for counted exceptions. */
const CHOICE = 10;
const COUNTS_EXCEPTIONS = 2;

/** Follows the counts of an instance that may have ended in the middle of unknown calls. */
export const UNKNOWN_CALLS = Uint8Array.from([...LEFT, VERSION, 1, 0, 0]);

/** A frame of wasm: the address of its module, the function's index, the offset in the module. */
const FRAME = /^\s*at (?:.* \()?(.*):wasm-function\[(\d+)\]:0x([0-9a-f]+)\)?$/;
/** The call that starts a WASI program; an exception that ends the program stops here. */
const START = /^\s*at WASI\.(start|initialize) /;

/** Whether the artifacts of a module's instances are exact only if whole stacks are known. */
export const needsStacks = (module) => customSection(module, CODE_SECTION) !== undefined;

// Read before the program sets its own.
const { prepareStackTrace } = Error;

const linesOf = (stack) => (typeof stack === "string" ? stack.split("\n").filter((line) => /^\s*at /.test(line)) : []);

const currentStack = () => withStackSettings(Infinity, undefined, () => linesOf(new Error().stack));

/** The lines of each stack of this thread that waits for a promise. */
const waiting = new Set();

/** To be called on a stack that will wait for a promise. Returns a function to call before the stack goes on. */
export function addWaiting() {
  // The engine suspends the innermost calls of wasm, up to the first frame that is not wasm.
  const lines = currentStack();
  const calls = lines.slice(lines.findIndex((line) => FRAME.test(line)));
  const end = calls.findIndex((line) => !FRAME.test(line));
  const stack = end < 0 ? calls : calls.slice(0, end);
  waiting.add(stack);
  return () => waiting.delete(stack);
}

/** The engine's address of an instance's module; undefined if stacks do not contain it. */
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

  /** Removes and returns those of a module, `[index, offset, count]` each. */
  take(address) {
    const calls = this.#calls.get(address) ?? new Map();
    this.#calls.delete(address);
    return [...calls].map(([place, count]) => [...place.split(" ").map(Number), count]);
  }
}

export class LeftCalls {
  // Frames left by ends that no handler of the program sees, and by exceptions, which modules may count themselves.
  #ended = new Frames();
  #thrown = new Frames();
  #isCut = false;
  #followed = new WeakSet(); // errors thrown through follow()

  add(other) {
    this.#ended.addAll(other.#ended);
    this.#thrown.addAll(other.#thrown);
    this.#isCut ||= other.#isCut;
  }

  /** Adds the current stack and the waiting ones: the program ends here, in the middle of their calls. */
  addCurrent() {
    for (const stack of [currentStack(), ...waiting]) this.#ended.add(stack);
  }

  /** Adds the calls that an error has left, or that it left to signal the program's end. Leaves the error unchanged. */
  addError(error) {
    if (this.#followed.has(error)) return;
    try {
      // The engine makes the text at the first access, by the program's prepareStackTrace if there is one.
      if (Error.prepareStackTrace === prepareStackTrace) this.#addStack(error, linesOf(error?.stack));
      else this.#isCut = true;
    } catch {
      // A getter of the program threw.
      this.#isCut = true;
    }
  }

  #addStack(error, lines) {
    // The stack of a trap begins in wasm. A host may throw anything.
    const isTrap = error instanceof Error && FRAME.test(lines[0]);
    (isTrap ? this.#ended : this.#thrown).add(lines);
    this.#isCut ||= lines.length === 0 || lines.length === Error.stackTraceLimit;
  }

  /** Calls `body`, which may end a WASI program by throwing. */
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

  /**
   * The bytes that follow the counts of an instance. The first instance of a module gets all calls, since a stack does
   * not show which instance they belong to.
   */
  bytesFor({ exports }, module, { head }, signature = LEFT) {
    const address = addressOf(exports);
    // Without module addresses, a stack may belong to any program.
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
