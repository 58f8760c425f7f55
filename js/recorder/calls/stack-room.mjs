// SPDX-License-Identifier: Apache-2.0

const useStack = (depth) => (depth === 0 ? 0 : 1 + useStack(depth - 1));

/**
 * Whether there is enough stack for calls this deep into JavaScript. If the program is about to exhaust the stack, the
 * error would otherwise come in the middle of work that cannot be repeated.
 */
export function hasRoomOnStack(depth) {
  try {
    return useStack(depth) > 0;
  } catch {
    return false;
  }
}
