// SPDX-License-Identifier: Apache-2.0
// Finds the file of a module's bytes. A Node program reads a file and compiles its contents, often a copy, and most
// modules have no name.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { callSites } from "../engine/engine-stack.mjs";
import { bytesOf } from "../hook.mjs";
import { sha256 } from "./sha256.mjs";

const MAGIC = [0x00, 0x61, 0x73, 0x6d]; // "\0asm"
const isModule = (bytes) => bytes.length >= 8 && MAGIC.every((byte, i) => bytes[i] === byte);
const digestOf = (bytes) => sha256(bytes).toString("base64");

/** Without folders and what follows the last point; `undefined` of what is no path, such as a descriptor. */
function nameOf(file) {
  const path = file instanceof URL ? fileURLToPath(file) : Buffer.isBuffer(file) ? file.toString() : file;
  return typeof path === "string" ? parse(path).name : undefined;
}

const PACKAGE = new URL("../..", import.meta.url).href;

/** The library of Node that is compiling a module, such as `undici` for `fetch`; undefined if it is the program. */
export function libraryOfNode() {
  const files = callSites(Infinity).map((site) => site.getFileName());
  // Functions of the engine have no file.
  const caller = files.find((file) => file && !file.startsWith(PACKAGE));
  return /^node:internal\/deps\/([^/]+)\//.exec(caller)?.[1];
}

export class FileNames {
  #names = new Map(); // by size and digest, so that most bytes are not digested to find nothing

  /** These bytes are those of a file of this name. */
  add(bytes, name) {
    const sameSize = this.#names.get(bytes.length) ?? new Map();
    this.#names.set(bytes.length, sameSize.set(digestOf(bytes), name));
  }

  /** The file's name; `undefined` if these bytes were not read from a file. */
  find(bytes) {
    return this.#names.get(bytes.length)?.get(digestOf(bytes));
  }

  /** Looks, from now on, at what the program reads with node:fs. Results are the program's own. */
  watchReads() {
    const look = (file, data) => {
      try {
        const bytes = bytesOf(data);
        const name = bytes && isModule(bytes) ? nameOf(file) : undefined;
        if (name !== undefined) this.add(bytes, name);
      } catch {
        // The program has its bytes, and the module no name.
      }
      return data;
    };
    const { readFile, readFileSync } = fs;
    const readFilePromise = fs.promises.readFile;
    const replace = (object, name, apply) => (object[name] = new Proxy(object[name], { apply }));
    replace(fs, "readFileSync", (_, self, args) => look(args[0], Reflect.apply(readFileSync, self, args)));
    replace(fs, "readFile", (_, self, args) => {
      const callback = args.at(-1);
      if (typeof callback !== "function") return Reflect.apply(readFile, self, args);
      const looking = (error, data) => callback(error, error ? data : look(args[0], data));
      return Reflect.apply(readFile, self, [...args.slice(0, -1), looking]);
    });
    replace(fs.promises, "readFile", async (_, self, args) => look(args[0], await Reflect.apply(readFilePromise, self, args)));
    // import { readFile } from "node:fs" too.
    syncBuiltinESMExports();
  }
}
