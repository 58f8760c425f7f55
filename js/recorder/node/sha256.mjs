// SPDX-License-Identifier: Apache-2.0
// SHA-256, in Node. Its crypto is loaded with the first use: in each thread that takes several milliseconds.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A Buffer. */
export const sha256 = (bytes) => require("node:crypto").createHash("sha256").update(bytes).digest();
