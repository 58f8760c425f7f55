// SPDX-License-Identifier: Apache-2.0
// The modules of a recorder's program: what each asks for, its number in the record, and the common costs by which they
// count fuel.

import { asksForSamples, builtinsOf, exportsFuel, hasStore, isInstrumented, isSectionCall, importsHeap, tracePointNameOf } from "./builtin-imports.mjs";
import { describeModule } from "./recorded-module.mjs";

/** The name of the clock of fuel, also with other costs of instructions. */
export const fuelName = (costs) => (costs === "1" ? "fuel" : `fuel:${costs}`);
/** The error for a ring of samples or heap events, all of which would be kept. */
export const RING_OF_SAMPLES = "samples and heap events are neither kept in rings nor crash-safe";

/** A module as it is, or its bytes as an Uint8Array. */
function sourceOf(module) {
  if (module instanceof WebAssembly.Module) return module;
  if (ArrayBuffer.isView(module))
    return new Uint8Array(module.buffer, module.byteOffset, module.byteLength);
  return new Uint8Array(module);
}

/** The functions that a description adds to a known module; undefined if it is of another module. */
function addedFunctions({ name, hash, functions }, other) {
  if (name !== other.name || hash !== String(other.hash)) return undefined;
  const names = new Map(functions);
  const isOther = ([id, name]) => (names.get(id) ?? name) !== name;
  return other.functions.some(isOther) ? undefined : other.functions.filter(([id]) => !names.has(id));
}

export class KnownModules {
  #options;
  #modules = new Map(); // by module id: { id, number, ids }
  #numbered = new Map(); // the same by number
  #unidentified = new WeakMap(); // the same by WebAssembly.Module, of those that have no id
  #kept = new WeakMap(); // what matters of modules that were declared first
  #described = new WeakMap(); // of each WebAssembly.Module whose bytes were seen
  #costs; // by which fuel is counted, of the modules that do

  /**
   * `declare(description)` writes a module to the record and returns its number there, `declareFuel(name)` writes the
   * fuel clock. `names`: SharedNames, with names of modules known to other threads. `needsFuel`: the record has nothing
   * else; `isRing`: only its last events are kept.
   */
  constructor({ names, needsFuel, isRing, declare, declareFuel }) {
    this.#options = { names, needsFuel, isRing, declare, declareFuel };
  }

  /** Says what bytes are, for when only the module that is made of them is known. */
  remember(module, description) {
    this.#described.set(module, description);
  }

  /** The id of the module with this number. */
  idOf(number) {
    return this.#numbered.get(number).id;
  }

  /** Returns what is known of the module with this description: its id, its number. `declare`: as the constructor's. */
  declare(description, declare = this.#options.declare) {
    const id = description.id ?? BigInt(this.#modules.size + 1);
    let known = this.#modules.get(id);
    if (known === undefined) {
      const { name, hash, ids, code, functions, places } = description;
      const number = declare({ ...description, id });
      known = { id, number, ids, code, name, hash: String(hash), functions: [...functions], hasPlaces: places !== undefined };
      this.#modules.set(id, known);
      this.#numbered.set(known.number, known);
    }
    return known;
  }

  /** Further functions of the module with this number are in the record: `[id, name]` each. */
  addFunctions(number, functions) {
    this.#numbered.get(number).functions.push(...functions);
  }

  /**
   * The number of a module of another thread's record. If another module has its id here, it gets the next free one;
   * modules are different if they have different names for a function's id. `declare`: see the constructor;
   * `declareFunctions(number, id, functions)` gets functions that the record does not have yet.
   */
  adopt(description, { declare, declareFunctions }) {
    let { id } = description;
    for (let known; (known = this.#modules.get(id)) !== undefined; ++id) {
      const added = addedFunctions(known, description);
      if (added === undefined) continue;
      if (added.length > 0) declareFunctions(known.number, id, added);
      this.addFunctions(known.number, added);
      return known.number;
    }
    return this.declare({ ...description, id }, declare).number;
  }

  /** Another thread's record has a clock of fuel that is called so. `declareFuel`: as the constructor's. */
  adoptFuel(name, declareFuel) {
    this.#countBy(name.slice(fuelName("").length) || "1", declareFuel);
  }

  /** The same of a module that instances are made of: all of them are of one, whether it has an id or not. */
  #moduleOf(module, description) {
    if (description.id !== undefined || !(module instanceof WebAssembly.Module)) return this.declare(description);
    const known = this.#unidentified.get(module) ?? this.declare(description);
    this.#unidentified.set(module, known);
    return known;
  }

  /** Looks at all of `modules`, `[module, given]` each, and keeps and returns what matters of them. */
  keep(modules, isClosed) {
    return modules.map(([module, given]) => {
      const about = this.#lookAt(module, given, isClosed);
      this.#kept.set(module, about);
      return about;
    });
  }

  /** What matters of a module, which is `known` from now on, unless nothing is recorded any more. */
  about(module, given, isClosed) {
    return this.#kept.get(module) ?? this.#lookAt(module, given, isClosed);
  }

  #lookAt(module, given, isClosed) {
    const source = sourceOf(module);
    if (!isInstrumented(source))
      throw new TypeError("the module does not import builtin.tracePoint: it is not instrumented");
    const names = builtinsOf(source);
    const traces = tracePointNameOf(source);
    const samples = asksForSamples(source, names);
    const hasSections = names.some(isSectionCall);
    const countsFuel = traces === "tracePointFuel" || samples || (!traces && exportsFuel(source));
    if (this.#options.needsFuel && !countsFuel)
      throw new TypeError(
        "clock 'fuel' records modules that count fuel, and this one does not: instrument it with trace,fuel",
      );
    const reportsHeap = importsHeap(names);
    if ((samples || reportsHeap) && this.#options.isRing) throw new TypeError(RING_OF_SAMPLES);
    if (isClosed) return { source };
    const description = this.#describe(source, given);
    if (countsFuel) this.#countBy(description.costs);
    const known = this.#moduleOf(module, description);
    const storesEvents = traces !== undefined || (hasSections && !samples && !reportsHeap);
    const storesFuel = traces ? traces === "tracePointFuel" : countsFuel;
    return { source, names, traces, samples, reportsHeap, hasSections, storesEvents, storesFuel, hasStore: hasStore(source), description, known };
  }

  #describe(source, given) {
    const description = this.#described.get(source) ?? describeModule(source, given);
    return this.#options.names?.complete(description) ?? description;
  }

  #countBy(costs, declareFuel = this.#options.declareFuel) {
    if (this.#costs !== undefined && this.#costs !== costs)
      throw new TypeError(
        `the module counts fuel by the costs '${costs}', others of the record by '${this.#costs}'`,
      );
    if (this.#costs !== undefined) return;
    this.#costs = costs;
    declareFuel(fuelName(costs));
  }
}
