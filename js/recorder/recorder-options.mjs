// SPDX-License-Identifier: Apache-2.0
// The options of a recorder: which make sense, and the sizes of buffers.

import { checkClock } from "./engine/clocks.mjs";
import { PAGE_SIZE } from "./record/record-encoder.mjs";
import { checkRequest } from "./samples/sampler.mjs";

const POLICIES = ["block", "ring"];
const DEFAULT_BUFFER = 1 << 19;
// As in C: the size decides in which order the blocks of several streams stand.
const DEFAULT_FUEL_BUFFER = 1 << 18;
// Room for events while the draining thread is behind. With half of it, a program that is always ahead waits, and wakes,
// twice as often.
const DEFAULT_DRAINED_BUFFER = 1 << 23;
// The bytes that are usually taken at a time: the most that a killed process loses.
const ENOUGH_TO_DRAIN = 1 << 18;
const LARGEST_BUFFER = 1 << 30;

function checkCount(options, name, least, most) {
  const value = options[name] ?? Infinity;
  if (value !== Infinity && (!Number.isInteger(value) || value < least || value > most))
    throw new RangeError(`${name} is ${value}, not a whole number from ${least} to ${most}`);
}

/** Throws a RangeError for options (RecorderOptions) that make no sense. */
export function checkOptions(options) {
  const { clock = "exact", policy = "block" } = options;
  checkClock(clock);
  if (!POLICIES.includes(policy))
    throw new RangeError(`unknown policy '${policy}', known are ${POLICIES.join(", ")}`);
  checkCount(options, "maxItems", 0, Number.MAX_SAFE_INTEGER);
  checkCount(options, "maxBytes", 0, Number.MAX_SAFE_INTEGER);
  checkCount(options, "bufferBytes", 1, LARGEST_BUFFER);
  checkCount(options, "heapSampleEvery", 1, Number.MAX_SAFE_INTEGER);
  checkCount(options, "heapSeed", 0, Number.MAX_SAFE_INTEGER);
  checkRequest({ every: options.sampleEvery, frequency: options.frequency });
}

/**
 * The size of the event buffer, and of the part handed on at a time. `orders`: without a time, these sizes determine
 * the order of the streams' blocks.
 */
export function bufferSizes({ bufferBytes }, { isDrained, orders }) {
  const usual = isDrained ? DEFAULT_DRAINED_BUFFER : orders ? DEFAULT_FUEL_BUFFER : DEFAULT_BUFFER;
  const size = PAGE_SIZE * Math.ceil((bufferBytes ?? usual) / PAGE_SIZE);
  return { bufferBytes: size, enoughBytes: Math.min(size / 2, isDrained ? ENOUGH_TO_DRAIN : Infinity) };
}
