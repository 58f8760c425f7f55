// SPDX-License-Identifier: Apache-2.0
// Ends a program that has used up its fuel: --fuel-limit.

import { GuestAbort } from "./failures.mjs";

/** More than any program counts. */
const NO_LIMIT = 2n ** 63n - 1n;

/**
 * builtin.outOfFuel(fuel) of one instance, which asks at its first check what the limit is, and again
 * when it has come there. `limit`: undefined for none; `leave(error)` ends the program.
 */
export function fuelLimiter(limit, leave) {
  return (fuel) => {
    if (limit !== undefined && fuel >= limit)
      leave(new GuestAbort(`out of fuel: ${fuel} used, the limit is ${limit}`));
    return limit ?? NO_LIMIT;
  };
}
