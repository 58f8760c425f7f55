// SPDX-License-Identifier: Apache-2.0
// V8's own sampling profiler, in this process and for this thread: it samples programs as they are, by a signal.

import { performance } from "../engine/own-engine.mjs";

/** Milliseconds by performance.now() of a time of the profiler, which has the same clock with another origin. */
function timeFromProfiler() {
  const offset = performance.now() - Number(process.hrtime.bigint()) / 1e6;
  return (microseconds) => microseconds / 1e3 + offset;
}

/**
 * From a profile of V8 or a `.cpuprofile` file: `nodes` of V8's call tree (`{ callFrame, parent }`); `samples`
 * (`{ time, node }`); and `begin`, that of the relevant part; times as by performance.now(). The given `begin` is in
 * microseconds of process.hrtime().
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

function post(session, method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

export class EngineProfiler {
  #Session;
  #session;
  #frequency;

  static async create(frequency) {
    const { Session } = await loadInspector();
    return new EngineProfiler(Session, frequency);
  }

  constructor(Session, frequency) {
    this.#Session = Session;
    this.#session = new Session();
    this.#frequency = frequency;
  }

  #post(method, parameters) {
    return post(this.#session, method, parameters);
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

  /**
   * The modules with these URLs in V8, `{ scriptId, url, bytes }` each, if it has them. Call this after the program's
   * end: V8 compiles all of its code anew for this.
   */
  modulesAt(urls) {
    const session = new this.#Session();
    const scripts = [];
    session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => {
      if (urls.includes(url)) scripts.push({ scriptId, url });
    });
    session.connect();
    try {
      post(session, "Debugger.enable");
      const read = (scriptId) => Buffer.from(post(session, "Debugger.getScriptSource", { scriptId }).bytecode, "base64");
      return scripts.map((script) => ({ ...script, bytes: read(script.scriptId) }));
    } finally {
      session.disconnect();
    }
  }
}
