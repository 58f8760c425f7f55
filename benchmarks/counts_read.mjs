// SPDX-License-Identifier: Apache-2.0
// The part of counts.py that reads counters: node counts_read.mjs PACKAGE MODULE prints, as JSON, how many bytes of counts an instance has,
// and the seconds that it took to fetch them.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [packageFolder, file] = process.argv.slice(2);
const { artifactsOf } = await import(pathToFileURL(resolve(packageFolder, "recorder/node.mjs")));
const module = new WebAssembly.Module(readFileSync(file));
const instance = new WebAssembly.Instance(module);
const begin = performance.now();
const [{ bytes }] = artifactsOf(instance, module);
console.log(JSON.stringify({ size: bytes.length, seconds: (performance.now() - begin) / 1000 }));
