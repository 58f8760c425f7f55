// SPDX-License-Identifier: Apache-2.0
// Samples of a thread by V8's profiler: of its JavaScript, and of modules that are not instrumented.

import { EngineProfiler, readProfile } from "./engine-profiler.mjs";
import { performance } from "../engine/own-engine.mjs";
import { PlainModule } from "../modules/plain-module.mjs";
import { hasWasm, ProfiledStacks } from "./profiled-stacks.mjs";

/** Options for the recorder that finish() opens: the profiler's samples have times, and all are kept. */
export const OPTIONS_OF_PROFILES = { clock: "exact", policy: "block" };

// Limit of the bytes of modules that are kept while the program runs. Modules beyond it are processed at once, which
// slows the program.
const MOST_BYTES = 2 ** 28;

export class ProfiledProgram {
  #profiler;
  #frequency;
  #modules = [];
  #keptBytes = 0; // of these
  #held = []; // compiled modules, referenced because V8 forgets unreferenced ones
  /** The program's run time in milliseconds, once it has ended. */
  elapsed = 0;
  #start = performance.now(); // without the time that the profiler took to start

  /** `frequency`: samples per second. Throws if this engine does not support it. */
  static async start(frequency) {
    const profiler = await EngineProfiler.create(frequency);
    profiler.start();
    return new ProfiledProgram(profiler, frequency);
  }

  constructor(profiler, frequency) {
    this.#profiler = profiler;
    this.#frequency = frequency;
  }

  /** Adds a module that may run here. Does not keep `bytes`. Throws if they are obviously no module. */
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
   * Stops the profiler and records its samples; to be called once. `open(begin)` opens the record, whose time begins at
   * `begin`, in terms of performance.now(). `within`: `{ begin, end }`; if given, samples outside of it and frames of
   * the host around the program are left out.
   */
  finish(open, within) {
    this.elapsed = performance.now() - this.#start;
    return this.#record(this.#profiler.stop(), this.#start, open, (...alike) => this.#modulesAt(...alike), within);
  }

  /**
   * The same for another thread, whose profile by V8 is `profile`, from `begin` on as of readProfile(); undefined, and
   * nothing is opened, if it ran no wasm. Its modules have been added.
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
