// SPDX-License-Identifier: Apache-2.0
// The worker that keeps the time of a page's recorder. Message: a description of kept-time.mjs.

import { keepTime } from "../engine/kept-time.mjs";

onmessage = ({ data }) => {
  postMessage("running");
  keepTime([data]);
};
