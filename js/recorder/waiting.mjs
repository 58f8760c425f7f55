// SPDX-License-Identifier: Apache-2.0
// Waiting for another thread.

/**
 * Waits while the word has this value, for so many milliseconds at most; `timed-out` if it had it all the time. A page's main thread must not
 * wait: it looks again and again.
 */
export function awaitChange(words, at, value, patience) {
  try {
    return Atomics.wait(words, at, value, patience);
  } catch {
    const deadline = Date.now() + patience;
    while (Atomics.load(words, at) === value) if (Date.now() >= deadline) return "timed-out";
    return "ok";
  }
}
