// SPDX-License-Identifier: Apache-2.0
// Writes to descriptor 3, each on a line, options of warpo-instrument for modules that engine `node` runs in this
// environment. The argument is `events`, for the options with which recording is fastest, or `counters`, for those with
// which there may be any number of counters. Invalid settings are reported when the program runs.

import { writeSync } from "node:fs";
import { counterStoreOptions, eventStoreOptions } from "../event-store.mjs";
import { environmentOptions } from "../recorder/node/environment.mjs";

const ANSWER = 3;

function clockOfRecord() {
  try {
    return environmentOptions({ hasCalls: true }).clock;
  } catch {
    return undefined;
  }
}

const options = process.argv[2] === "counters" ? counterStoreOptions() : eventStoreOptions(clockOfRecord());
for (const option of options) writeSync(ANSWER, `${option}\n`);
