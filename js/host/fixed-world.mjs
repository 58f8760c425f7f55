// Time and chance that are the same in each run: --deterministic. What programs see here is what
// lib/Engine/GuestWorld.cpp gives them in the other engines.

const STEP = 1_000_000n;
const WALL_START = 10n ** 18n;
const CLOCKS = 4; // of WASI: 0 is the wall clock

const SUCCESS = 0;
const FAULT = 21;
const INVALID = 28;
const NOT_SEEKABLE = 70;
const ALL_BUT_SEEK_AND_TELL = ~((1n << 2n) | (1n << 5n));

const mask = (number) => BigInt.asUintN(64, number);

class FixedWorld {
  #time = 0n;
  #state = 0n;

  /** Nanoseconds of a clock of WASI's; undefined if there is no such clock. */
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

/** What JavaScript itself gives: for a program's own host functions, and our own. */
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
 * The functions of WASI that tell of time, chance, and of what the standard streams are connected
 * with; `memoryOf()` is the program's memory, `others` are the functions for other descriptors.
 */
function wasiFunctions(world, memoryOf, others) {
  /** Does what may reach beyond the memory. */
  const checked = (action) => {
    try {
      action(memoryOf().buffer);
      return SUCCESS;
    } catch (error) {
      if (error instanceof RangeError) return FAULT;
      throw error;
    }
  };
  const writeNumber = (number, address) =>
    number === undefined
      ? INVALID
      : checked((buffer) => new DataView(buffer).setBigUint64(address >>> 0, number, true));
  const isStandard = (descriptor) => descriptor >>> 0 <= 2;
  return {
    clock_time_get: (clock, _precision, address) => writeNumber(world.now(clock), address),
    clock_res_get: (clock, address) => writeNumber(world.resolution(clock), address),
    random_get: (address, size) =>
      checked((buffer) => world.fillRandom(new Uint8Array(buffer, address >>> 0, size >>> 0))),
    fd_fdstat_get(descriptor, address) {
      if (!isStandard(descriptor)) return others.fd_fdstat_get(descriptor, address);
      return checked((buffer) => {
        const view = new DataView(buffer, address >>> 0, 24);
        view.setBigUint64(0, 0n, true);
        view.setBigUint64(8, mask(ALL_BUT_SEEK_AND_TELL), true);
        view.setBigUint64(16, 0n, true);
      });
    },
    fd_seek: (descriptor, ...rest) =>
      isStandard(descriptor) ? NOT_SEEKABLE : others.fd_seek(descriptor, ...rest),
  };
}

/**
 * Makes the world fixed from now on, for all of JavaScript in this thread but the recorder. Returns
 * `wasi(memoryOf, others)`, the functions of WASI that have to go before `others`.
 */
export function fixWorld() {
  const world = new FixedWorld();
  changeGlobals(world);
  return {
    seed: () => Number(world.random() >> 11n),
    wasi: (memoryOf, others) => wasiFunctions(world, memoryOf, others),
  };
}
