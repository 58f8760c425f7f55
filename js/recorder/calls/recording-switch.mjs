// SPDX-License-Identifier: Apache-2.0
// Switches the trace points of modules that were instrumented with --switchable, by the counter `recording` of each
// instance. A call is reported only if the counter is even when it begins, and its end only if its begin was. If the
// engine's stack shows which calls are open when recording is switched on again, they are recorded then, and the
// counter is incremented so that their ends are reported too. Otherwise the counter is restored.

import { counterOf } from "../modules/counters.mjs";
import { EngineStack } from "../engine/engine-stack.mjs";
import { RECORDING_TRAP } from "../modules/recorded-module.mjs";

/** Asyncify modules are not switched: of a stack that is unwound or rewound, all calls must be reported, or none. */
const isUnwound = (exports) => typeof exports.asyncify_get_state === "function";

/**
 * The frames of the `calls` of a stack that are not among the `known` calls, all outermost first. A trap may have ended
 * known calls, and their functions may have been called again. In that case a call around them has moved on from its
 * place in `left`, the places at which recording was switched off.
 */
function findNew(calls, known, left) {
  let hasStayed = true;
  let next = 0;
  const first = calls.findIndex(({ place, frame }, at) => {
    const isIn = ({ module, id }, index) => index >= next && module === frame.module && id === frame.id;
    const found = frame === undefined || !hasStayed ? -1 : known.findIndex(isIn);
    if (frame !== undefined && found < 0) return true;
    next = Math.max(next, found + 1);
    hasStayed &&= place === left[at];
    return false;
  });
  return first < 0 ? [] : calls.slice(first).flatMap(({ frame }) => frame ?? []);
}

export class RecordingSwitch {
  #expected;
  #waiting = 0; // instances that are being made
  #instances = []; // { exports, store }, the first a WeakRef
  #stores = new Map(); // by number of the module
  #others = 0; // instances whose calls are always reported, or whose ids have marks, which frames do not show
  #value = 0n; // of the counters of all instances
  #stack = new EngineStack();
  #left = []; // places of the calls of the stack on which recording was switched off

  /** `expected`: ExpectedInstances. */
  constructor(expected) {
    this.#expected = expected;
  }

  /**
   * To be called before a traced instance is made. `look()`, if it is given, returns the instance once it is made;
   * `store(id)` stores the begin of a call in its place.
   */
  expect(look, known, isMarked, store) {
    ++this.#waiting;
    this.#expected.expect(look, (exports) => {
      --this.#waiting;
      if (exports !== undefined) this.#add(exports, known, isMarked, store);
    });
  }

  #add(exports, known, isMarked, store) {
    if (isUnwound(exports) || counterOf(exports, "recording") === undefined) {
      ++this.#others;
      return;
    }
    if (isMarked) ++this.#others;
    this.#instances.push(new WeakRef(exports));
    this.#stores.set(known.number, store);
    if (typeof exports[RECORDING_TRAP] === "function") this.#stack.learnFrom(exports[RECORDING_TRAP], known);
    this.#apply();
  }

  /** Whether recording may be switched where another thread has interrupted this one. */
  get isInProgram() {
    return this.#stack.isInProgram();
  }

  off() {
    this.#value |= 1n;
    this.#left = this.#stack.calls().map(({ place }) => place);
    this.#apply();
  }

  /**
   * `known()` returns the calls that are open in the record, outermost first; undefined if they cannot be matched with
   * the calls of the engine's stack.
   */
  on(known) {
    if (this.#value % 2n === 0n) return;
    const open = this.#others + this.#waiting === 0 && this.#instances.length > 0 ? known() : undefined;
    const missing = open === undefined ? [] : findNew(this.#stack.calls(), open, this.#left);
    for (const { module, id } of missing) this.#stores.get(module)(id);
    // If none is missing, the counter is restored, so that ends of calls that began meanwhile are not reported.
    this.#value += missing.length === 0 ? -1n : 1n;
    this.#apply();
  }

  #apply() {
    this.#instances = this.#instances.filter((instance) => instance.deref() !== undefined);
    for (const instance of this.#instances) counterOf(instance.deref(), "recording").value = this.#value;
  }
}
