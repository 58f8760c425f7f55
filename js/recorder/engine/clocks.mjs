// SPDX-License-Identifier: Apache-2.0
// The clocks of recorder.wasm: which of its variants records by one, what it imports, and what the
// record says of it.
//
// A time is milliseconds since performance.timeOrigin, as the record's nanoseconds are.

import { Module, performance } from "./own-engine.mjs";
import { eventsMemory, modules } from "./recorder-wasm.mjs";
import { endTime } from "./kept-time.mjs";

/** Where the clock `thread` keeps the time. Another thread writes it, so nothing else is near. */
const TIME = eventsMemory.time;

const compiled = new Map();

/** Each thread decodes some 30 KB when it begins: where the engine can do it, that does. */
const fromHex = (text) =>
  Uint8Array.fromHex?.(text) ?? globalThis.Buffer?.from(text, "hex") ?? Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16));

/** A module that was made at build time. */
export function moduleOf(name) {
  if (!compiled.has(name)) {
    compiled.set(name, new Module(fromHex(modules[name])));
  }
  return compiled.get(name);
}

/** performance.now() at each event. */
class ExactClock {
  name = "exact";
  isTime = true;
  /** Whether modules may store events by themselves, in shared memory (--events-in=memory). */
  mayStore = false;
  ready = Promise.resolve();
  stop() {}
  /** `cell.view` is the Float64Array in whose first element the recorder looks. */
  imports(cell) {
    const clock = performance;
    return {
      tick() {
        cell.view[0] = clock.now();
      },
    };
  }
}

/** The time that a worker keeps: as exact as the worker is fast, about 1 us, while it runs. */
class ThreadClock {
  name = "thread";
  isTime = true;
  /** Where events have no fuel, their times stand in marks in front of them. */
  isMarked = true;
  mayStore = true;
  #startKeeper;
  #keeper;

  constructor(startKeeper) {
    if (typeof SharedArrayBuffer === "undefined")
      throw new Error(
        "clock 'thread' needs SharedArrayBuffer, which only cross-origin isolated pages have",
      );
    this.#startKeeper = startKeeper;
  }
  /** The time stands in the recorder's memory, whose buffer this is, from now on. */
  begin(buffer) {
    new Float64Array(buffer, TIME, 1)[0] = performance.now();
    this.#keeper = this.#startKeeper({ buffer, at: TIME, end: eventsMemory.end, origin: performance.timeOrigin });
  }
  /** Once the worker keeps the time; before, it stands still. */
  get ready() {
    return this.#keeper.ready;
  }
  stop() {
    this.#keeper.stop();
  }
  imports() {
    return {};
  }
}

/** No time: events have their numbers. The cheapest, where only the order counts. */
class NoClock {
  name = "none";
  isTime = false;
  mayStore = typeof SharedArrayBuffer !== "undefined";
  ready = Promise.resolve();
  stop() {}
  imports() {
    return {};
  }
}

/** The fuel that modules count is the time: nothing else is read. */
class FuelClock extends NoClock {
  name = "fuel";
  isFuel = true;
  mayStore = false;
}

const CLOCKS = { exact: ExactClock, thread: ThreadClock, none: NoClock, fuel: FuelClock };

/** recorder.wasm for a clock, for modules with or without fuel, and for a shared or private memory. */
export function recorderOf(clock, hasFuel, isShared) {
  const fuel = hasFuel && !clock.isFuel ? "-fuel" : "";
  return moduleOf(`recorder-${clock.name}${fuel}${isShared ? "-shared" : ""}`);
}

/** For a recorder whose thread was ended: its time need not be kept any more. */
export const leaveClock = ({ name }, buffer) => name === "thread" && endTime({ buffer, at: TIME });

/** Throws for a name that is unknown. */
export function checkClock(name) {
  if (!Object.hasOwn(CLOCKS, name))
    throw new RangeError(`unknown clock '${name}', known are ${Object.keys(CLOCKS).join(", ")}`);
}

/** Throws for a name that is unknown, or a clock that cannot be had here. */
export function createClock(name, startKeeper) {
  checkClock(name);
  return new CLOCKS[name](startKeeper);
}
