// SPDX-License-Identifier: Apache-2.0
// Time and random numbers that are the same in each run: --deterministic. Programs get the same values as from
// lib/Engine/GuestWorld.cpp and lib/Engine/wasi/Descriptors.cpp in the other engines.

import { INVALID, NOT_CAPABLE, NOT_SEEKABLE, OVERFLOW, SUCCESS } from "./wasi-errno.mjs";

const STEP = 1_000_000n;
const WALL_START = 10n ** 18n;
const CLOCKS = 4; // of WASI; 0 is the wall clock

/** WASI's rights of a stream: read, set flags, write, get status, poll. */
const STREAM_RIGHTS = (1n << 1n) | (1n << 3n) | (1n << 6n) | (1n << 21n) | (1n << 27n);

const mask = (number) => BigInt.asUintN(64, number);

class FixedWorld {
  #time = 0n;
  #state = 0n;

  /** The time of a WASI clock in nanoseconds; undefined if there is no such clock. */
  now(clock) {
    if (clock >>> 0 >= CLOCKS) return undefined;
    this.#time += STEP;
    return clock === 0 ? WALL_START + this.#time : this.#time;
  }

  resolution(clock) {
    return clock >>> 0 < CLOCKS ? STEP : undefined;
  }

  /** SplitMix64. */
  random() {
    this.#state = mask(this.#state + 0x9e3779b97f4a7c15n);
    let mixed = mask((this.#state ^ (this.#state >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = mask((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  }

  fillRandom(bytes) {
    const number = new DataView(new ArrayBuffer(8));
    for (let at = 0; at < bytes.length; at += 8) {
      number.setBigUint64(0, this.random(), true);
      bytes.set(new Uint8Array(number.buffer, 0, Math.min(8, bytes.length - at)), at);
    }
  }
}

/** Replaces JavaScript's own clocks and random numbers, for the program's host functions and for ours. */
function changeGlobals(world) {
  const wall = () => Number(world.now(0) / STEP);
  const monotonic = () => Number(world.now(1) / STEP);
  const { Date, performance, crypto } = globalThis;
  globalThis.Date = new Proxy(Date, {
    apply: () => new Date(wall()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [wall()] : args, newTarget),
    get: (target, name) => (name === "now" ? wall : target[name]),
  });
  Object.defineProperty(globalThis, "performance", {
    configurable: true,
    writable: true,
    value: new Proxy(performance, {
      get(target, name) {
        if (name === "now") return monotonic;
        if (name === "timeOrigin") return Number(WALL_START / STEP);
        return typeof target[name] === "function" ? target[name].bind(target) : target[name];
      },
    }),
  });
  Math.random = () => Number(world.random() >> 11n) / 2 ** 53;
  if (crypto !== undefined)
    crypto.getRandomValues = (array) => {
      world.fillRandom(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    };
}

/**
 * WASI's functions for time, random numbers and the kind of the standard streams. `memoryOf()` is the program's memory;
 * `others` handles descriptors that are not standard streams (`isStream(descriptor)`).
 */
function wasiFunctions(world, memoryOf, others, isStream) {
  /** Runs an action whose address may lie outside the memory. */
  const checked = (action) => {
    try {
      action(memoryOf().buffer);
      return SUCCESS;
    } catch (error) {
      if (error instanceof RangeError) return OVERFLOW;
      throw error;
    }
  };
  const writeNumber = (number, address) =>
    number === undefined
      ? INVALID
      : checked((buffer) => new DataView(buffer).setBigUint64(address >>> 0, number, true));
  const writeNumbers = (numbers, address) =>
    checked((buffer) => {
      const view = new DataView(buffer, address >>> 0, 8 * numbers.length);
      numbers.forEach((number, i) => view.setBigUint64(8 * i, number, true));
    });
  const ofStreams = {
    fd_fdstat_get: (_, address) => writeNumbers([0n, STREAM_RIGHTS, 0n], address),
    fd_filestat_get: (_, address) => writeNumbers(Array(8).fill(0n), address),
  };
  for (const name of ["fd_seek", "fd_tell", "fd_pread", "fd_pwrite"])
    ofStreams[name] = () => NOT_SEEKABLE;
  const ofFiles = ["advise", "allocate", "datasync", "sync", "filestat_set_size"];
  for (const name of [...ofFiles, "filestat_set_times"])
    ofStreams[`fd_${name}`] = () => NOT_CAPABLE;
  const either = ([name, action]) => [
    name,
    (descriptor, ...args) => (isStream(descriptor) ? action : others[name])(descriptor, ...args),
  ];
  return {
    ...Object.fromEntries(Object.entries(ofStreams).map(either)),
    clock_time_get: (clock, _precision, address) => writeNumber(world.now(clock), address),
    clock_res_get: (clock, address) => writeNumber(world.resolution(clock), address),
    random_get: (address, size) =>
      checked((buffer) => world.fillRandom(new Uint8Array(buffer, address >>> 0, size >>> 0))),
  };
}

/**
 * From now on, all JavaScript in this thread except the recorder sees fixed time and random numbers. Returns
 * `wasi(memoryOf, others, isStream)`: WASI functions that replace those of `others`.
 */
export function fixWorld() {
  const world = new FixedWorld();
  changeGlobals(world);
  return {
    seed: () => Number(world.random() >> 11n),
    wasi: (...args) => wasiFunctions(world, ...args),
  };
}
