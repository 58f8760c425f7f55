// Prints `name hash` of each function with code, as a record of samples calls it: body-hashes.mjs folder-of-js module.wasm
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [, , js, file] = process.argv;
const load = (name) => import(new URL(`recorder/${name}`, pathToFileURL(`${js}/`)));
const { PlainModule } = await load("modules/plain-module.mjs");
const { FIRST_ID } = await load("modules/function-ids.mjs");
const { importsOf } = await load("modules/module-parts.mjs");
const { sectionsOf } = await load("modules/wasm-reader.mjs");

const bytes = fs.readFileSync(file);
const module = new PlainModule(bytes, 1n, "app");
const first = FIRST_ID + importsOf(bytes).filter(({ kind }) => kind === "function").length;
for (const { id, contents } of sectionsOf(bytes))
  if (id === 10) for (let i = 0, count = contents.number(); i < count; ++i) console.log(module.nameOf(first + i));
