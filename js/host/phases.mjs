// SPDX-License-Identifier: Apache-2.0
// The host's phases of a run: `decode` (reading files), `compile` (what the engine does eagerly), `link` (resolving
// imports), `start` (data, elements, start function) and `run`.

import { counterOf } from "../recorder/modules/counters.mjs";
import { exportsFuel } from "../recorder/modules/builtin-imports.mjs";
import { performance } from "../recorder/engine/own-engine.mjs";

export class PhaseLog {
  /** As Recorder.addPhases() takes them. */
  phases = [];
  #open;

  /** Begins a phase and ends the open one. */
  begin(name) {
    this.end();
    this.#open = { name, begin: performance.now() };
    this.phases.push(this.#open);
  }

  /** Ends the open phase, if any. It did `ticks` of `unit`; unknown without a unit. */
  end(unit, ticks) {
    if (this.#open === undefined) return;
    Object.assign(this.#open, { end: performance.now(), unit, ticks });
    this.#open = undefined;
  }
}

export const runningPhases = (phases) => phases.filter(({ name }) => name === "start" || name === "run");

/** From the first such phase to the end of the last, in whole nanoseconds as text; undefined without one. */
export function runNanoseconds(phases) {
  const running = runningPhases(phases);
  if (running.length === 0) return undefined;
  return String(Math.round((running.at(-1).end - running[0].begin) * 1e6));
}

/** The fuel used by all modules that count it; undefined if none does. */
export function totalFuel(units) {
  const counting = units.filter(({ module }) => exportsFuel(module));
  const fuelOf = ({ instance }) => counterOf(instance?.exports, "fuel")?.value ?? 0n;
  return counting.length === 0 ? undefined : counting.map(fuelOf).reduce((sum, fuel) => sum + fuel);
}

/** The phases in which the program itself runs; their ticks are fuel. */
export class RunningPhases {
  #log;
  #units;
  #before = 0n;
  #isOpen = false;
  #countedPart;

  constructor(log, units, countedPart) {
    this.#log = log;
    this.#units = units;
    this.#countedPart = countedPart;
  }

  begin(name) {
    this.#before = totalFuel(this.#units) ?? 0n;
    this.#log.begin(name);
    this.#isOpen = true;
    this.#countedPart?.beginPhase(name);
  }

  end() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#countedPart?.endPhase();
    const fuel = totalFuel(this.#units);
    if (fuel === undefined) this.#log.end();
    else this.#log.end("fuel", fuel - this.#before);
  }
}
