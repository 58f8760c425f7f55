// SPDX-License-Identifier: Apache-2.0
// Runs a tool of warpo with the given arguments: the one in this package for this machine, or the one installed beside
// it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const machine = `${process.platform}-${process.arch}`;

function findTool(name) {
  const places = [`../native/${machine}/bin/${name}`];
  // Only in an installation: in node_modules, this path leads to npm's links to these very scripts.
  if (import.meta.url.endsWith('/share/warpo/js/bin/start-tool.mjs')) places.push(`../../../../bin/${name}`);
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
}

function fail(name, message) {
  console.error(`${name}: error: ${message}`);
  process.exitCode = 1;
}

export function startTool(name) {
  const tool = findTool(name);
  if (!tool) {
    fail(name, `this package has no tools for ${machine}; what works in JavaScript alone: node --import warpo/register app.js ` +
      'writes a record, which the tools read elsewhere');
    return;
  }
  // A terminal sends SIGINT to both; the tool decides what to do.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  const child = spawn(tool, process.argv.slice(2), { stdio: 'inherit' });
  child.on('error', (error) => fail(name, `${tool}: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : code;
  });
}
