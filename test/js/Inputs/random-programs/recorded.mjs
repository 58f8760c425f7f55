// Runs a program of a seed and records it: in Node and in pages.
import { generator } from "../../../support/random.mjs";
import { runProgram } from "./host.mjs";

const WITH_CONTINUATION = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 2, 0x60, 0, 0, 0x5d, 0);

/** Features that engines may lack. */
export const missingFeatures = () => [
  ...(WebAssembly.Suspending === undefined ? ["promises"] : []),
  ...(WebAssembly.validate(WITH_CONTINUATION) ? [] : ["continuations"]),
];

/**
 * `recorders`: createRecorder() and hookWebAssembly(); `modules`: bytes; `features`: an array; `options` are further ones of the recorder. Returns, all of it plain data, the clock,
 * what runProgram() returns, and what is wrong with the record; the record itself, bytes, if it went to no file.
 */
export async function runRecorded({ createRecorder, hookWebAssembly }, { seed, program, modules, features }, options) {
  const random = generator(seed);
  const picked = random.pick(["none", "none", "exact", features.includes("stored") ? "none" : "fuel"]);
  const clock = features.includes("timed") && picked === "none" ? "thread" : picked;
  const recorder = createRecorder({ clock, bufferBytes: 1 << 16, ...options });
  const unhook = hookWebAssembly(recorder);
  let known;
  try {
    known = await runProgram(program, modules.map((bytes) => new WebAssembly.Module(bytes)), random, (feature) => features.includes(feature));
  } finally {
    unhook();
    recorder.close();
  }
  const { error, problems } = recorder;
  const record = options.file === undefined ? new Uint8Array(await recorder.blob().arrayBuffer()) : undefined;
  return { clock, known: { ...known, stacks: known.stacks.map(({ path, roots }) => ({ path, roots })) }, error, problems, record };
}
