// SPDX-License-Identifier: Apache-2.0
// The workers that a page starts: each loads a script of the recorder first, which records there what is hooked here. A worker's record lies in
// memory that the page sees, which finishes it and makes it a part of its own, however the worker has ended.

import { finishLeftRecord } from "./left-record.mjs";
import { RecordReader } from "./record-reader.mjs";
import { SharedSink } from "./shared-sink.mjs";
import { PATIENCE } from "./thread-gate.mjs";

/** So long a worker may run on that has been terminated, in milliseconds: Chromium gives it two seconds to come to its event loop. */
const ENDING = 3000;

const START = new URL("./page-worker-start.js", import.meta.url).href;

/**
 * The address of a copy of a blob: programs take back that of the blob itself as soon as the worker has been made, before it is loaded. Throws if the
 * page may not read it.
 */
function copyOfBlob(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.send();
  return URL.createObjectURL(new Blob([request.responseText], { type: "text/javascript" }));
}

function addressOf(script) {
  try {
    return new URL(script, document.baseURI);
  } catch {
    return undefined;
  }
}

class PageWorkers {
  #open;
  #onError;
  #recorder;
  #names;
  #records = []; // { id, worker, description, buffer }
  #terminated = new WeakMap(); // when workers were
  #copies = new WeakMap(); // by worker, until it has loaded it: of copyOfBlob()
  #count = 0;
  #isForbidden = false;
  #said = new Set();

  /** `open()` gives the page's recorder, whose names are `names`, SharedNames; `onError(error)` hears what it throws. */
  constructor(open, names, onError) {
    this.#open = open;
    this.#names = names;
    this.#onError = onError;
  }

  #report(text) {
    if (!this.#said.has(text)) this.#recorder.problems.push(text);
    this.#said.add(text);
  }

  /** Why a worker is not recorded; undefined if it can be. */
  get #obstacle() {
    if (this.#names === undefined) return "the page is not cross-origin isolated";
    if (this.#isForbidden) return "the page's policy forbids their start";
    if (!this.#recorder.canAdopt) return "the record has a limit, a sink, or is closed";
    return undefined;
  }

  /** A worker as `make(script, options)` makes it, with the recorder if that can be. */
  start(make, script, options) {
    if (!this.#begin()) return make(script, options);
    const obstacle = this.#obstacle;
    if (obstacle !== undefined) {
      this.#report(`workers are not recorded: ${obstacle}`);
      return make(script, options);
    }
    const address = addressOf(script);
    // What cannot be started, the engine says.
    if (address === undefined) return make(script, options);
    if (address.origin !== location.origin) {
      this.#report(`a worker is not recorded: its script is of another origin, ${address.origin}`);
      return make(script, options);
    }
    let copy;
    try {
      if (address.protocol === "blob:") copy = copyOfBlob(address.href);
    } catch (error) {
      this.#report(`a worker is not recorded: its script, a blob, cannot be read: ${error.message}`);
      return make(script, options);
    }
    let worker;
    try {
      worker = make(START, { ...options, type: "classic" });
    } catch (error) {
      if (copy !== undefined) URL.revokeObjectURL(copy);
      this.#report(`workers are not recorded: ${error.message}`);
      return make(script, options);
    }
    if (copy !== undefined) this.#copies.set(worker, copy);
    this.#tell(worker, { address: address.href, script: copy ?? address.href, isModule: options?.type === "module" });
    return worker;
  }

  /** Whether there is a recorder. */
  #begin() {
    if (this.#recorder !== undefined) return true;
    try {
      this.#recorder = this.#open().own;
    } catch (error) {
      this.#onError(error);
      return false;
    }
    this.#recorder.finishers.push(() => this.#finish());
    document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
      if (blockedURI !== START) return;
      this.#isForbidden = true;
      this.#report(`a worker was not started: the page's policy (${effectiveDirective}) forbids ${START}`);
    });
    return true;
  }

  /** The worker has loaded its script, or never will. */
  #forgetCopy(worker) {
    const copy = this.#copies.get(worker);
    if (copy !== undefined) URL.revokeObjectURL(copy);
    this.#copies.delete(worker);
  }

  /** `program`: what page-worker-start.js loads after the recorder. */
  #tell(worker, program) {
    this.#names.share();
    const id = ++this.#count;
    const { port1, port2: port } = new MessageChannel();
    const noteFailure = () => {
      this.#forgetCopy(worker);
      if (!this.#isForbidden) this.#report(`worker ${id} was not started: ${START} cannot be loaded as one of the page's scripts`);
    };
    worker.addEventListener("error", noteFailure, { once: true });
    port1.onmessage = ({ data: { hasStarted, hasLoaded, problem, begun } }) => {
      if (hasStarted) worker.removeEventListener("error", noteFailure);
      if (hasLoaded) this.#forgetCopy(worker);
      if (problem !== undefined) this.#report(`worker ${id}: ${problem}`);
      if (begun !== undefined) this.#records.push({ id, worker, ...begun });
    };
    const { clock, isRing, bufferBytes } = this.#recorder;
    const options = { clock: clock.name, policy: isRing ? "ring" : "block", bufferBytes };
    worker.postMessage({ ...program, options, names: this.#names.memory, port }, [port]);
  }

  /** Before that is done. */
  noteTerminate(worker) {
    this.#forgetCopy(worker);
    if (!this.#terminated.has(worker)) this.#terminated.set(worker, Date.now());
  }

  #patienceWith(worker) {
    const ended = this.#terminated.get(worker);
    return ended === undefined ? PATIENCE : Math.max(0, ended + ENDING - Date.now());
  }

  #finish() {
    for (const { id, worker, description, buffer } of this.#records.splice(0).sort((one, other) => one.id - other.id)) {
      const sink = new SharedSink(buffer);
      try {
        finishLeftRecord(description, { patience: this.#patienceWith(worker), goesOn: true }, () => sink);
        this.#recorder.adopt(new RecordReader(sink), { number: BigInt(id), name: `thread ${id}` });
      } catch (error) {
        this.#report(`worker ${id} is not in the record: ${error.message}`);
      }
    }
  }
}

/** Hooks `Worker`; returns what takes that away. `open()` gives the recorder, whose names are `names`: SharedNames, undefined if they cannot be seen; `onError(error)` hears what `open` throws. */
export function hookPageWorkers(open, names, onError) {
  const { Worker, document } = globalThis;
  if (typeof Worker !== "function" || document === undefined) return () => {};
  const workers = new PageWorkers(open, names, onError);
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
