// SPDX-License-Identifier: Apache-2.0
// Finds traps of one module when the host enters another one: of a trapped module, code seems to run, which is not
// possible then. Modules say when the host enters them (`--traps-in=thread`, docs/instrumented-module.md), which takes a
// few nanoseconds, as all of it is done between WebAssembly modules.
//
// A trap also ends the calls of other modules that wait for the trapped one, and only the engine's stack tells them from
// those that wait for the host.

import { EngineStack } from "../engine/engine-stack.mjs";
import { isSection } from "./sections.mjs";
import { moduleOf } from "../engine/clocks.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";
import { Global, Instance } from "../engine/own-engine.mjs";
import { seenBy } from "../modules/seen-instance.mjs";
import { withoutMarks } from "../modules/function-ids.mjs";

/** The modules of the recorder's between an instance and meet(): entered-module.wat. */
const OWN_FRAMES = 1;

export class EnteredModules {
  #onTrap;
  #list; // the exports of the list, which is made for the first instance
  #count = 0;
  #expected = []; // instances that are not complete: { look, report }
  #stack = new EngineStack();
  #met = new Set(); // numbers of the modules that are known on the engine's stack

  /** `onTrap()` is called if a trap may have ended calls that modules do not report: see aliveOf(). */
  constructor(onTrap) {
    this.#onTrap = onTrap;
  }

  /**
   * What an instance of a module (known-modules.mjs) calls where it is entered. `look()` returns it once it is complete
   * (seen-instance.mjs). If that is undefined, its own traps are found only when it is entered itself.
   */
  expect({ number, ids }, look) {
    this.#list ??= new Instance(moduleOf("entered-modules"), { recorder: { findEnded: () => this.#onTrap() } }).exports;
    const report = new Global({ value: "anyfunc", mutable: true }, null);
    if (look !== undefined) this.#expected.push({ look, report });
    const meet = () => this.#meet(number, ids);
    const { enterModule } = new Instance(moduleOf("entered-module"), {
      recorder: { ...this.#list, number: ++this.#count, report, meet },
    }).exports;
    return { enterModule };
  }

  #meet(number, ids) {
    if (ids.size === 0 || this.#met.has(number)) return;
    this.#stack.learn(number, ids, false, OWN_FRAMES);
    this.#met.add(number);
  }

  /**
   * How many of the outermost `calls` are still on the engine's stack. A call is an id on a stack; `frameOf(call)` is
   * `{ module, id }`. Calls of modules that are not known there count as the calls around them.
   */
  aliveOf(calls, frameOf) {
    const frames = this.#stack.frames(false);
    let next = 0;
    const hasEnded = (call) => {
      if (call === NUMBERS.suspendedId || isSection(call)) return false;
      const { module, id } = frameOf(call);
      if (!this.#met.has(module)) return false;
      const found = frames.findIndex((frame, at) => at >= next && frame.module === module && frame.id === withoutMarks(id));
      next = found + 1;
      return found < 0;
    };
    const first = calls.findIndex(hasEnded);
    return first < 0 ? calls.length : first;
  }

  /** To be called when an instance may be complete. */
  addComplete() {
    this.#expected = this.#expected.filter(({ look, report }) => {
      const { exports } = seenBy(look) ?? {};
      if (exports === undefined) return true;
      report.value = exports.__warpo_report_trap ?? null;
      return false;
    });
  }

  /** The instance expected with this `look` could not be made. */
  drop(look) {
    this.#expected = this.#expected.filter((each) => each.look !== look);
  }
}
