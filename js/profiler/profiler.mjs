// SPDX-License-Identifier: Apache-2.0
// Profiles of a page or a program: `warpo/profiler`. Its interface is in profiler.d.ts.

import { counterOf } from "../recorder/modules/counters.mjs";
import { GuestStack } from "../recorder/samples/guest-stack.mjs";
import { OpenCalls } from "../recorder/calls/open-calls.mjs";
import { performance } from "../recorder/engine/own-engine.mjs";
import { asksForSamples, builtinsOf } from "../recorder/modules/builtin-imports.mjs";
import { describeModule } from "../recorder/modules/recorded-module.mjs";
import { Sampler } from "../recorder/samples/sampler.mjs";
import { noFaults, sectionBuiltin, SectionNames } from "../recorder/calls/sections.mjs";
import { ProfileCollector, UNITS } from "./profile.mjs";

const NEVER = 2n ** 63n - 1n;

/** The functions that an instance calls while it is not profiled. */
const IDLE = {
  enterFrame() {},
  leaveFrame() {},
  sample: () => NEVER,
  sampleCaller: () => NEVER,
  beginSection() {},
  endSection() {},
};

/** By instance: what is known of those that can be profiled. */
const known = new WeakMap();

/** One module that is to be profiled; see profiler.d.ts. */
export function profilerHooks(module, options = {}) {
  const source = module instanceof WebAssembly.Module ? module : bytesOf(module);
  const names = builtinsOf(source);
  const keepsStack = names.includes("enterFrame");
  if (!asksForSamples(source, names))
    throw new TypeError(
      "the module cannot be sampled: instrument it with --instrumentation=sample",
    );
  const description = describeModule(source, options);
  const guest = new GuestStack(options.guestStack ?? "auto", (action) => action());
  const state = { description, keepsStack, guest, builtin: IDLE };
  return {
    imports: {
      builtin: Object.fromEntries(
        Object.keys(IDLE).map((name) => [name, (one, two) => state.builtin[name](one, two)]),
      ),
    },
    attach(instance) {
      state.exports = instance.exports;
      state.guest.offer(instance.exports, state.description.name || "the module");
      known.set(instance, state);
      return instance;
    },
  };
}

function bytesOf(module) {
  return ArrayBuffer.isView(module)
    ? new Uint8Array(module.buffer, module.byteOffset, module.byteLength)
    : new Uint8Array(module);
}

export async function instantiateProfiled(module, imports = {}, options = {}) {
  const hooks = profilerHooks(module, options);
  const made = await WebAssembly.instantiate(module, {
    ...imports,
    builtin: { ...imports.builtin, ...hooks.imports.builtin },
  });
  return hooks.attach(made instanceof WebAssembly.Instance ? made : made.instance);
}

/** Sections are frames of the stack that the module keeps; what is wrong with them is left out. */
function sectionsOf(state, sampler, collector) {
  const names = new SectionNames(noFaults());
  const { guest } = state;
  const begin = (bytes) => {
    if (guest.isCalling) return;
    const id = names.idOf(collector.module, bytes);
    for (const { functions } of names.takePending()) collector.declare(functions);
    sampler.beginSection(collector.module, id);
  };
  return sectionBuiltin(
    () => state,
    begin,
    () => void (guest.isCalling || sampler.endSection(collector.module)),
  );
}

class Profiler {
  #state;
  #request = {};
  #unit = "time";
  #collector;
  /** The profile of a function that threw, until end() is called or another one begins. */
  #taken;

  constructor(state) {
    this.#state = state;
  }

  frequency(hertz) {
    if (typeof hertz !== "number")
      throw new TypeError(`the frequency of samples is a number, not of type ${typeof hertz}`);
    this.#request = { frequency: hertz };
    return this;
  }

  everyFuel(fuel) {
    if (typeof fuel !== "number" && typeof fuel !== "bigint")
      throw new TypeError(`the fuel between samples is a number, not of type ${typeof fuel}`);
    this.#request = { every: fuel };
    return this;
  }

  weightUnit(unit) {
    if (!UNITS.includes(unit))
      throw new RangeError(`unknown weight '${unit}', known are ${UNITS.join(", ")}`);
    this.#unit = unit;
    return this;
  }

  begin() {
    const state = this.#state;
    if (state.builtin !== IDLE) throw new Error("the instance is being profiled already");
    const before = counterOf(state.exports, "fuel").value;
    const collector = new ProfileCollector(state.description, performance);
    const { description, guest, keepsStack } = state;
    state.calls?.endBeyond(0);
    const openCalls = () => (state.calls ??= new OpenCalls());
    const sampler = new Sampler(this.#request, (...sample) => collector.add(...sample), guest, openCalls);
    state.builtin = {
      ...sampler.builtinOf(collector.module, keepsStack, description.ids, { begin: before }),
      ...sectionsOf(state, sampler, collector),
    };
    // The next check asks: that is where the profile begins.
    counterOf(state.exports, "sampleDue").value = before;
    this.#collector = collector;
    this.#taken = undefined;
  }

  end() {
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken !== undefined) return taken;
    if (this.#collector === undefined) throw new Error("no profile has begun");
    this.#state.builtin = IDLE;
    const profile = this.#collector.finish(this.#unit);
    this.#collector = undefined;
    return profile;
  }

  get guestStackProblems() {
    return this.#state.guest.problems();
  }

  profile(run) {
    this.begin();
    try {
      run();
    } catch (error) {
      // The instance can be profiled again, even if this profile has been dropped.
      if (this.#collector !== undefined) this.#taken = this.end();
      throw error;
    }
    return this.end();
  }
}

export function profiler(instance) {
  const state = known.get(instance);
  if (state === undefined)
    throw new TypeError("the instance was not made by instantiateProfiled(), nor attached");
  return new Profiler(state);
}
