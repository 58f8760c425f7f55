// SPDX-License-Identifier: Apache-2.0
// Samples of a program: builtin.sample, sampleCaller, enterFrame and leaveFrame, of all its instances together,
// since they have one stack.
//
// A module asks where it has come to a point of its fuel. Samples that are due by time are asked for
// after half as much fuel as it burnt lately in such a time, and taken once the time has come.

import { EngineStack } from "../engine/engine-stack.mjs";
import { GuestStack } from "./guest-stack.mjs";
import { OpenCalls } from "../calls/open-calls.mjs";
import { performance, queueMicrotask } from "../engine/own-engine.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";

const FIRST_STEP = 10_000;
const LEAST_STEP = 100;
// A guess is off where the program changes what it does: never by more than this at once.
const GREATEST_GROWTH = 4;
const GREATEST_FREQUENCY = 1_000_000;
const MOST_FUEL = 2n ** 63n - 1n;

const earlier = (one, other) => (one < other ? one : other);
const isInterval = (every) =>
  (typeof every === "bigint" || Number.isInteger(every)) && every >= 1 && every <= MOST_FUEL;

/** How samples were due, in records. */
export const DUE = { fuel: NUMBERS.dueByFuel, time: NUMBERS.dueByTime };

/** Asks again each `every` units of fuel: always at the same points. */
function clockOfFuel(every) {
  let hasBegun = false;
  return (fuel) => {
    const isDue = hasBegun;
    hasBegun = true;
    return { isDue, next: (fuel / every + 1n) * every };
  };
}

function clockOfTime(period) {
  let step = FIRST_STEP;
  let last;
  let lastFuel;
  let due;
  return (fuel) => {
    const now = performance.now();
    if (last === undefined) {
      due = now + period;
    } else {
      const elapsed = Math.max(now - last, 1e-6);
      const wanted = (Number(fuel - lastFuel) * period) / 2 / elapsed;
      step = Math.max(LEAST_STEP, Math.min(wanted, step * GREATEST_GROWTH));
    }
    const isDue = last !== undefined && now >= due;
    // Missed samples are not made up for: their time counts for the next one.
    if (isDue) due = Math.max(due, now - period) + period;
    last = now;
    lastFuel = fuel;
    return { isDue, next: fuel + BigInt(Math.round(step)) };
  };
}

/** Throws a RangeError for a request (see Sampler) that makes no sense. */
export function checkRequest({ every, frequency }) {
  if (every !== undefined && frequency !== undefined)
    throw new RangeError("samples are due by fuel or by time, not by both");
  if (every !== undefined && !isInterval(every))
    throw new RangeError(`sampleEvery is ${every}, not a whole number from 1 to ${MOST_FUEL}`);
  if (frequency !== undefined && !(frequency >= 1 && frequency <= GREATEST_FREQUENCY))
    throw new RangeError(`frequency is ${frequency}, not a number from 1 to ${GREATEST_FREQUENCY}`);
}

export class Sampler {
  #makeClock;
  #due;
  #write;
  #guest;
  #openCalls; // makes those that there are when the first module comes
  #calls;
  #engineStack = new EngineStack();
  #totalFuel = 0n;
  #isAwake = false;

  /**
   * `request`: `{ every, frequency }`, at most one of them. `write(fuel, frames, due)` takes a sample: what all
   * instances have burnt, its frames, outermost first (`{ module, id, offset }`, with the number of builtinOf() and,
   * where that is known, the offset in its file, or `{ text }`), and `{ kind, interval }`. The frames of `guest` are
   * innermost; without one there are none. Throws a RangeError for a request that makes no sense. `openCalls()` gives
   * the OpenCalls that are followed, when there is a module to follow.
   */
  constructor(request, write, guest = new GuestStack("none"), openCalls = () => new OpenCalls()) {
    checkRequest(request);
    const { every, frequency = 1000 } = request;
    this.#write = write;
    this.#guest = guest;
    this.#openCalls = openCalls;
    if (every !== undefined) {
      this.#due = { kind: DUE.fuel, interval: BigInt(every) };
      this.#makeClock = () => clockOfFuel(BigInt(every));
    } else {
      this.#due = { kind: DUE.time, interval: Math.floor(1e9 / frequency) };
      this.#makeClock = () => clockOfTime(1000 / frequency);
    }
  }

  /** The open calls, innermost first, by the frames that modules report, or by those when the host last had control. */
  openCalls() {
    return this.#calls?.list() ?? [];
  }

  /** The functions for the frames of an instance. */
  framesOf(module) {
    const { enterFrame, leaveFrame } = this.functionsOf(module);
    return { enterFrame, leaveFrame };
  }
  /** The same with those for what its heap does: see OpenCalls. */
  functionsOf(module, heap) {
    return this.calls.functionsOf(module, (id) => this.#follow(module, id), heap);
  }
  /** What these follow. */
  get calls() {
    if (this.#calls === undefined) {
      this.#calls = this.#openCalls();
      this.#calls.sleep();
    }
    return this.#calls;
  }
  get engineStack() {
    return this.#engineStack;
  }

  /** A section begins or ends in the module with this number; the latter returns whether it did. */
  beginSection(module, id) {
    this.calls.follow(module, id);
  }
  endSection(module) {
    return this.calls.endSection(module);
  }

  /** The first call since the thread was at rest, where it comes back to its microtasks: nothing is open around it. */
  #wake() {
    this.#calls.rest();
    this.#isAwake = true;
    queueMicrotask(() => {
      this.#isAwake = false;
      this.#calls.sleep();
    });
  }

  /** Calls `make`, by which the engine calls a start function, and ends what that leaves. Returns its result. */
  aroundStart(make) {
    if (this.#calls === undefined) return make();
    if (!this.#isAwake) this.#calls.rest();
    const { depth } = this.#calls;
    try {
      return make();
    } finally {
      this.#calls.endBeyond(depth);
    }
  }

  #follow(module, id) {
    // The calls of a guest that is read are forgotten (#readGuest): nothing else has ended where they begin.
    if (id > 0 && !this.#guest.isCalling) {
      if (!this.#isAwake) this.#wake();
      // Another Sampler that had them may have put them to sleep since.
      this.#calls.wake();
    }
    this.#calls.follow(module, id);
  }

  /** Calls that it takes are not the program's. */
  #readGuest() {
    if (this.#calls === undefined) return this.#guest.read();
    const { depth } = this.#calls;
    try {
      return this.#guest.read();
    } finally {
      this.#calls.endBeyond(depth);
    }
  }

  /**
   * The functions for one more instance. `keepsStack`: its module reports its frames. `ids`: of functions, by index,
   * for other modules. `begin`: the fuel that the instance has burnt already, which does not count. `hasPlaces`: frames
   * have offsets.
   */
  builtinOf(module, keepsStack, ids, { begin = 0n, hasPlaces = false } = {}) {
    const clock = this.#makeClock();
    let lastFuel = begin;
    const guest = this.#guest;
    let isLearned = keepsStack;
    const sample = (fuel, isCaller) => {
      if (guest.isCalling) return guest.sample(fuel);
      if (!isLearned) this.#engineStack.learn(module, ids, hasPlaces);
      isLearned = true;
      const { isDue, next } = clock(fuel - begin);
      if (isDue) {
        this.#totalFuel += fuel - lastFuel;
        lastFuel = fuel;
        const frames = keepsStack
          ? this.#calls.list().reverse()
          : this.#engineStack.frames(isCaller);
        this.#write(this.#totalFuel, [...frames, ...this.#readGuest()], this.#due);
      }
      return earlier(begin + next, MOST_FUEL);
    };
    return {
      ...(keepsStack && this.framesOf(module)),
      sample: (fuel) => sample(fuel, false),
      // A function that begins is on the engine's stack already, but not on the stack that the module reports.
      sampleCaller: (fuel) => sample(fuel, true),
    };
  }
}
