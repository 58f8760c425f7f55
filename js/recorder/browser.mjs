// SPDX-License-Identifier: Apache-2.0
// createRecorder() of browsers.

import * as modules from "./hook.mjs";
import { platform } from "./page/page-platform.mjs";
import { hookPageWorkers } from "./page/page-workers.mjs";
import { openRecorder } from "./open-recorder.mjs";
import { SharedNames } from "./threads/shared-names.mjs";

export const createRecorder = (options = {}) => openRecorder(options, platform);
export { artifactsOf, orderDump } from "./artifacts/artifacts.mjs";

/** As hook.mjs has it, for the workers that are started from now on too. */
export function hookWebAssembly(recorder, options = {}) {
  const names = globalThis.crossOriginIsolated ? new SharedNames() : undefined;
  const onDescription = (description) => names?.add(description);
  const undo = modules.hookWebAssembly(recorder, { onDescription, ...options });
  const { onError = console.error } = options;
  const undoWorkers = hookPageWorkers(typeof recorder === "function" ? recorder : () => recorder, names, onError);
  return () => {
    undoWorkers();
    undo();
  };
}
