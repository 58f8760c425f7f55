// SPDX-License-Identifier: Apache-2.0
// For programs that warpo/register runs: what their instances have counted so far.

import { artifactsOf, COUNTS } from "./artifacts.mjs";
import { LeftCalls } from "./left-calls.mjs";

let instances;
let leftBefore;

/**
 * `known`: the instances of this thread that may count, `{ instance, module }` each; more may be added. `left`: the
 * LeftCalls that they have left so far.
 */
export function offerCounts(known, left) {
  instances = known;
  leftBefore = left;
}

export function countsSoFar() {
  if (instances === undefined) throw new Error("counts are kept only in a program that runs by node --import warpo/register, of this package");
  const left = new LeftCalls();
  left.add(leftBefore);
  left.addCurrent();
  const files = instances.flatMap(({ instance, module }) => artifactsOf(instance, module, { left }).filter(({ format }) => format === COUNTS));
  return new Uint8Array(Buffer.concat(files.map(({ bytes }) => bytes)));
}
