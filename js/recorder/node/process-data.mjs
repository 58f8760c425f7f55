// SPDX-License-Identifier: Apache-2.0
// What the threads of a process have in common, in Node: the main thread says it before any other starts, and each thread
// passes it on to those that it starts.

import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

const KEY = "warpo";

/**
 * `{ settings, file, names, time, modules, recordSwitch }` of the main thread, in the others; undefined if it does not record. `settings`: its environment
 * variables of recording; `file`: the absolute path of the process's record; `names`: the memory of its SharedNames; `time`: that of its TimeKeeper;
 * `modules`: that of its SharedModules, if V8's profiler samples; `recordSwitch`: that of its ProcessSwitch, if it has one.
 */
export const dataOfProcess = isMainThread ? undefined : getEnvironmentData(KEY);

const isSetting = ([name]) => /^WARPO?_/.test(name);

/** For the main thread. */
export function shareProcessData(names, file, time, { modules, recordSwitch }) {
  setEnvironmentData(KEY, {
    settings: Object.fromEntries(Object.entries(process.env).filter(isSetting)),
    file,
    names: names.memory,
    time: time.memory,
    modules: modules?.memory,
    recordSwitch: recordSwitch?.memory,
  });
}
