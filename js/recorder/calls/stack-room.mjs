// SPDX-License-Identifier: Apache-2.0

const useStack = (depth) => (depth === 0 ? 0 : 1 + useStack(depth - 1));

/**
 * Whether JavaScript can be called here at all, so many small functions deep: a program may be about to use up the stack, and the
 * error would come in the middle of what cannot be done twice.
 */
export function hasRoomOnStack(depth) {
  try {
    return useStack(depth) > 0;
  } catch {
    return false;
  }
}
