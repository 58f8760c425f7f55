// SPDX-License-Identifier: Apache-2.0
// createRecorder() of Node.

import { platform } from "./node/node-platform.mjs";
import { openRecorder } from "./open-recorder.mjs";

export const createRecorder = (options = {}) => openRecorder(options, platform);
export { artifactsOf, orderDump } from "./artifacts/artifacts.mjs";
export { countsSoFar } from "./artifacts/counts-so-far.mjs";
export { hookWebAssembly } from "./hook.mjs";
