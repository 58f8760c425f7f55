// SPDX-License-Identifier: Apache-2.0
// The ids that trace points report: the first one, and the marks that say how a function was entered.

import { NUMBERS } from "../record/record-encoder.mjs";

/** The id of the first instrumented function of a module. */
export const FIRST_ID = NUMBERS.firstId;
/** The bits that say how a function was entered. They are 0 in all ids of a mapping. */
const MARKS = 0x300000;
const isMarked = (id) => id >= FIRST_ID && id <= (FIRST_ID | MARKS | 0xfffff);
/** The id in the mapping. */
export const withoutMarks = (id) => (isMarked(id) ? id & ~MARKS : id);
/**
 * Whether two ids on a stack, with or without marks, belong to the same function. Ids of different modules may differ
 * by more of these steps.
 */
export const isOfSame = (one, other) => (one - other) % (MARKS & -MARKS) === 0 && Math.abs(one - other) <= MARKS;
