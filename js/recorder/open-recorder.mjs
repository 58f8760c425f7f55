// SPDX-License-Identifier: Apache-2.0
// The interface of a recorder for programs (recorder.d.ts), and for the rest of this package.

import { Recorder } from "./recorder.mjs";

/** What createRecorder() of node.mjs and browser.mjs return; see recorder.d.ts. */
export function openRecorder(options, platform) {
  const recorder = new Recorder(options, platform);
  const importsFor = (module, given = {}) => ({
    builtin: recorder.builtinOf(module, given),
  });
  return {
    imports: options.module === undefined ? {} : importsFor(options.module, options),
    importsFor,
    ready: recorder.clock.ready,
    flush() {
      if (!recorder.closed) recorder.flush();
    },
    addPhases: (phases) => recorder.addPhases(phases),
    addEngineSamples(modules, profile) {
      if (!recorder.closed) recorder.samples.addOfEngine(modules, profile);
    },
    closeSections: () => recorder.closeSections(),
    get sectionFaults() {
      return { ...recorder.sectionFaults };
    },
    attach: (instance, name = "instance") => recorder.attach(instance, name),
    get guestStackProblems() {
      return recorder.samples.guest.problems();
    },
    get isCallingGuest() {
      return recorder.samples.guest.isCalling;
    },
    get problems() {
      return [...recorder.problems];
    },
    get enabled() {
      return recorder.enabled;
    },
    set enabled(value) {
      recorder.enabled = value;
    },
    close: () => recorder.close(),
    openCalls: () => recorder.openCalls(),
    blob: () => recorder.blob(),
    get counts() {
      return recorder.allCounts;
    },
    get error() {
      return recorder.error;
    },
    /** For hook.mjs. */
    remember: (module, description) => recorder.modules.remember(module, description),
    drop: (instance) => recorder.drop(instance),
    aroundStart: (make) => recorder.aroundStart(make),
    /** The Recorder, to add records of other threads to. */
    own: recorder,
    /** For engine node. */
    declare: (module, given) => recorder.declare(module, given),
    /** For suspension.mjs: TaskMarks; undefined before anything is recorded. */
    get tasks() {
      return recorder.tasks;
    },
  };
}
