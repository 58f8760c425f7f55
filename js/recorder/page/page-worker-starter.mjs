// SPDX-License-Identifier: Apache-2.0
// Starts the workers of a page, or of one of its workers: each loads a script of the recorder first
// (page-worker-start.js), which then loads the program's script. Its `home` says how a worker is recorded.

const START = new URL("./page-worker-start.js", import.meta.url).href;

/**
 * The address of a copy of a blob: programs revoke the blob's own address once the worker has been made, before it is
 * loaded. Throws if the page may not read it.
 */
function copyOfBlob(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.send();
  return URL.createObjectURL(new Blob([request.responseText], { type: "text/javascript" }));
}

function addressOf(script) {
  try {
    return new URL(script, globalThis.document?.baseURI ?? location.href);
  } catch {
    return undefined;
  }
}

class WorkerStarter {
  #home;
  #copies = new WeakMap(); // by worker, until it has loaded it: of copyOfBlob()
  #isForbidden = false;
  #followsPolicy = false;

  constructor(home) {
    this.#home = home;
  }

  /**
   * A worker as `make(script, options)` makes it, with the recorder if that can be; without one, instrumented modules
   * still get what they import from it, if possible.
   */
  start(make, script, options) {
    const home = this.#home;
    if (!home.begin()) return make(script, options);
    this.#followPolicy();
    const obstacle = this.#isForbidden ? "the page's policy forbids their start" : home.obstacle;
    if (obstacle !== undefined) home.report(`workers are not recorded: ${obstacle}`);
    if (this.#isForbidden) return make(script, options);
    const address = addressOf(script);
    // What cannot be started, the engine says.
    if (address === undefined) return make(script, options);
    if (address.origin !== location.origin) {
      home.report(`a worker is not recorded: its script is of another origin, ${address.origin}`);
      return make(script, options);
    }
    let copy;
    try {
      if (address.protocol === "blob:") copy = copyOfBlob(address.href);
    } catch (error) {
      home.report(`a worker is not recorded: its script, a blob, cannot be read: ${error.message}`);
      return make(script, options);
    }
    let worker;
    try {
      worker = make(START, { ...options, type: "classic" });
    } catch (error) {
      if (copy !== undefined) URL.revokeObjectURL(copy);
      home.report(`workers are not recorded: ${error.message}`);
      return make(script, options);
    }
    if (copy !== undefined) this.#copies.set(worker, copy);
    this.#send(worker, { address: address.href, script: copy ?? address.href, isModule: options?.type === "module" });
    return worker;
  }

  #followPolicy() {
    if (this.#followsPolicy) return;
    this.#followsPolicy = true;
    (globalThis.document ?? globalThis).addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
      if (blockedURI !== START) return;
      this.#isForbidden = true;
      this.#home.report(`a worker was not started: the page's policy (${effectiveDirective}) forbids ${START}`);
    });
  }

  /** The worker has loaded its script, or never will. */
  #forgetCopy(worker) {
    const copy = this.#copies.get(worker);
    if (copy !== undefined) URL.revokeObjectURL(copy);
    this.#copies.delete(worker);
  }

  /** `program`: what page-worker-start.js loads after the recorder. */
  #send(worker, program) {
    const toHome = new MessageChannel();
    const isRecorded = this.#home.obstacle === undefined;
    const { name, recording } = isRecorded ? this.#home.take(worker, toHome.port1) : { name: "a worker" };
    const { port1, port2: starter } = new MessageChannel();
    const noteFailure = () => {
      this.#forgetCopy(worker);
      if (!this.#isForbidden) this.#home.report(`${name} was not started: ${START} cannot be loaded as one of the page's scripts`);
    };
    worker.addEventListener("error", noteFailure, { once: true });
    port1.onmessage = ({ data: { hasLoaded } }) => {
      worker.removeEventListener("error", noteFailure);
      if (hasLoaded) this.#forgetCopy(worker);
    };
    worker.postMessage({ program, recording, port: toHome.port2, starter }, [toHome.port2, starter]);
  }

  /** Before that is done. */
  noteTerminate(worker) {
    this.#forgetCopy(worker);
    this.#home.noteTerminate(worker);
  }
}

/**
 * Hooks `Worker`; returns a function that unhooks it. `home` has `begin()`: whether there is a recorder; `obstacle`:
 * why workers cannot be recorded, or undefined; `report(text)`; `take(worker, port)`: listens at the port to the
 * worker's recorder, and returns the worker's `name` and its `recording`, the `options` and `names` of startRecording()
 * (page-worker.mjs), only called without an obstacle; `noteTerminate(worker)`.
 */
export function hookWorkersOf(home) {
  const { Worker } = globalThis;
  if (typeof Worker !== "function") return () => {};
  const workers = new WorkerStarter(home);
  const construct = (target, [script, ...rest], newTarget) => {
    const make = (...args) => Reflect.construct(target, args, newTarget);
    return rest.length > 1 || script === undefined ? make(script, ...rest) : workers.start(make, script, ...rest);
  };
  globalThis.Worker = new Proxy(Worker, { construct });
  const { prototype } = Worker;
  const { terminate } = prototype;
  prototype.constructor = globalThis.Worker;
  prototype.terminate = new Proxy(terminate, {
    apply(target, worker, args) {
      workers.noteTerminate(worker);
      return Reflect.apply(target, worker, args);
    },
  });
  return () => {
    globalThis.Worker = Worker;
    Object.assign(prototype, { constructor: Worker, terminate });
  };
}
