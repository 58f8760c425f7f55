#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Opens a profile with the Firefox Profiler's own code and prints what that has understood, without the network.
//
//   node utils/ask-firefox-profiler.mjs PROFILE [SUMMARY...]
//
// For each thread: its call tree, one context a line with its own and its whole weight, and its markers with their times in
// milliseconds. With SUMMARY, such as `native-retained-allocations` or `native-allocations`: instead, the first thread's tree
// as the Profiler's summary of that name has it. Exit code 1: the Profiler refuses the file, or has no such summary. The
// Profiler is the npm package @firefox-devtools/profiler-cli, which `utils/setup --test` installs; it wants Node 24.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const [profile, ...summaries] = process.argv.slice(2);
if (!profile) {
  console.error("usage: ask-firefox-profiler.mjs PROFILE [SUMMARY...]");
  process.exit(2);
}

const program = createRequire(import.meta.url).resolve("@firefox-devtools/profiler-cli/dist/profiler-cli.js");
// The process that answers is started here: the program's own way to start it gives up after half a second. It listens on a
// socket in this folder, whose path must be short.
const folder = mkdtempSync(join(tmpdir(), "ask-fx-"));
const environment = { ...process.env, PROFILER_CLI_SESSION_DIR: folder, PROFILER_CLI_NO_SYMBOLICATE: "1" };
const server = spawn(process.execPath, [program, "--daemon", profile, "--session", "asked"], {
  env: environment,
  stdio: "ignore",
});
let hasEnded = false;
server.once("exit", () => (hasEnded = true));

/** The answer to one message: a line of JSON each. Rejects if nobody listens or answers. */
async function send(message) {
  const socket = connect(join(folder, "asked.sock")).setEncoding("utf8");
  socket.write(`${JSON.stringify(message)}\n`);
  let text = "";
  for await (const part of socket) {
    text += part;
    if (part.endsWith("\n")) break;
  }
  return JSON.parse(text);
}

/** The answer to a command; whatever else comes is an error. */
async function ask(command) {
  const { type, result, error } = await send({ type: "command", command });
  if (type !== "success") throw new Error(error ?? type);
  return result;
}

/** Waits, as long as it takes, until the profile has been read. */
async function untilReady() {
  while (!hasEnded) {
    const { type, error } = await send({ type: "status" }).catch(() => ({ type: "starting" }));
    if (type === "ready") return;
    if (type === "error") throw new Error(error);
    await setTimeout(20);
  }
  const reason = join(folder, "asked.error");
  throw new Error(existsSync(reason) ? readFileSync(reason, "utf8") : "the Profiler has ended");
}

const number = (value) => String(Number(value.toFixed(6)));

function printTree(node, depth) {
  console.log(`${"  ".repeat(depth)}${node.name} self ${number(node.selfSamples)} total ${number(node.totalSamples)}`);
  for (const child of node.children) printTree(child, depth + 1);
}

async function printTreeOf(thread, strategy) {
  const tree = await ask({ command: "thread", subcommand: "samples-top-down", thread, includeIdle: true, strategy });
  for (const root of tree.regularCallTree.children) printTree(root, 1);
}

try {
  await untilReady();
  const { threads } = await ask({ command: "thread", subcommand: "list", threadListOptions: {} });
  for (const summary of summaries) {
    console.log(summary);
    await printTreeOf(threads[0].threadHandle, summary);
  }
  for (const { threadHandle: thread, name } of summaries.length > 0 ? [] : threads) {
    console.log(`thread ${name}`);
    await printTreeOf(thread);
    const markers = await ask({ command: "thread", subcommand: "markers", thread, markerFilters: {} });
    for (const { markerName, topMarkers } of markers.byType)
      for (const { label, start, duration } of topMarkers)
        console.log(`  marker ${markerName}: ${label} at ${number(start)} for ${number(duration ?? 0)}`);
  }
} catch (error) {
  console.error(`ask-firefox-profiler: ${profile}: ${error.message}`);
  process.exitCode = 1;
} finally {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
