// SPDX-License-Identifier: Apache-2.0
// The worker of clock `thread`: writes the time into a shared memory as fast as it can.
//
// Message: { buffer, at, origin }. At byte `at` of the buffer the time, in milliseconds since `origin`; 8 bytes
// further a number: 1 once the worker keeps it; it stops when that is another. 3: it could not start.

// How often the time is written, in milliseconds: each time the recorder's thread has to fetch it
// from this thread's cache again, which takes as long as many events.
const STEP = 0.001;

const RUNNING = 1;

function keep({ buffer, at, origin }) {
  const time = new Float64Array(buffer, at, 1);
  const state = new Int32Array(buffer, at + 8, 1);
  const offset = performance.timeOrigin - origin;
  time[0] = performance.now() + offset;
  Atomics.compareExchange(state, 0, 0, RUNNING);
  Atomics.notify(state, 0);
  let last = 0;
  for (let i = 0; i % 1024 !== 0 || Atomics.load(state, 0) === RUNNING; ++i) {
    const now = performance.now() + offset;
    if (now - last >= STEP) time[0] = last = now;
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  globalThis.onmessage = ({ data }) => {
    postMessage("running");
    keep(data);
  };
} else {
  const { workerData } = await import("node:worker_threads");
  keep(workerData);
}
