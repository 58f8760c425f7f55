// SPDX-License-Identifier: Apache-2.0
// Instruments every module that a Node program compiles, by running warpo-instrument on its bytes.

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs, { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getSystemErrorMap } from "node:util";
import { CHOSEN_STORE } from "./recorder/artifacts/artifacts.mjs";
import { counterStoreOptions, eventStoreOptions, takesSeveralMemories } from "./event-store.mjs";
import { bytesOf } from "./recorder/hook.mjs";
import { libraryOfNode } from "./recorder/node/file-names.mjs";
import { blake3 } from "./recorder/modules/blake3.mjs";
import { hasTracePoints } from "./recorder/modules/builtin-imports.mjs";
import { importsOf } from "./recorder/modules/module-parts.mjs";
import { Replacements } from "./recorder/engine/replacements.mjs";
import { systemMessage } from "./recorder/record/system-message.mjs";
import { sha256 } from "./recorder/node/sha256.mjs";
import { sectionsOf } from "./recorder/modules/wasm-reader.mjs";

// Taken before the program's own reads are watched (FileNames).
const { readFileSync } = fs;

/** In this package, in an installation around it, or on the PATH. */
function findTool() {
  const name = "warpo-instrument";
  const places = [`./native/${process.platform}-${process.arch}/bin/${name}`, `../../../bin/${name}`];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync) ?? name;
}

const whyNotStarted = (tool, { code, errno, message }) =>
  code === "ENOENT"
    ? `there is no ${tool} on the PATH; it is one of WARPO's tools: put their folder on the PATH, or instrument the modules before the run`
    : `${tool} cannot be started: ${getSystemErrorMap().get(errno)?.[1] ?? message}`;

function isRecorded(bytes) {
  try {
    return hasTracePoints(bytes);
  } catch {
    return false;
  }
}

/** Other threads and processes may write the same file. */
function writeAtOnce(file, bytes) {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, bytes);
  renameSync(own, file);
}

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

// V8's limits of a function: bytes of code, and locals, without the thousand that may be parameters.
const MOST_CODE = 7_654_321;
const MOST_LOCALS = 49_000;

function hasTooManyLocals(body) {
  let locals = 0;
  for (let groups = body.number(); groups > 0; --groups) {
    locals += body.number();
    body.typeByte();
  }
  return locals > MOST_LOCALS;
}

/**
 * Whether instrumenting made a module exceed a limit of this version of Node. Checks only what instrumenting adds to:
 * memories, code and locals. WebAssembly.validate() can take seconds if a module has many globals.
 */
function becameTooLarge(output) {
  let memories = importsOf(output).filter(({ kind }) => kind === "memory").length;
  for (const { id, contents } of sectionsOf(output)) {
    if (id === 5) memories += contents.number();
    if (id !== 10) continue;
    for (let count = contents.number(); count > 0; --count) {
      const size = contents.number();
      if (size > MOST_CODE || hasTooManyLocals(contents.part(size))) return true;
    }
  }
  return memories > 1 && !takesSeveralMemories;
}

const isStoreOpen = (instrumentations, options) =>
  instrumentations.split(",").includes("counts") && !options.some((option) => option.startsWith("--counters-in="));

/**
 * Instrumentations that can store events in memory, which is then the default; the others may need the memory or a
 * call.
 */
const STORABLE = ["trace", "traps", "call-kinds"];
function eventStore(instrumentations, options, clockOf) {
  const isPossible = instrumentations.split(",").every((name) => STORABLE.includes(name));
  const isChosen = options.some((option) => /^--(events-in=|no-import-thunks$)/.test(option));
  return isPossible && !isChosen ? eventStoreOptions(clockOf()) : [];
}

/** Modules share a thread's stacks, and a trap in one of them may show first when another one is called. */
const trapScope = (instrumentations, options) =>
  instrumentations.split(",").includes("traps") && !options.some((option) => option.startsWith("--traps-in=")) ? ["--traps-in=thread"] : [];

/** Marks a module whose store of counters was chosen here, so that lost counts cause no advice to choose one. */
const withChosenStore = (output) => Buffer.concat([output, Uint8Array.of(0, CHOSEN_STORE.length + 1, CHOSEN_STORE.length), Buffer.from(CHOSEN_STORE)]);

/** warpo-instrument's warnings, without the name of its standard input. */
const warningsOf = (said) => Array.from(said.matchAll(/^.*?warning: (.*)$/gm), ([, text]) => text.replaceAll(/<stdin>:? ?/g, ""));

/**
 * Whether a module has functions. Emscripten makes many without, to put JavaScript functions into a table; they deserve
 * no warning.
 */
const hasCode = (bytes) => Array.from(sectionsOf(bytes), ({ id }) => id).includes(10);

/** Warnings that end with advice. */
const ADVISES = /no function is known to allocate: |without a name in the module/;

class Instrumenter {
  #tool = findTool();
  #advice = new Set(); // given before
  #known = new Map(); // instrumented bytes by hash; undefined for modules that run uninstrumented
  #options;

  constructor(options) {
    this.#options = options;
  }

  /** Throws if these options cannot instrument any module. */
  check() {
    const { folder } = this.#options;
    if (folder && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`WARPO_RECORDER_INSTRUMENT_FOLDER is '${folder}', and there is no such folder`);
    const { problem } = this.#run(EMPTY_MODULE);
    if (problem !== undefined) throw new Error(`WARPO_RECORDER_INSTRUMENT: ${problem}`);
  }

  /**
   * The bytes to compile in place of `source`; `source` itself if it cannot be instrumented. The caller may change
   * `source` afterwards.
   */
  instrumented(source) {
    const bytes = bytesOf(source);
    if (bytes === undefined || isRecorded(bytes)) return source;
    const hash = sha256(bytes).toString("hex");
    if (!this.#known.has(hash)) this.#known.set(hash, this.#named(bytes, hash));
    return this.#known.get(hash) ?? source;
  }

  /** A module read from a file is named after the file, one of Node's own after its library. */
  #named(bytes, hash) {
    const { files } = this.#options;
    const library = libraryOfNode();
    const name = files.find(bytes) ?? library;
    if (name === undefined) this.#saveOriginal(bytes);
    const output = this.#kept(bytes, hash, { title: name ?? `a module of ${bytes.length} bytes`, isOfNode: library !== undefined });
    if (output !== undefined && name !== undefined) files.add(output, name);
    return output;
  }

  /** Names the file by the hash by which counts and records identify the module. */
  #saveOriginal(bytes) {
    const { originals, say } = this.#options;
    if (originals === undefined || !hasCode(bytes)) return;
    try {
      mkdirSync(originals, { recursive: true });
      writeAtOnce(join(originals, `${Buffer.from(blake3(bytes)).toString("hex")}.wasm`), bytes);
    } catch (error) {
      say(`a module of ${bytes.length} bytes was not saved: ${systemMessage(error)}`);
    }
  }

  /**
   * Reuses a result from the shared folder: other threads and processes may have compiled the same module. `title`
   * names it in messages.
   */
  #kept(bytes, hash, { title, isOfNode }) {
    const { folder, say } = this.#options;
    const file = folder && join(folder, `${hash}.wasm`);
    try {
      return readFileSync(file);
    } catch {
      // Not there yet: instrument it, and report its warnings.
    }
    const { output, problem, warnings } = this.#run(bytes);
    // The program's author cannot change modules that Node compiles for itself.
    if (warnings?.length > 0 && hasCode(bytes) && !isOfNode)
      for (const warning of warnings) say(`${title}: ${this.#withNewAdvice(warning)}`);
    if (problem !== undefined) {
      // The engine rejects what is not a module.
      if (WebAssembly.validate(bytes))
        say(`${title} runs as it is, without trace points: ${problem}`);
      return undefined;
    }
    if (file) writeAtOnce(file, output);
    return output;
  }

  /** Removes advice (the text after the colon) that was given before. */
  #withNewAdvice(warning) {
    if (!ADVISES.test(warning)) return warning;
    const [what] = warning.split(": ", 1);
    const advice = warning.slice(what.length);
    if (this.#advice.has(advice)) return what;
    this.#advice.add(advice);
    return warning;
  }

  #run(bytes) {
    const [instrumentations, ...theirOptions] = this.#options.instrumentations.trim().split(/\s+/);
    const noOption = theirOptions.find((option) => !option.startsWith("--"));
    if (noOption !== undefined) return { problem: `'${noOption}' is not an option of instrumentations, such as --heap-stack=engine` };
    const isChosenHere = isStoreOpen(instrumentations, theirOptions);
    const stores = [...(isChosenHere ? counterStoreOptions() : []), ...eventStore(instrumentations, theirOptions, this.#options.clockOf)];
    const defaults = [...stores, ...trapScope(instrumentations, theirOptions)];
    const { error, status, stdout, stderr } = spawnSync(
      this.#tool,
      ["-q", `--instrumentation=${instrumentations}`, ...defaults, ...theirOptions, "-", "-o", "-"],
      { input: bytes, maxBuffer: Infinity },
    );
    if (error) return { problem: whyNotStarted(this.#tool, error) };
    if (status === 0 && becameTooLarge(stdout))
      return { problem: "instrumented it has several memories or a very large function, which this version of Node does not take" };
    if (status === 0) return { output: isChosenHere ? withChosenStore(stdout) : stdout, warnings: warningsOf(stderr.toString()) };
    const said = stderr.toString().match(/error: (?:<stdin>:?)?(.*)/);
    const problem = said?.[1].trim() ?? `${this.#tool} ended with ${status}`;
    return { problem: takesSeveralMemories ? problem : problem.replace("=memory has room for them)", "=memory has room for them in newer versions of Node)") };
  }
}

/** Throws if these options, which are those of instrumentOnLoad(), cannot instrument any module. */
export function checkInstrumenting(options) {
  new Instrumenter(options).check();
}

/**
 * Call after hookWebAssembly(), so that it sees the instrumented module. `instrumentations`: as warpo-instrument takes
 * them; `clockOf()`: the record's clock; `folder`: shares results with the program's other threads and processes
 * (optional); `originals`: a folder for modules that come from no file (optional); `files`: FileNames; `say(text)` reports
 * modules that run uninstrumented.
 */
export function instrumentOnLoad(options) {
  const instrumenter = new Instrumenter(options);
  const replacements = new Replacements();
  const take = (source) => instrumenter.instrumented(source);

  async function takeResponse(source) {
    const response = await source;
    if (!(response instanceof Response)) return response;
    // Leave it to the engine to reject a response by its type or status.
    const { status, statusText, headers, url, ok } = response;
    if (!ok) return response;
    const taken = new Response(take(await response.arrayBuffer()), { status, statusText, headers });
    return Object.defineProperty(taken, "url", { value: url });
  }

  replacements.replace("Module", () => ({
    construct: (target, [source, ...rest], newTarget) => Reflect.construct(target, [take(source), ...rest], newTarget),
  }));
  for (const name of ["compile", "instantiate"])
    replacements.replace(name, (call) => ({
      apply: async (_, __, [source, ...rest]) => call(take(source), ...rest),
    }));
  for (const name of ["compileStreaming", "instantiateStreaming"])
    replacements.replace(name, (call) => ({
      apply: async (_, __, [source, ...rest]) => call(takeResponse(source), ...rest),
    }));
}
