// SPDX-License-Identifier: Apache-2.0
// How a run ends early, apart from the engine's own errors.

/** A failure of the host, or a request that it cannot fulfil: the program did not run, or not to its end. */
export class RunFailure extends Error {}

/** The program called exit with this code. */
export class GuestExit extends Error {
  constructor(code) {
    super(`exit with code ${code}`);
    this.code = code;
  }
}

/** The program aborted (AssemblyScript's abort): a trap with its own message. */
export class GuestAbort extends Error {}

const MOST_FRAMES = 64;

/** The wasm frames of an error's stack to show, innermost first: `{ name, function, offset }`. */
function wasmFrames(stack) {
  const frames = [];
  for (const line of (stack ?? "").split("\n")) {
    const match = /^\s*at (?:(.*) \()?wasm:\/\/[^ ]*?:wasm-function\[(\d+)\]:(0x[0-9a-f]+)\)?$/.exec(
      line,
    );
    if (match) frames.push({ name: match[1], function: Number(match[2]), offset: Number(match[3]) });
    if (frames.length === MOST_FRAMES) break;
  }
  return frames;
}

/** How a run ended that threw: `{ failure }`, `{ exitCode }` or `{ trap: { message, stack } }`. */
export function describeEnd(error) {
  if (
    error instanceof RunFailure ||
    error instanceof WebAssembly.CompileError ||
    error instanceof WebAssembly.LinkError
  )
    return { failure: error.message };
  if (error instanceof GuestExit) return { exitCode: error.code };
  const stack = wasmFrames(error?.stack);
  if (error instanceof GuestAbort || error instanceof WebAssembly.RuntimeError)
    return { trap: { message: error.message, stack } };
  if (error instanceof RangeError && /call stack/.test(error.message))
    return { trap: { message: "stack overflow", stack } };
  if (typeof WebAssembly.Exception === "function" && error instanceof WebAssembly.Exception)
    return { trap: { message: "an uncaught exception", stack } };
  // Errors of host functions need their place as well.
  return {
    trap: {
      message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      stack,
    },
  };
}
