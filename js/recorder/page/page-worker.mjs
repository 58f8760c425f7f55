// SPDX-License-Identifier: Apache-2.0
// Records in a worker of a page (page-workers.mjs), before its program begins; or lets instrumented modules run there
// without a recorder.

import { hookWebAssembly } from "../hook.mjs";
import { platform } from "./page-platform.mjs";
import { openRecorder } from "../open-recorder.mjs";
import { SharedNames } from "../threads/shared-names.mjs";
import { SharedSink } from "../threads/shared-sink.mjs";
import { hookWorkersOf } from "./page-worker-starter.mjs";

/** `options`: of createRecorder(); `names`: the memory of the page's SharedNames; `port` hears of what begins. */
export function startRecording({ options, names: memory, port }) {
  const names = new SharedNames(memory);
  const sink = new SharedSink();
  const announce = (description) => port.postMessage({ begun: { description, buffer: sink.buffer } });
  let recorder;
  const open = () => {
    if (recorder !== undefined) return recorder;
    recorder = openRecorder({ ...options, file: sink, names, announce }, { ...platform, openFile: () => sink });
    if (recorder.error !== undefined) port.postMessage({ problem: recorder.error });
    return recorder;
  };
  hookWebAssembly(open, {
    onDescription: (description) => names.add(description),
    onError: ({ message }) => port.postMessage({ problem: message }),
  });
  hookWorkersOf({
    begin: () => true,
    obstacle: undefined,
    report: (problem) => port.postMessage({ problem }),
    take(_, started) {
      port.postMessage({ started }, [started]);
      return { name: "a worker", recording: { options, names: memory } };
    },
    noteTerminate() {},
  });
}

/**
 * Instrumented modules in this worker, and in those that it starts, get inert functions for what they import from the
 * recorder.
 */
export function runUnrecorded() {
  const open = () => {
    throw new Error("workers are not recorded");
  };
  hookWebAssembly(open, { onError() {}, hasCalls: false });
  hookWorkersOf({ begin: () => true, obstacle: "that of this one", report() {}, noteTerminate() {} });
}
