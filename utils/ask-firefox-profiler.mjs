#!/usr/bin/env node
// Opens a profile with the Firefox Profiler's own code and prints what that has understood, without the network.
//
//   node utils/ask-firefox-profiler.mjs PROFILE
//
// For each thread: its call tree, one context a line with its own and its whole weight, and its markers with their times in
// milliseconds. Exit code 1: the Profiler refuses the file. The Profiler is the npm package @firefox-devtools/profiler-cli,
// which utils/setup installs; it wants Node 24.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [profile, ...rest] = process.argv.slice(2);
if (!profile || rest.length > 0) {
  console.error("usage: ask-firefox-profiler.mjs PROFILE");
  process.exit(2);
}

const program = createRequire(import.meta.url).resolve("@firefox-devtools/profiler-cli/dist/profiler-cli.js");
// It leaves a process that answers; what they share lies in a folder whose path must be short, as it holds a socket.
const folder = mkdtempSync(join(tmpdir(), "ask-fx-"));
const environment = { ...process.env, PROFILER_CLI_SESSION_DIR: folder, PROFILER_CLI_NO_SYMBOLICATE: "1" };
const session = "asked";

const ask = (...command) =>
  execFileSync(process.execPath, [program, ...command], { env: environment, encoding: "utf8", maxBuffer: 1 << 28 });
const askJson = (...command) => JSON.parse(ask(...command, "--session", session, "--json"));
const number = (value) => String(Number(value.toFixed(6)));

function printTree(node, depth) {
  console.log(`${"  ".repeat(depth)}${node.name} self ${number(node.selfSamples)} total ${number(node.totalSamples)}`);
  for (const child of node.children) printTree(child, depth + 1);
}

try {
  ask("load", profile, "--session", session);
  for (const { threadHandle, name } of askJson("thread", "list").threads) {
    const of = ["--thread", threadHandle];
    console.log(`thread ${name}`);
    for (const root of askJson("thread", "samples-top-down", ...of, "--include-idle").regularCallTree.children)
      printTree(root, 1);
    for (const { markerName, topMarkers } of askJson("thread", "markers", ...of).byType)
      for (const { label, start, duration } of topMarkers)
        console.log(`  marker ${markerName}: ${label} at ${number(start)} for ${number(duration ?? 0)}`);
  }
} catch (error) {
  console.error(`ask-firefox-profiler: ${profile}: ${error.stderr || error.message}`);
  process.exitCode = 1;
} finally {
  try {
    ask("stop", session);
  } catch {
    // It was never started.
  }
  rmSync(folder, { recursive: true, force: true });
}
