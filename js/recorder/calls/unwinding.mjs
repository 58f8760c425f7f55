// SPDX-License-Identifier: Apache-2.0
// While Asyncify unwinds a stack, its calls return without having ended; while it rewinds a stack, they are called
// without beginning anew. Unwinding recognises such events among those of calls that the host makes meanwhile.

import { NUMBERS } from "../record/record-encoder.mjs";
import { isOfSame } from "../modules/function-ids.mjs";

export class Unwinding {
  #isActive = false;
  #number; // of the stack that is unwound; undefined while one is rewound
  #unwound = []; // the ends of its calls
  #expected = []; // the ends of calls that are yet to be rewound, the next one last
  #within = 0; // the number of open calls that the host has made meanwhile

  get isActive() {
    return this.#isActive;
  }

  unwind(number) {
    this.finish();
    this.#isActive = true;
    this.#number = number;
  }

  /** `unwound`: the ends of the calls that had been unwound, innermost first. */
  rewind(unwound) {
    this.finish();
    this.#isActive = true;
    this.#expected = [...unwound];
  }

  /** Returns the `number` of the unwound stack and the ids that would have ended its calls; none if it was rewound. */
  finish() {
    const found = { number: this.#number, unwound: this.#unwound };
    this.#isActive = false;
    this.#number = undefined;
    this.#unwound = [];
    this.#expected = [];
    this.#within = 0;
    return found;
  }

  /** Whether the event with this id only unwinds or rewinds a call. */
  isRepeated(id) {
    if (!this.#isActive || id === NUMBERS.trapId) return false;
    if (id > 0) {
      if (this.#within === 0 && isOfSame(id, -this.#expected.at(-1))) {
        this.#expected.pop();
        return true;
      }
      // Imports on the stack are called again too, and may make other calls first, as Emscripten's `invoke_` do.
      ++this.#within;
      return false;
    }
    if (this.#within > 0) {
      --this.#within;
      return false;
    }
    if (this.#number === undefined) return false;
    this.#unwound.push(id);
    return true;
  }
}
