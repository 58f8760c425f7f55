// SPDX-License-Identifier: Apache-2.0
// Writes to descriptor 3, each on a line, the options of warpo-instrument with which a record of engine `node` in this environment is
// fastest. Invalid settings are reported when the program runs.

import { writeSync } from "node:fs";
import { eventStoreOptions } from "../event-store.mjs";
import { environmentOptions } from "../recorder/node/environment.mjs";

const ANSWER = 3;

function clockOfRecord() {
  try {
    return environmentOptions({ hasCalls: true }).clock;
  } catch {
    return undefined;
  }
}

for (const option of eventStoreOptions(clockOfRecord())) writeSync(ANSWER, `${option}\n`);
