// SPDX-License-Identifier: Apache-2.0
// A record's sections: those that programs begin and end, and the one for pauses of recording. Their names are declared
// like functions, before the first block with their ids.

import { fuelOf, noFaults, SECTION_END, sectionBuiltin, SectionNames } from "./sections.mjs";

// The most that a name takes.
const NAME_ROOM = 1 << 12;

export class RecordedSections {
  #owner;
  #write;
  /** Their faults, except those that streams know (streams.mjs). */
  faults = noFaults();
  #names = new SectionNames(this.faults);
  #untraced = []; // instances of modules that have sections and no trace points

  /** Of the recorder `owner` (recorder.mjs). `write(action)` calls `action(writer)`, which may fail. */
  constructor(owner, write) {
    this.#owner = owner;
    this.#write = write;
  }

  /** The id of a name that a module with this number gave. */
  idOf(number, bytes) {
    const id = this.#names.idOf(number, bytes);
    // Where nothing can be written now, names are declared with the next block.
    if (this.#names.hasPending && this.#owner.hasRoomFor(NAME_ROOM))
      this.#owner.whileWriting(() => this.#write((writer) => this.declare(writer)));
    // The drain would not declare them.
    if (this.#names.hasPending) this.#owner.drain.end();
    return id;
  }

  /** Declares the names that a record does not have yet. */
  declare(writer) {
    const { modules } = this.#owner;
    for (const { module: number, functions } of this.#names.takePending()) {
      writer.functions(number, modules.idOf(number), functions);
      modules.addFunctions(number, functions);
    }
  }

  /**
   * The functions of `builtin` for an instance, whose sections belong to the module with this number. Without `events`,
   * sections are only frames of the stacks of samples, which the instance keeps (`keepsStack`). `traces`: whether it
   * has trace points; `look`: see sectionBuiltin().
   */
  builtinOf(number, events, { keepsStack, traces, look }) {
    const { samples } = this.#owner;
    if (events !== undefined && !traces) this.#untraced.push({ events, look });
    const isRecorded = () =>
      !this.#owner.closed && !samples.guest.isCalling && (events !== undefined || keepsStack);
    const begin = (bytes, fuel) => {
      if (!isRecorded()) return;
      const id = this.idOf(number, bytes);
      events?.store(id, fuel);
      if (keepsStack) samples.sampler.beginSection(number, id);
    };
    const end = (fuel) => {
      if (!isRecorded()) return;
      events?.store(SECTION_END, fuel);
      const isOpen = !keepsStack || samples.sampler.endSection(number);
      if (events === undefined && !isOpen) ++this.faults.endsWithoutBegin;
    };
    return sectionBuiltin(look, begin, end);
  }

  /** Whether there are modules without trace points, which do not say where functions end. */
  get mayBeLeftOpen() {
    return this.#untraced.length > 0;
  }

  /** Ends so many that are still open. */
  end(count) {
    const [{ events, look }] = this.#untraced;
    for (; count > 0; --count) {
      events.store(SECTION_END, fuelOf(look));
      ++this.faults.neverEnded;
    }
  }
}
