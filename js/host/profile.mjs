// SPDX-License-Identifier: Apache-2.0
// The record of a program that runs as it is, sampled by V8's own profiler: what run.mjs needs of one.

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
 * Starts the profiler; the result is as that of openRecording(). The record is made by close(): a
 * program that cannot run leaves the record of an earlier run as it is.
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
