// SPDX-License-Identifier: Apache-2.0
// Dumps of first executions for readers of records: docs/order.md. lib/Engine/OrderDump.cpp does the same.

import { NUMBERS } from "../record/record-encoder.mjs";

/** The format, and the exports that have the order: a memory with a dump, or a function that returns ranks. */
export const FORMAT = "order-dump";
export const MEMORY = "__warpo_order_dump";
export const RANKS = "__warpo_order_rank";
const MAGIC = "WRPORDER";
const HEAD_SIZE = 40;
const FIRST_ID = NUMBERS.firstId;

const bitsSize = (functions) => Math.ceil(functions / 8);

/** The dump that a memory's bytes begin with; all bytes if there is no dump. */
export function dumpInMemory(bytes) {
  if (bytes.length < HEAD_SIZE || String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC)
    return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [capacity, functions] = [12, 28].map((at) => view.getUint32(at, true));
  return bytes.subarray(0, HEAD_SIZE + 4 * capacity + bitsSize(functions));
}

/**
 * Makes a dump from the ranks of functions, in the order of their ids: from 1, or negative for a function that has not
 * run. The first 0 ends them. Empty without ranks.
 */
export function dumpOfRanks(numbers, moduleId) {
  const end = numbers.indexOf(0);
  const ranks = end < 0 ? numbers : numbers.slice(0, end);
  if (ranks.length === 0) return new Uint8Array();
  const ran = [...ranks.keys()]
    .filter((number) => ranks[number] > 0)
    .sort((one, other) => ranks[one] - ranks[other]);
  const bytes = new Uint8Array(HEAD_SIZE + 4 * ran.length + bitsSize(ranks.length));
  const view = new DataView(bytes.buffer);
  bytes.set([...MAGIC].map((letter) => letter.charCodeAt(0)));
  view.setUint32(8, 1, true); // version
  view.setUint32(12, ran.length, true);
  view.setBigUint64(16, moduleId, true);
  view.setUint32(24, FIRST_ID, true);
  view.setUint32(28, ranks.length, true);
  view.setUint32(32, ran.length, true);
  const bits = HEAD_SIZE + 4 * ran.length;
  ran.forEach((number, place) => {
    view.setUint32(HEAD_SIZE + 4 * place, FIRST_ID + number, true);
    bytes[bits + (number >> 3)] |= 1 << (number & 7);
  });
  return bytes;
}
