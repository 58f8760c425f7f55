// SPDX-License-Identifier: Apache-2.0
// The calls of a record: the stacks of the recording thread, each with its own stream, the modules that have ids on
// them, and the buffer of their events.

import { EnteredModules } from "./entered-modules.mjs";
import { EventBuffer } from "./event-buffer.mjs";
import { RecordingSwitch } from "./recording-switch.mjs";
import { isSection } from "./sections.mjs";
import { StackIds } from "./stack-ids.mjs";
import { Stream } from "./streams.mjs";

export class RecordedCalls {
  #owner;
  #write;
  #offId;
  #enabled;
  #stackIds = new StackIds();
  #reportedFuel = false;
  #hidesTraps = false; // whether a module does not report traps
  #switch;
  #entered;
  /** Undefined before the first module that stores events. */
  buffer;
  /** The first is the thread's own stack. */
  streams = [];

  /**
   * `owner`: the recorder (recorder.mjs). `write(action)` calls `action(writer)`, which may fail. `offId(module)`: the
   * id of the section that replaces unrecorded calls, for the module with this number.
   */
  constructor(owner, { enabled, write, offId }) {
    this.#owner = owner;
    this.#enabled = enabled;
    this.#write = write;
    this.#offId = offId;
    this.#switch = new RecordingSwitch(owner.expected);
    this.#entered = new EnteredModules(
      owner.expected,
      () => this.#endTrapped(),
      (known) => this.#meetTwins(known),
    );
  }

  /** To be called if instances of the module store events. Returns the window of its ids (stack-ids.mjs). */
  join({ known, description, storesFuel }) {
    const before = this.#stackIds.windows.length;
    const window = this.#stackIds.join(known, description);
    if (this.buffer === undefined) this.#open(known, storesFuel);
    else if (this.#stackIds.windows.length > before) this.#declareWindow(window);
    if (description.isMarked !== false) this.streams[0].watchTraps();
    this.#hidesTraps ||= description.reportsTraps === false;
    if (storesFuel && !this.buffer.hasFuel && !this.#reportedFuel) {
      this.#reportedFuel = true;
      this.#owner.problems.push(
        `module ${description.name || known.id} is recorded without its fuel: the first module of the program counts none`,
      );
    }
    return window;
  }

  /** The functions with which an instance of a module stores its events. */
  forInstance(about) {
    const window = this.join(about);
    return this.buffer.forInstance(window, about.storesFuel, about.hasStore);
  }

  /** The same for an instance with trace points, which `look()` returns once it is complete. */
  expectInstance(about, look) {
    const events = this.forInstance(about);
    this.#switch.expect(look, about.known, about.description.isMarked !== false, (id) => events.store(id, 0n));
    return events;
  }

  /** The function that an instance of the module calls where the host enters it; see EnteredModules. */
  enterModuleOf(known, look) {
    return this.#entered.expect(known, look);
  }

  /** Ends the calls that are not on the engine's stack any more, after a trap. */
  #endTrapped() {
    const calls = this.#callsNow();
    if (calls === undefined) return;
    const alive = this.#entered.aliveOf(calls, (stackId) => this.frameOf(stackId));
    if (alive < calls.length) this.buffer.endAllBut(alive);
  }

  /**
   * A module has a second instance. Returns whether its traps are then told apart by the engine's stack, which is asked
   * neither in a ring nor without the module's ids.
   */
  #meetTwins(known) {
    if (this.buffer === undefined || this.#owner.isRing || known.ids.size === 0) return false;
    this.buffer.meetTwins(this.#stackIds.rangeOf(known));
    return true;
  }

  set isWriting(value) {
    this.#entered.isWriting = value;
  }

  /** Calls `make`, by which the engine calls the start function of an instance, and returns its result. */
  aroundStart(make) {
    return this.buffer === undefined ? make() : this.buffer.starts.around(make);
  }

  get firstModule() {
    return this.#stackIds.firstModule;
  }

  /** The frame, in terms of the record's stacks, of a call with this id on any of the thread's stacks. */
  frameOf(stackId) {
    const { module, id } = this.#stackIds.resolve(stackId);
    return { module: module.number, id };
  }

  #open(module, countsFuel) {
    const stack = this.#openStream(module, "", countsFuel);
    const openTask = (task) => this.#openStream(module, `task ${task}`, countsFuel);
    this.buffer = EventBuffer.open(this.#owner, stack, openTask, countsFuel);
    this.buffer.onRest = () => this.#entered.rest();
    if (this.#owner.hasStopped) this.buffer.stop();
    if (!this.#enabled) this.#switchOff();
  }

  /** Opens the stream of a stack; `module` is the first module on it. */
  #openStream(module, name, countsFuel) {
    const owner = this.#owner;
    let number;
    this.#write((writer) => {
      number = writer.stream(module.number, owner.thread, name);
      this.#join(writer, number, this.#stackIds.windows);
    });
    const stream = owner.within(() => new Stream(owner, number, countsFuel && !owner.clock.isFuel));
    this.streams.push(stream);
    return stream;
  }

  /** Declares the ids of one more module in the streams of all stacks. */
  #declareWindow(window) {
    this.#write((writer) => {
      for (const { number } of this.streams) this.#join(writer, number, [window]);
    });
  }

  #join(writer, stream, windows) {
    if (windows.length === 0) return;
    const numbered = windows.map((window) => ({ ...window, module: window.module.number }));
    writer.joinStream(stream, this.firstModule.number, this.#owner.thread, numbered);
  }

  get enabled() {
    return this.#enabled;
  }
  set enabled(value) {
    const before = this.#enabled;
    this.#enabled = value;
    if (this.#owner.closed || this.buffer === undefined || before === value) return;
    if (value) {
      this.buffer.switch(0);
      this.#switch.on(() => this.#knownCalls());
    } else {
      this.#switchOff();
    }
  }

  /** When another thread has interrupted this one: whether it was in the program, and not in the recorder. */
  get isInProgram() {
    return this.#switch.isInProgram;
  }

  /** Switches off. The pause is recorded as a section of the first module. */
  #switchOff() {
    this.#switch.off();
    this.buffer.switch(this.#offId(this.firstModule.number));
  }

  /** The stack ids of the calls that are open in the record, outermost first; undefined if the engine's stack may show others. */
  #callsNow() {
    // The events of a ring are packed at its end.
    if (this.#owner.isRing || this.#owner.closed || this.buffer === undefined) return undefined;
    this.buffer.empty();
    return this.buffer.isEmpty && this.buffer.hasOneStack ? this.buffer.ownCalls : undefined;
  }

  /** The same as frames. */
  #knownCalls() {
    // Fuel of open calls is unknown.
    if (this.buffer.hasFuel) return undefined;
    return this.#callsNow()
      ?.map((stackId) => this.frameOf(stackId))
      .filter(({ id }) => !isSection(id));
  }

  endSwitchedOff() {
    if (!this.#enabled) this.buffer?.switch(0);
  }

  /** The open calls, outermost last. */
  open() {
    if (this.buffer === undefined) return [];
    if (!this.#owner.closed) this.buffer.empty();
    return this.buffer.ownCalls
      .map((stackId) => {
        const { module, id } = this.#stackIds.resolve(stackId);
        return { module: module.id, id };
      })
      .reverse();
  }

  flush() {
    this.buffer?.empty();
    this.#owner.whileWriting(() => {
      for (const stream of this.streams) stream.finishBlock();
    });
  }

  /** Stops storing events. Returns human-readable problems with the calls. */
  finish() {
    if (this.buffer === undefined) return [];
    this.streams[0].leaveOut(this.buffer.finish());
    const { suspendedTasks, hiddenTasks, lostCauses, splitCalls } = this.buffer;
    const { hasStopped, counts, drain } = this.#owner;
    // Where events are missing, ends of calls are.
    const isWhole = !hasStopped && counts.lost + drain.lost === 0;
    const leftCalls = this.#hidesTraps && isWhole ? this.streams[0].leftCalls : 0;
    return [
      [leftCalls, "calls left by traps, in which calls that the host made later may be shown (--instrumentation=trace,traps reports traps)"],
      [suspendedTasks, "calls that are suspended and have not been resumed"],
      [hiddenTasks, "tasks that are missing, as there were too many at a time"],
      [lostCauses, "tasks resumed by the ends of others, which were too many to be kept"],
      [splitCalls, "calls that were unwound while their callers went on, and begin anew when they go on"],
    ]
      .filter(([count]) => count > 0)
      .map(([count, problem]) => `${problem}: ${count}`);
  }
}
