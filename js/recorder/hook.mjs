// SPDX-License-Identifier: Apache-2.0
// Gives every instrumented module that is instantiated from now on its trace point, whatever its
// program imports into it.

import { AsyncifyHook } from "./calls/asyncify.mjs";
import { asCompiled, inertBuiltin, isInstrumented, isStore } from "./modules/builtin-imports.mjs";
import { importsOf as importsOfModule } from "./modules/module-parts.mjs";
import { describeModule } from "./modules/recorded-module.mjs";
import { Replacements } from "./engine/replacements.mjs";
import { FunctionTypes, hookSuspension } from "./calls/suspension.mjs";

/**
 * What WebAssembly, which only gets members, sees as `object` with some members more or in place of
 * others. Getters run on the object itself.
 */
export function withMembers(object, members) {
  return new Proxy({}, { get: (_, key) => (Object.hasOwn(members, key) ? members : object)?.[key] });
}

const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** A view of what WebAssembly takes for bytes, of whatever realm; `undefined` for anything else. */
export function bytesOf(source) {
  try {
    if (ArrayBuffer.isView(source))
      return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const isBuffer = /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(source));
    return isBuffer ? new Uint8Array(source) : undefined;
  } catch {
    // Bytes that have been transferred: the engine will say so.
    return undefined;
  }
}

/** The last part of an address, without what follows a point in it; of one that holds its data, nothing. */
const stemOf = (url) => (/^data:/i.test(url) ? "" : /([^/]*?)(\.[^./]*)?$/.exec(url.replace(/[?#].*/s, ""))[1]);

/** What WebAssembly sees as `object`, with what `replace(name, value)` returns in place of each member. */
const replacing = (object, replace) => new Proxy({}, { get: (_, name) => replace(name, object[name]) });

/**
 * What WebAssembly sees as `imports`. `entries` are `{ module, name, take }`: `take(value)` gets the value when the
 * engine reads it, so that getters run once.
 */
function observed(imports, entries) {
  if (entries.length === 0) return imports;
  const takers = new Map(); // by module, functions by name
  for (const { module, name, take } of entries) {
    const byName = takers.get(module) ?? new Map();
    takers.set(module, byName.set(name, [...(byName.get(name) ?? []), take]));
  }
  const members = (object, byName) => (isObject(object) ? replacing(object, (name, value) => {
    for (const take of byName.get(name) ?? []) take(value);
    return value;
  }) : object);
  return replacing(imports, (key, value) => (takers.has(key) ? members(value, takers.get(key)) : value));
}

/** The first memory that a module imports, as an entry of observed(), if it imports one. */
function memoryEntry(module, take) {
  const entry = importsOfModule(module).find((each) => each.kind === "memory" && !isStore(each));
  if (entry === undefined) return [];
  const takeMemory = (value) => {
    if (value instanceof WebAssembly.Memory) take(value);
  };
  return [{ module: entry.module, name: entry.name, take: takeMemory }];
}

/**
 * Hooks WebAssembly's functions; returns a function that takes the hooks away. `recorder` is one, or a function that
 * gives it once it is needed. What a program sees is as before: results, errors of the engine, `instanceof`, names,
 * what modules import and export. A module that cannot be recorded runs without; `onError(error)` is called.
 * `fileNameOf(bytes)` gives the name of the file that bytes without an address come from, if that is known; `keepsCode`
 * is that of describeModule(). `onInstance(instance, module)` gets every instance, `onBytes(bytes, fileName)` what
 * every module is compiled of, before it is known to be valid, `onDescription(description)` what describeModule() says
 * of those that are instrumented; `wrapImports(module, imports)` returns what takes the place of the imports,
 * `wrapBuiltin(builtin, look)` what takes the place of ours for an instance (`look`: see sectionBuiltin()); `onWait` is
 * that of hookSuspension(). `hasCalls`; false: no calls are recorded, so suspension is not followed.
 */
export function hookWebAssembly(recorder, options = {}) {
  const { onError = console.error, fileNameOf, keepsCode, onInstance, onBytes, onDescription, onWait, wrapImports, wrapBuiltin, hasCalls = true } = options;
  const replacements = new Replacements();
  const replace = (name, handler) => replacements.replace(name, handler);
  const described = new WeakMap();
  const types = new FunctionTypes();
  let opened; // the recorder, once it is needed
  const tasks = () => opened?.tasks;
  const asyncify = new AsyncifyHook(tasks);

  /** The description of `source`, if it is the bytes of an instrumented module; `url` is their address, if known. */
  function describe(source, url) {
    try {
      const bytes = bytesOf(source);
      if (bytes === undefined) return undefined;
      // A response that a program has made itself has an empty one.
      const fileName = url ? stemOf(url) : (fileNameOf?.(bytes) ?? "");
      onBytes?.(bytes, fileName);
      if (hasCalls) types.add(bytes);
      if (!isInstrumented(bytes)) return undefined;
      const description = describeModule(bytes, { fileName, keepsCode });
      asyncify.add(description, bytes);
      onDescription?.(description);
      return description;
    } catch {
      // The engine will say what is wrong with them.
      return undefined;
    }
  }

  function remember(module, description) {
    if (description !== undefined) described.set(module, description);
    return module;
  }

  /**
   * Returns `{ given, start, complete, fail }`: the imports to use in place of `imports`, a function that calls the one
   * by which the engine makes the instance, one to call with the complete instance, and one to call if instantiation
   * fails.
   */
  function prepare(module, imports) {
    let exports;
    let memory;
    const known = () => ({ exports, memory });
    const wrapped = isObject(imports) && wrapImports ? wrapImports(module, imports) : imports;
    const { given, attach, drop, start = (make) => make() } = importsOf(module, wrapped, known, (read) => (memory ??= read));
    const complete = (instance) => {
      if (hasCalls) asyncify.attach(instance, module, described.get(module));
      ({ exports } = instance);
      attach?.(instance);
      onInstance?.(instance, module);
      return instance;
    };
    return { given, start, complete, fail: () => drop?.() };
  }

  /** `takeMemory` is that of memoryEntry(). */
  function importsOf(module, imports, instance, takeMemory) {
    if (!isInstrumented(module) || (imports !== undefined && !isObject(imports)))
      return { given: imports };
    let attach;
    let drop;
    let start;
    let entries = memoryEntry(module, takeMemory);
    let members = inertBuiltin(module);
    try {
      const to = typeof recorder === "function" ? recorder() : recorder;
      opened = to;
      const description = described.get(module);
      if (description !== undefined) to.remember(module, description);
      const readImports = (others) => (entries = [...entries, ...others]);
      members = { ...members, ...to.importsFor(module, { instance, readImports }).builtin };
      attach = (complete) => to.attach(complete, description?.name || "a module");
      drop = () => to.drop?.(instance);
      if (hasCalls && (description?.hasStart ?? true)) start = to.aroundStart;
    } catch (error) {
      onError(error);
    }
    if (wrapBuiltin) members = wrapBuiltin(members, instance);
    const builtin = isObject(imports?.builtin) ? imports.builtin : undefined;
    const given = withMembers(imports, { builtin: withMembers(builtin, members) });
    return { given: observed(given, entries), attach, drop, start };
  }

  async function instantiate(call, module, imports, ...options) {
    const { given, start, complete, fail } = prepare(module, imports);
    let instance;
    try {
      // V8 calls the start function at once.
      instance = await start(() => call(module, given, ...options));
    } catch (error) {
      fail();
      throw error;
    }
    return complete(instance);
  }

  async function compile(call, bytes, ...options) {
    // Before anything is awaited: the program may change the bytes after the call.
    const description = describe(bytes);
    return remember(await call(bytes, ...options), description);
  }

  async function compileStreaming(call, source, ...options) {
    const response = await source;
    if (!(response instanceof Response)) return await call(response, ...options);
    const copy = response.clone();
    const module = await call(response, ...options);
    return remember(module, describe(await copy.arrayBuffer(), response.url));
  }

  const { compile: plainCompile, compileStreaming: plainCompileStreaming } = WebAssembly;

  replace("Module", ({ imports, exports }) => {
    const asProgramSees = (list) =>
      new Proxy(list, { apply: (_, self, args) => asCompiled(args[0], Reflect.apply(list, self, args)) });
    const lists = new Map([imports, exports].map((list) => [list, asProgramSees(list)]));
    return {
      construct: (target, args, newTarget) =>
        remember(Reflect.construct(target, args, newTarget), describe(args[0])),
      get(target, key, receiver) {
        const value = Reflect.get(target, key, receiver);
        return lists.get(value) ?? value;
      },
    };
  });
  replace("Instance", () => ({
    construct(target, [module, imports, ...rest], newTarget) {
      if (!(module instanceof WebAssembly.Module))
        return Reflect.construct(target, [module, imports, ...rest], newTarget);
      const { given, start, complete, fail } = prepare(module, imports);
      let instance;
      try {
        instance = start(() => Reflect.construct(target, [module, given, ...rest], newTarget));
      } catch (error) {
        fail();
        throw error;
      }
      return complete(instance);
    },
  }));
  replace("compile", (call) => ({ apply: (_, __, args) => compile(call, ...args) }));
  replace("compileStreaming", (call) => ({
    apply: (_, __, args) => compileStreaming(call, ...args),
  }));
  replace("instantiate", (call) => ({
    async apply(_, __, [source, imports, ...options]) {
      if (source instanceof WebAssembly.Module) return await instantiate(call, source, imports, ...options);
      if (bytesOf(source) === undefined) return await call(source, imports, ...options);
      const module = await compile(plainCompile, source, ...options);
      return { module, instance: await instantiate(call, module, imports) };
    },
  }));
  replace("instantiateStreaming", () => ({
    async apply(_, __, [source, imports, ...options]) {
      const module = await compileStreaming(plainCompileStreaming, source, ...options);
      const instance = await WebAssembly.instantiate(module, imports);
      return { module, instance };
    },
  }));

  if (hasCalls) hookSuspension(replacements, types, tasks, onWait);

  return () => {
    replacements.undo();
    asyncify.undo();
  };
}
