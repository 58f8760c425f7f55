// SPDX-License-Identifier: Apache-2.0
// Samples of V8's profiler, of a thread from now on: its JavaScript, and modules as they are.

import { EngineProfiler, readProfile } from "./engine-profiler.mjs";
import { performance } from "../engine/own-engine.mjs";
import { PlainModule } from "../modules/plain-module.mjs";
import { hasWasm, ProfiledStacks } from "./profiled-stacks.mjs";

/** Of the recorder that finish() is given: the profiler's samples have times, and are all kept. */
export const OPTIONS_OF_PROFILES = { clock: "exact", policy: "block" };

// Bytes of modules that are kept while the program runs. What is worked out of those beyond is worked out at once, in its time.
const MOST_BYTES = 2 ** 28;

export class ProfiledProgram {
  #profiler;
  #frequency;
  #modules = [];
  #keptBytes = 0; // of these
  #held = []; // compiled modules: V8 forgets those that nobody holds
  /** How many milliseconds the program took, once it has ended. */
  elapsed = 0;
  #start = performance.now(); // what the profiler's own start took is not the program's

  /** `frequency`: samples a second. Throws where this engine cannot. */
  static async start(frequency) {
    const profiler = await EngineProfiler.create(frequency);
    profiler.start();
    return new ProfiledProgram(profiler, frequency);
  }

  constructor(profiler, frequency) {
    this.#profiler = profiler;
    this.#frequency = frequency;
  }

  /** A module of these bytes, which are the caller's again afterwards, may run here. Throws if they are none at first sight. */
  addModule(bytes, fileName, id = BigInt(this.#modules.length + 1)) {
    const module = new PlainModule(bytes, id, fileName);
    this.#modules.push(module);
    if (this.#keptBytes + module.keptBytes > MOST_BYTES) module.letGo();
    this.#keptBytes += module.keptBytes;
  }

  get hasModules() {
    return this.#modules.length > 0;
  }

  /**
   * Ends, once, and records what was seen. `open(begin)` opens the record, whose first moment that is,
   * by performance.now(). `within`: `{ begin, end }`, before and after which nothing counts; then frames
   * of the host around the program are left out too.
   */
  finish(open, within) {
    this.elapsed = performance.now() - this.#start;
    return this.#record(this.#profiler.stop(), this.#start, open, (...alike) => this.#modulesAt(...alike), within);
  }

  /**
   * The same for another thread, whose profile by V8 is `profile`, from `begin` on as of readProfile(); undefined, and nothing is opened, if it ran no
   * wasm. Its modules have been added.
   */
  finishThread(profile, begin, open) {
    const seen = readProfile(profile, begin);
    // Each thread has ids of its own for scripts.
    const modulesAt = (...alike) => this.#modulesAt(...alike).map(({ url, bytes }) => ({ url, bytes }));
    return hasWasm(seen.nodes) ? this.#record(seen, seen.begin, open, modulesAt) : undefined;
  }

  #record({ nodes, samples }, start, open, modulesAt, within) {
    const stacks = new ProfiledStacks(nodes, this.#modules, within === undefined, modulesAt);
    const from = Math.max(start, within?.begin ?? 0);
    const to = within?.end ?? Infinity;
    // V8 takes one sample when it starts, at which none is due.
    const firstDue = Math.max(from, start + 500 / this.#frequency);
    const recorder = open(from);
    recorder.addEngineSamples(this.#modules, {
      begin: from,
      frequency: this.#frequency,
      samples: samples
        .filter(({ time }) => time >= firstDue && time <= to)
        .map(({ time, node }) => ({ time, frames: stacks.framesOf(node) })),
    });
    return recorder;
  }

  /** V8 may have forgotten modules, and this thread may not have had those of others: then it gets them again. */
  #modulesAt(urls, modules) {
    try {
      const compiled = [...modules].map((module) => module.compile());
      if (compiled.includes(undefined)) return []; // others would be taken for it
      this.#held.push(...compiled);
      return this.#profiler.modulesAt(urls);
    } catch {
      return []; // their frames are texts
    }
  }
}
