// The memory in which a module logs first executions, asking nobody (docs/order.md), as the record
// of its program.

import { writeFileSync } from "node:fs";
import { systemMessage } from "../recorder/system-message.mjs";

const EXPORT = "__warpo_order_dump";

/**
 * Writes the memory of the first unit that has one to the target (`{ file }` or `{ fd }`). Returns
 * what report() says of it: `{}`, or `{ error }`; undefined if there is no such unit.
 */
export function recordOrderDump(units, target) {
  const memory = units.map((unit) => unit.instance?.exports[EXPORT]).find(isMemory);
  if (!memory) return undefined;
  try {
    writeFileSync(target.fd ?? target.file, new Uint8Array(memory.buffer));
    return {};
  } catch (error) {
    return { error: `${target.file ?? "standard output"}: ${systemMessage(error)}` };
  }
}

function isMemory(value) {
  return value instanceof WebAssembly.Memory;
}
