// SPDX-License-Identifier: Apache-2.0
// Finds traps of one module when the host enters another one (`--traps-in=thread`, docs/instrumented-module.md). If a
// module's code still seems to run then, it has trapped: only the host can be running. JavaScript is called only after
// traps; all else is done between WebAssembly modules.
//
// A trap also ends calls that wait for it in other modules. Only the engine's stack tells them from calls that wait for
// the host.

import { EngineStack } from "../engine/engine-stack.mjs";
import { isSection } from "./sections.mjs";
import { moduleOf } from "../engine/clocks.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";
import { Global, Instance } from "../engine/own-engine.mjs";
import { REPORT_TRAP } from "../modules/recorded-module.mjs";
import { withoutMarks } from "../modules/function-ids.mjs";

/** Frames of the recorder's own modules between an instance and #meet(): module-entry.wat. */
const OWN_FRAMES = 1;

export class EnteredModules {
  #expected;
  #onTrap;
  #onTwins;
  #list; // the exports of entered-modules.wat, which is made for the first instance
  #count = 0;
  #stack = new EngineStack();
  #instances = new Map(); // by number of a module: how many there have been
  #shown = new Map(); // by number of a module: the ids of functions that the engine's stack shows

  /**
   * `expected`: ExpectedInstances. `onTrap()` is called if a trap may have ended calls that modules do not report: see
   * aliveOf(). `onTwins(known)` is called when a module gets a second instance, before that runs, and returns
   * whether the engine's stack shows which calls its traps have ended.
   */
  constructor(expected, onTrap, onTwins) {
    this.#expected = expected;
    this.#onTrap = onTrap;
    this.#onTwins = onTwins;
  }

  /**
   * What an instance of a module (known-modules.mjs) calls where it is entered. `look()` returns it once it is complete
   * (expected-instances.mjs). If `look` is undefined, its own traps are found only when it is entered itself.
   */
  expect(known, look) {
    this.#list ??= new Instance(moduleOf("entered-modules"), { recorder: { findEnded: () => this.#onTrap() } }).exports;
    const before = this.#instances.get(known.number) ?? 0;
    this.#instances.set(known.number, before + 1);
    if (before === 1 && this.#onTwins(known)) this.#list.hasTwins.value = 1;
    const report = new Global({ value: "anyfunc", mutable: true }, null);
    const setReport = (exports) => {
      try {
        report.value = exports?.[REPORT_TRAP] ?? null;
      } catch {
        // The program has replaced it by a function of JavaScript.
      }
    };
    if (look !== undefined) this.#expected.expect(look, setReport);
    const meet = () => this.#meet(known);
    const { enterModule } = new Instance(moduleOf("module-entry"), {
      recorder: { ...this.#list, number: ++this.#count, report, meet },
    }).exports;
    return { enterModule };
  }

  #meet({ number, ids }) {
    if (ids.size > 0 && !this.#shown.has(number) && this.#stack.learn(number, ids, false, OWN_FRAMES))
      this.#shown.set(number, new Set(ids.values()));
  }

  /**
   * How many of the outermost `calls` are still on the engine's stack. A call is an id on a stack; `frameOf(call)` is
   * `{ module, id }`. Calls that the engine's stack cannot show count as the calls around them.
   */
  aliveOf(calls, frameOf) {
    const frames = this.#stack.frames(false);
    let next = 0;
    const hasEnded = (call) => {
      if (call === NUMBERS.suspendedId || isSection(call)) return false;
      const { module, id: marked } = frameOf(call);
      const id = withoutMarks(marked);
      if (!this.#shown.get(module)?.has(id)) return false;
      let at = next;
      while (at < frames.length && (frames[at].module !== module || frames[at].id !== id)) ++at;
      if (at === frames.length) return true;
      next = at + 1;
      return false;
    };
    const first = calls.findIndex(hasEnded);
    // Further frames contradict that: an optimiser has merged functions since the module was instrumented.
    return first < 0 || next < frames.length ? calls.length : first;
  }

  /** Whether the recorder is writing: a sink may call the program. */
  set isWriting(value) {
    if (this.#list !== undefined) this.#list.isWriting.value = Number(value);
  }

  /** The thread is at rest: modules that have trapped say so. */
  rest() {
    this.#list?.rest();
  }
}
