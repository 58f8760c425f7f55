// SPDX-License-Identifier: Apache-2.0
// The ids of functions, which trace points report: the first, and the marks that say how a function was entered.

import { NUMBERS } from "../record/record-encoder.mjs";

/** Of the first instrumented function of a module. */
export const FIRST_ID = NUMBERS.firstId;
/** The bits of an id that tell how its function was entered; no id has them of its own. */
const MARKS = 0x300000;
const isMarked = (id) => id >= FIRST_ID && id <= (FIRST_ID | MARKS | 0xfffff);
/** The id of the mapping, without what tells how the function was entered. */
export const withoutMarks = (id) => (isMarked(id) ? id & ~MARKS : id);
/** Whether two ids on a stack, whose marks may be folded away, are of calls of one function. Another module's may differ by more of these steps. */
export const isOfSame = (one, other) => (one - other) % (MARKS & -MARKS) === 0 && Math.abs(one - other) <= MARKS;
