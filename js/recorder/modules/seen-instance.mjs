// SPDX-License-Identifier: Apache-2.0
// What is known of an instance that may not be complete yet.

/**
 * What `look()` returns: `{ exports, memory }` of an instance, or undefined. It is the program's, which may not be ready
 * for it while its instance is being made.
 */
export function seenBy(look) {
  try {
    return look?.();
  } catch {
    return undefined;
  }
}
