// SPDX-License-Identifier: Apache-2.0
// The worker that keeps the time in Node (process-time.mjs). It sleeps while no thread needs the time.

import { workerData } from "node:worker_threads";
import { keepTime } from "../engine/kept-time.mjs";
import { TimeRequests } from "./process-time.mjs";

const requests = new TimeRequests(workerData);
for (;;) {
  requests.wait();
  keepTime(requests.take(), () => requests.take());
}
