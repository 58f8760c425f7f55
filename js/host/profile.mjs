// SPDX-License-Identifier: Apache-2.0
// The recording of a program that runs unmodified, sampled by V8's own profiler.

import { parse } from "node:path";
import { OPTIONS_OF_PROFILES, ProfiledProgram } from "../recorder/samples/profiled-program.mjs";
import { inertBuiltin } from "../recorder/modules/builtin-imports.mjs";
import { RunFailure } from "./failures.mjs";
import { runningPhases } from "./phases.mjs";
import { openRecorder, recorderOptions } from "./recording.mjs";

async function startProfiler({ sampling }, units) {
  try {
    const program = await ProfiledProgram.start(sampling.frequency);
    for (const { id, path, code } of units) program.addModule(code, parse(path).name, id);
    return program;
  } catch (error) {
    throw new RunFailure(error.message);
  }
}

/**
 * Starts the profiler; the result has the interface of openRecording(). Only close() opens the record, so that a
 * program that cannot run does not overwrite the record of an earlier run.
 */
export async function openProfile(request, units) {
  const options = { ...recorderOptions(request), ...OPTIONS_OF_PROFILES };
  const program = await startProfiler(request, units);
  let phases = [];
  let recorder;
  return {
    tracePointOf: ({ module }) => inertBuiltin(module),
    addPhases: (all) => (phases = all),
    closeSections() {},
    attach() {},
    isCallingGuest: () => false,
    openCalls: () => [],
    endCalls() {},
    close() {
      const running = runningPhases(phases);
      if (running.length === 0) return;
      const within = { begin: running[0].begin, end: running.at(-1).end };
      recorder = program.finish((begin) => openRecorder({ ...options, begin }), within);
      recorder.addPhases(phases);
      recorder.close();
    },
    result: () => recorder && { ...recorder.counts, error: recorder.error, problems: recorder.problems },
  };
}
