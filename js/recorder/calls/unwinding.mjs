// SPDX-License-Identifier: Apache-2.0
// While Asyncify unwinds a stack, its calls return and have not ended; while it rewinds one, they are called and do not begin anew. This
// tells such events from those of calls that its host makes meanwhile.

import { NUMBERS } from "../record/record-encoder.mjs";
import { isOfSame } from "../modules/function-ids.mjs";

export class Unwinding {
  #isActive = false;
  #number; // of the stack that is unwound; undefined while one is rewound
  #unwound = []; // the ends of its calls
  #expected = []; // the ends of calls that are yet to be rewound, the next one last
  #within = 0; // open calls of the host's

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

  /** The `number` of the stack that was unwound, and what would have ended its calls: none if it was rewound. */
  finish() {
    const found = { number: this.#number, unwound: this.#unwound };
    this.#isActive = false;
    this.#number = undefined;
    this.#unwound = [];
    this.#expected = [];
    this.#within = 0;
    return found;
  }

  /** Whether the event of this id is of unwinding or rewinding. */
  isRepeated(id) {
    if (!this.#isActive || id === NUMBERS.trapId) return false;
    if (id > 0) {
      if (this.#within === 0 && isOfSame(id, -this.#expected.at(-1))) {
        this.#expected.pop();
        return true;
      }
      // Imports that are on the stack are called again too, and may call others first, as Emscripten's `invoke_` do.
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
