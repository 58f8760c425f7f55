// SPDX-License-Identifier: Apache-2.0
// Says, while a program runs, that its record cannot be written any more.

import { writeSync } from "node:fs";

/**
 * `speaker` begins the message. Called within the program, which must not notice if standard error is closed or a full
 * pipe.
 */
export function warnOfFailure(speaker, error) {
  try {
    writeSync(2, `${speaker}: ${error}; the program goes on, and what it does from now on is not recorded\n`);
  } catch {
    // What is said at the end of the program has the error, too.
  }
}
