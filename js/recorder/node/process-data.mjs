// SPDX-License-Identifier: Apache-2.0
// Data shared by the threads of a process in Node: set by the main thread before others start, and passed on by each
// thread to those that it starts.

import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

const KEY = "warpo";

/**
 * `{ settings, file, names, time, ended, modules, recordSwitch }` of the main thread, in the others; undefined if it does not
 * record. `settings`: its environment variables of recording; `file`: the record's absolute path; the others are
 * memories: `names` of SharedNames, `time` of TimeKeeper, `ended` of markEnd(), `modules` of SharedModules (if V8's
 * profiler samples), `recordSwitch` of ProcessSwitch (if there is one).
 */
export const dataOfProcess = isMainThread ? undefined : getEnvironmentData(KEY);

const ended = new Int32Array(dataOfProcess?.ended ?? new SharedArrayBuffer(4));

/** For the main thread, before it takes the records of other threads: what these begin from now on is in no record. */
export const markEnd = () => Atomics.store(ended, 0, 1);
export const isMarkedAsEnded = () => Atomics.load(ended, 0) === 1;

const isSetting = ([name]) => /^WARPO?_/.test(name);

/** For the main thread. */
export function shareProcessData(names, file, time, { modules, recordSwitch }) {
  setEnvironmentData(KEY, {
    settings: Object.fromEntries(Object.entries(process.env).filter(isSetting)),
    file,
    names: names.memory,
    time: time.memory,
    ended: ended.buffer,
    modules: modules?.memory,
    recordSwitch: recordSwitch?.memory,
  });
}
