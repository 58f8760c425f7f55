// SPDX-License-Identifier: Apache-2.0
// V8's own sampling profiler, in this process and for this thread: it samples programs as they are, by a signal.

import { performance } from "./own-engine.mjs";

/** Milliseconds by performance.now() of a time of the profiler, which has the same clock with another origin. */
function timeFromProfiler() {
  const offset = performance.now() - Number(process.hrtime.bigint()) / 1e6;
  return (microseconds) => microseconds / 1e3 + offset;
}

/**
 * Of a profile as V8 and `.cpuprofile` files have it: `nodes` of V8's call tree (`{ callFrame, parent }`), `samples`, `{ time, node }`, and `begin`, that
 * of what counts, with times by performance.now(). `begin` is given in microseconds of process.hrtime().
 */
export function readProfile(profile, begin = profile.startTime) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, { callFrame: node.callFrame }]));
  for (const { id, children = [] } of profile.nodes)
    for (const child of children) nodes.get(child).parent = nodes.get(id);
  const timeOf = timeFromProfiler();
  let time = profile.startTime;
  const samples = profile.samples.map((id, i) => {
    time += profile.timeDeltas[i];
    return { time: timeOf(time), node: nodes.get(id) };
  });
  return { nodes: [...nodes.values()], samples, begin: timeOf(begin) };
}

/** The inspector, which builds of Node may lack; an Error then. */
async function loadInspector() {
  try {
    return await import("node:inspector");
  } catch {
    throw new Error("this Node was built without its inspector, whose profiler takes the samples");
  }
}

export class EngineProfiler {
  #session;
  #frequency;

  static async create(frequency) {
    const { Session } = await loadInspector();
    return new EngineProfiler(new Session(), frequency);
  }

  constructor(session, frequency) {
    this.#session = session;
    this.#frequency = frequency;
  }

  #post(method, parameters) {
    let answer;
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }

  start() {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.setSamplingInterval", {
      interval: Math.max(1, Math.round(1e6 / this.#frequency)),
    });
    this.#post("Profiler.start");
  }

  /** Ends the profile; what readProfile() returns of it. */
  stop() {
    const { profile } = this.#post("Profiler.stop");
    this.#session.disconnect();
    return readProfile(profile);
  }
}
