// SPDX-License-Identifier: Apache-2.0
// The stack of a program that a module interprets, as the module's export `warpo_guest_stack(address, size) -> size`
// writes it: into memory that the module reserves (`warpo_guest_room`), or into a page that its memory grows by.
// ExportedGuestStack.cpp and GuestReading.cpp do the same for the other engines; docs/guest-stacks.md has the guest's
// side.

import { counterOf } from "../modules/counters.mjs";

const EXPORT = "warpo_guest_stack";
const ROOM_EXPORT = "warpo_guest_room";
const ROOM = 1 << 16;
/** Leaf functions of C may use RED_ZONE bytes below this exported global. */
const STACK_POINTER = "__stack_pointer";
const RED_ZONE = 128;

const MOST_BYTES = 1024;
const MOST_FRAMES = 2048;
const MISSING = "[frames left out]";

/** Units of fuel that one reading may burn. */
const MOST_FUEL = 4194304n;
const WRONG_TYPE = `${EXPORT} is not of the type (i32, i32) -> i32`;
const NO_LIMIT = 2n ** 63n - 1n;

/** The values of an instance's counters while a guest is read. */
const MEANWHILE = { fuel: 0n, fuelLimit: NO_LIMIT, sampleDue: MOST_FUEL };

const encoder = new TextEncoder();
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isText(bytes) {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** At most MOST_BYTES of a text, cut between characters. */
function cut(text) {
  const bytes = encoder.encode(text);
  let size = MOST_BYTES;
  while (size > 0 && (bytes[size] & 0xc0) === 0x80) --size;
  return strict.decode(bytes.subarray(0, size));
}

/** The parts between zero bytes, without empty ones. */
function split(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const zero = bytes.indexOf(0, at);
    const end = zero < 0 ? bytes.length : zero;
    if (end > at) parts.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return parts;
}

function lastNonZero(bytes) {
  let at = bytes.length;
  while (at > 0 && bytes[at - 1] === 0) --at;
  return at;
}

function describeFailure(error) {
  // A parameter of type i64 takes no number.
  if (error instanceof TypeError) return WRONG_TYPE;
  if (Number.isInteger(error?.code)) return `it ended with exit code ${error.code}`;
  return `it trapped: ${error?.message ?? error}`;
}

export class GuestStack {
  #path = "";
  #exports; // of the instance that has the guest
  #others = []; // the exports of all instances
  #room; // the address at which the guest writes the names
  #quietly;
  #failure; // the first reason why frames could not be read
  #chances = 8; // how many more readings may fail; at 0, nothing is read any more
  #samples = 0;
  #unread = 0;
  #problems = new Map(); // by problem: { samples, first }
  #wanted;
  isCalling = false;

  /**
   * `wanted`: `auto` for the first instance that has a guest stack, `export` for the same if one is required, or
   * `none`. `quietly(action)` runs an action without recording it. Throws a RangeError for another `wanted`.
   */
  constructor(wanted, quietly) {
    if (!["auto", "export", "none"].includes(wanted))
      throw new RangeError(`unknown guest stack '${wanted}', known are auto, export, none`);
    this.#wanted = wanted;
    this.#quietly = quietly;
  }

  /** To be called when an instance is complete. `path` names its module in messages. */
  offer(exports, path) {
    this.#others.push(exports);
    if (this.#wanted === "none" || this.#exports !== undefined) return;
    if (typeof exports[EXPORT] !== "function") return;
    this.#exports = exports;
    this.#path = path;
    this.#prepare(exports);
  }

  #prepare({ [EXPORT]: { length }, [ROOM_EXPORT]: room, memory }) {
    if (length !== 2) {
      this.#giveUp(WRONG_TYPE);
    } else if (!(memory instanceof WebAssembly.Memory)) {
      this.#giveUp("there is no memory that is exported as 'memory'");
    } else if (typeof room === "function") {
      this.#prepareOwnRoom(memory);
    } else {
      try {
        this.#room = memory.grow(1) * ROOM;
      } catch {
        this.#giveUp("the memory cannot grow by a page");
      }
    }
  }

  #prepareOwnRoom(memory) {
    try {
      const address = this.#call(ROOM_EXPORT);
      if (!Number.isInteger(address)) throw new TypeError("no number");
      this.#room = address >>> 0;
      const left = memory.buffer.byteLength - this.#room;
      if (left < ROOM)
        this.#giveUp(`behind ${ROOM_EXPORT}, ${this.#room}, the memory has ${Math.max(left, 0)} bytes of ${ROOM}`);
    } catch (error) {
      const isWrong = error instanceof TypeError;
      this.#giveUp(isWrong ? `${ROOM_EXPORT} is not of the type () -> i32` : describeFailure(error));
    }
  }

  #giveUp(why) {
    this.#failure = why;
    this.#chances = 0;
  }

  /** Replaces builtin.sample while a guest is read. Throws if the guest burns too much fuel. */
  sample(fuel) {
    if (fuel >= MOST_FUEL) throw new Error(`it has burnt ${MOST_FUEL} units of fuel`);
    return MOST_FUEL;
  }

  /** The guest's frames now, outermost first: `{ text }`; none if there is no guest. */
  read() {
    if (this.#exports === undefined) return [];
    ++this.#samples;
    if (this.#chances === 0) {
      ++this.#unread;
      return [];
    }
    const [size, room] = this.#readRoom();
    if (size === undefined) return [];
    const frames = this.#take(size, room);
    return frames.reverse().map((text) => ({ text }));
  }

  /**
   * The size that the guest returned and the bytes that it wrote. The memory is restored afterwards, since the guest's
   * allocator may use the page that the memory grew by.
   */
  #readRoom() {
    // A new view each time, since the guest may grow its memory; a copy, since not all engines decode shared memory.
    const room = () => new Uint8Array(this.#exports.memory.buffer, this.#room, ROOM);
    const before = room().slice();
    try {
      room().fill(0);
      const size = this.#call(EXPORT, this.#room, ROOM);
      if (!Number.isInteger(size)) throw new TypeError("no number");
      return [size, room().slice()];
    } catch (error) {
      this.#failure ??= describeFailure(error);
      ++this.#unread;
      // A wrong type stays wrong: do not try again.
      this.#chances = error instanceof TypeError ? 0 : this.#chances - 1;
      return [];
    } finally {
      room().set(before);
    }
  }

  #call(name, ...values) {
    const counters = this.#others.flatMap((exports) =>
      Object.entries(MEANWHILE).flatMap(([name, meanwhile]) => {
        const counter = counterOf(exports, name);
        return counter === undefined ? [] : [{ counter, meanwhile, before: counter.value }];
      }),
    );
    const stack = this.#exports[STACK_POINTER];
    if (stack instanceof WebAssembly.Global)
      counters.push({ counter: stack, meanwhile: stack.value - RED_ZONE, before: stack.value });
    this.isCalling = true;
    try {
      for (const { counter, meanwhile } of counters) counter.value = meanwhile;
      return this.#quietly(() => this.#exports[name](...values));
    } finally {
      this.isCalling = false;
      for (const { counter, before } of counters) counter.value = before;
    }
  }

  /** The names, innermost first. */
  #take(size, room) {
    const written = lastNonZero(room);
    const isCut = size < 0 || size > ROOM;
    // The last name may be cut.
    const text = isCut ? room.subarray(0, room.lastIndexOf(0) + 1) : room.subarray(0, size);
    // The size may include a zero byte behind the last name.
    if (size < 0 || (!isCut && (written > size || written + 1 < size)))
      this.#complain("it returns a wrong length", `${size} bytes, and what it wrote has ${written}`);
    else if (isCut) this.#complain("it is too long", `${size} bytes, and there is room for ${ROOM}`);
    return this.#clean(split(text), isCut);
  }

  #clean(parts, isCut) {
    if (parts.length > MOST_FRAMES)
      this.#complain("it has too many frames", `${parts.length}, and ${MOST_FRAMES} are kept`);
    const kept = parts.slice(0, MOST_FRAMES);
    const longest = Math.max(0, ...kept.map((bytes) => encoder.encode(lenient.decode(bytes)).length));
    const notText = kept.find((bytes) => !isText(bytes));
    if (notText !== undefined)
      this.#complain("a name is not UTF-8", `'${lenient.decode(notText)}'`);
    if (longest > MOST_BYTES)
      this.#complain("a name is too long", `${longest} bytes, and ${MOST_BYTES} are kept`);
    const names = kept.map((bytes) => cut(lenient.decode(bytes)));
    if (isCut || parts.length > MOST_FRAMES) names.push(MISSING);
    return names;
  }

  #complain(what, detail) {
    const problem = this.#problems.get(what) ?? { samples: 0, first: detail };
    ++problem.samples;
    this.#problems.set(what, problem);
  }

  /** One message for each kind of problem. */
  problems() {
    if (this.#exports === undefined && this.#wanted === "export")
      return ["no module of the program has a guest stack 'export'"];
    const place = `${this.#path}: guest stack: `;
    const messages = [...this.#problems]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([what, { samples, first }]) =>
          `${place}${what} (in ${samples} of ${this.#samples} samples, the first: ${first})`,
      );
    if (this.#failure !== undefined)
      messages.push(`${place}${this.#failure} (it is missing in ${this.#unread} of ${this.#samples} samples)`);
    return messages;
  }
}
