// SPDX-License-Identifier: Apache-2.0
// Waiting for another thread.

/** Whether this thread may wait: a page's main thread must not. */
export const mayWait = (() => {
  try {
    return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1) === "not-equal";
  } catch {
    return false;
  }
})();

/**
 * Waits while the word has this value, at most this many milliseconds; returns `timed-out` if it never changed. Polls
 * in a thread that may not wait.
 */
export function awaitChange(words, at, value, patience) {
  if (mayWait) return Atomics.wait(words, at, value, patience);
  const deadline = Date.now() + patience;
  while (Atomics.load(words, at) === value) if (Date.now() >= deadline) return "timed-out";
  return "ok";
}
