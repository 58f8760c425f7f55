// SPDX-License-Identifier: Apache-2.0
// Loaded by a page's worker instead of its script (page-workers.mjs): loads the recorder, then that script, which runs
// in the same environment as without. The first message says what to do; later ones wait until the script has set up
// its listeners.
//
// Not a module: a program's script need not be one, and then shares this one's globals.

(() => {
  const messages = [];

  /** Addresses are relative to `own`, the program's script, not to this one. */
  function actAs(own) {
    const absolute = (address) => {
      try {
        return new URL(address, own).href;
      } catch {
        // Such as any beside a blob: the engine says so.
        return address;
      }
    };
    const isAddress = (value) => typeof value === "string" || value instanceof URL;
    const [plainImport, plainFetch, { open }] = [importScripts, fetch, XMLHttpRequest.prototype];
    Object.defineProperty(globalThis, "location", { value: new URL(own), configurable: true });
    globalThis.importScripts = (...addresses) => plainImport(...addresses.map(absolute));
    globalThis.fetch = (what, ...rest) => plainFetch(isAddress(what) ? absolute(what) : what, ...rest);
    XMLHttpRequest.prototype.open = function (method, address, ...rest) {
      return open.call(this, method, absolute(address), ...rest);
    };
    for (const name of ["Request", "Worker"])
      globalThis[name] = new Proxy(globalThis[name], {
        construct: (target, [what, ...rest], newTarget) =>
          Reflect.construct(target, [isAddress(what) ? absolute(what) : what, ...rest], newTarget),
      });
  }

  /** `script` is what the address of the program's script gave, and may be had for this once. */
  async function begin({ program: { address, script, isModule }, recording, port, starter }) {
    starter.postMessage({ hasLoaded: false });
    try {
      const { runUnrecorded, startRecording } = await import("./page-worker.mjs");
      if (recording === undefined) runUnrecorded();
      else startRecording({ ...recording, port });
    } catch ({ message }) {
      port.postMessage({ problem: message });
    }
    try {
      actAs(address);
      if (isModule) await import(script);
      else importScripts(script);
    } catch (error) {
      reportError(error);
    }
    starter.postMessage({ hasLoaded: true });
    removeEventListener("message", keep);
    for (const { data, ports } of messages) dispatchEvent(new MessageEvent("message", { data, ports }));
  }

  let hasBegun = false;
  function keep(event) {
    event.stopImmediatePropagation();
    if (hasBegun) messages.push(event);
    else begin(event.data);
    hasBegun = true;
  }
  addEventListener("message", keep);
})();
