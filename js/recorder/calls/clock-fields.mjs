// SPDX-License-Identifier: Apache-2.0
// What a record says of its clock.

import { fuelName } from "../modules/known-modules.mjs";
import { performance } from "../engine/own-engine.mjs";
import { wholeNanoseconds } from "./streams.mjs";

/**
 * `clockFields` of RecordWriter. `clock`: see clocks.mjs; `begin`: the begin of the record in terms of performance.now(),
 * default: now.
 */
export function clockFieldsOf({ isTime, isFuel, isMarked }, begin = performance.now()) {
  const name = isFuel ? fuelName("1") : "time";
  if (!isTime) return { name, nanoseconds: 0, counts: 0, origin: 0, wall: 0 };
  const origin = wholeNanoseconds(begin);
  const wall = BigInt(wholeNanoseconds(performance.timeOrigin)) + BigInt(origin);
  return { name, nanoseconds: 1, counts: 1, origin, wall, hasSteps: isMarked === true };
}
