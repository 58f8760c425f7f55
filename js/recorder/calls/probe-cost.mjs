// SPDX-License-Identifier: Apache-2.0
// What recording an event takes: measured when the record is closed, since then the code that
// records is compiled as it was for most of the events.

import { moduleOf, recorderOf } from "../engine/clocks.mjs";
import { Instance, performance } from "../engine/own-engine.mjs";
import { PAGE_SIZE } from "../record/record-encoder.mjs";

const CALLS = 2000;
const ROUNDS = 8;

// Of a step of the clock: rounds so short, in nanoseconds, that about every other one has a step. Those of a group are
// compared with each other only, since meanwhile the code may be optimised, and the machine become slower.
const STEP_ROUND = 250;
const GROUP = 100;
const GROUPS = 40;
/** Nanoseconds of all of them at most: where rounds take longer, there are fewer. */
const STEP_TIME = 5e6;
/** Of either sort of rounds in a group, and of groups that have so many, for an estimate. */
const LEAST_ROUNDS = 10;
const LEAST_GROUPS = 5;

/** Passes trace points to a recorder of its own, in the scratch page of `memory`. */
class ProbeLoop {
  #memory;
  #recorder;
  #run;

  constructor(clock, hasFuel, memory, isStored) {
    this.#memory = memory;
    this.#recorder = new Instance(recorderOf(clock, hasFuel, memory.encoder.isShared), {
      recorder: { memory: memory.memory, ...clock.imports(memory.cell), drain: () => 1, wake() {} },
    }).exports;
    const tracePoint = hasFuel ? this.#recorder.tracePointFuel : this.#recorder.tracePoint;
    const loop = isStored ? "stored-loop" : hasFuel ? "trace-loop-fuel" : "trace-loop";
    const imports = { recorder: { ...this.#recorder, tracePoint, memory: memory.memory } };
    this.#run = new Instance(moduleOf(loop), imports).exports.run;
  }

  /**
   * Does `action` while events go to the scratch page. What stands in the memory is the state of another recorder too,
   * whose program may go on.
   */
  within(action) {
    const { next, scratch } = this.#memory;
    const size = PAGE_SIZE / 4;
    this.#recorder.open(scratch, scratch + size, size, size, 1);
    try {
      return action();
    } finally {
      this.#memory.next = next;
    }
  }

  /** Nanoseconds of so many calls. */
  time(calls) {
    const begin = performance.now();
    this.#run(calls);
    return (performance.now() - begin) * 1e6;
  }

  /** The same, `{ time, steps }`: how many steps of the clock were recorded meanwhile; undefined where a half was filled. */
  timeWithSteps(calls) {
    const { marks } = this.#recorder;
    const before = marks.value;
    const time = this.time(calls);
    return { time, steps: marks.value < before ? undefined : marks.value - before };
  }
}

/** Least of some rounds: whatever else the machine does only adds. */
function costOfEvent(loop) {
  const times = Array.from({ length: ROUNDS }, () => loop.time(CALLS));
  return Math.min(...times) / (2 * CALLS + 2);
}

const medianOf = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** How much longer a group's rounds with one step are than those without; undefined if they are too few. */
function stepIn(group) {
  const [without, withOne] = [0, 1].map((steps) => group.filter((round) => round.steps === steps).map(({ time }) => time));
  if (Math.min(without.length, withOne.length) < LEAST_ROUNDS) return undefined;
  const least = medianOf(without);
  // Where the timer shows no time for most of them, it is too coarse.
  return least === 0 ? undefined : medianOf(withOne) - least;
}

/** What a step takes, by rounds `{ time, steps }`; 0 if they do not show it. Medians, as some rounds are interrupted. */
export function costOfStep(rounds) {
  const costs = [];
  for (let at = 0; at < rounds.length; at += GROUP) costs.push(stepIn(rounds.slice(at, at + GROUP)));
  const known = costs.filter((cost) => cost !== undefined);
  return known.length < LEAST_GROUPS ? 0 : Math.max(0, medianOf(known));
}

function stepRounds(loop, calls) {
  const rounds = [];
  for (let left = STEP_TIME; left > 0 && rounds.length < GROUPS * GROUP; left -= rounds.at(-1).time)
    rounds.push(loop.timeWithSteps(calls));
  return rounds;
}

/**
 * Nanoseconds `{ event, step }` by this clock, with fuel or without, measured in the scratch page of `memory`; takes a
 * few milliseconds. `event`: of a trace point; 0 if the timer is too coarse to show it. `step`: what a step of the clock
 * takes beyond that where the recorder notices steps (`isMarked`); 0 elsewhere, and if unknown. `isStored`: the module
 * stores the event by itself.
 */
export function costsOf(clock, hasFuel, memory, isStored = false) {
  const loop = new ProbeLoop(clock, hasFuel, memory, isStored);
  return loop.within(() => {
    const event = costOfEvent(loop);
    if (!clock.isMarked || hasFuel || event === 0) return { event, step: 0 };
    const calls = Math.min(CALLS, Math.ceil(STEP_ROUND / (2 * event)));
    const step = costOfStep(stepRounds(loop, calls));
    // By now the loop has been optimised; the first measurement may have been too short for that.
    const optimised = costOfEvent(loop);
    return { event: optimised === 0 ? event : Math.min(event, optimised), step };
  });
}
