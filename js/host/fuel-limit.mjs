// SPDX-License-Identifier: Apache-2.0
// Ends a program that has used up its fuel (--fuel-limit).

import { GuestAbort } from "./failures.mjs";

/** More fuel than any program uses. */
const NO_LIMIT = 2n ** 63n - 1n;

/**
 * builtin.outOfFuel(fuel) of one instance, called at its first check and whenever the fuel reaches the returned limit.
 * `limit` may be undefined; `leave(error)` ends the program.
 */
export function fuelLimiter(limit, leave) {
  return (fuel) => {
    if (limit !== undefined && fuel >= limit)
      leave(new GuestAbort(`out of fuel: ${fuel} used, the limit is ${limit}`));
    return limit ?? NO_LIMIT;
  };
}
