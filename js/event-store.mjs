// SPDX-License-Identifier: Apache-2.0
// Where modules leave their events and counters by default: events in the recorder's memory, if the clock and this
// version of Node allow it; counters in a memory if they are too many for globals, or if it loses fewer.

const MODULE_WITH_TWO_MEMORIES = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0);

/** Node 20 supports only one memory, and instrumenting may add a second one. */
export const takesSeveralMemories = WebAssembly.validate(MODULE_WITH_TWO_MEMORIES);

const STORED = ["none", "thread"];

/** The options of warpo-instrument for a record with this clock. */
export const eventStoreOptions = (clock) => (takesSeveralMemories && STORED.includes(clock) ? ["--events-in=auto"] : []);

/** The same for counters. */
export const counterStoreOptions = () => (takesSeveralMemories ? ["--counters-in=auto"] : []);
