// SPDX-License-Identifier: Apache-2.0
// Resolves paths so that they cannot leave the folder they begin in, whatever links they contain.
//
// Each call looks up each name anew. Only another process can change the folder between that and the use of the path
// (docs/sandbox.md). Paths are strings of bytes ("latin1").

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import {
  INVALID,
  LOOP,
  NAME_TOO_LONG,
  NO_ENTRY,
  NOT_CAPABLE,
  NOT_FOLDER,
  NOT_PERMITTED,
  WasiError,
} from "./wasi-errno.mjs";

const MOST_LINKS = 40; // Linux's limit for one path
const MOST_BYTES = 4095; // Linux's longest path

/** A path as node:fs takes it. */
export const bytesOf = (path) => Buffer.from(path, "latin1");
const textOf = (bytes) => bytes.toString("latin1");

/** The status of the host's file or folder with this path; undefined if there is none. */
export const statusOf = (path) =>
  lstatSync(bytesOf(path), { bigint: true, throwIfNoEntry: false });
export const targetOf = (path) => textOf(readlinkSync(bytesOf(path), "buffer"));

const isSame = (a, b) => a.dev === b.dev && a.ino === b.ino;

/** An open folder: `names` lead to it from `root`, a folder of --dir. */
export class OpenFolder {
  #path; // of a root
  #status; // undefined for a root that the program cannot move

  constructor(root, names, path, status) {
    this.root = root ?? this;
    this.names = names;
    this.#path = path;
    this.#status = status;
  }

  /** The folders of --dir, by path; throws node:fs's error if one does not exist. */
  static ofHost(paths) {
    const real = paths.map((path) => textOf(realpathSync.native(path, "buffer")));
    return real.map((path) => {
      const canMove = real.some((other) => path.startsWith(other === "/" ? other : `${other}/`));
      return new OpenFolder(undefined, [], path === "/" ? "" : path, canMove && statusOf(path));
    });
  }

  /** The folder that `names` lead to from here; `status` is its statusOf(). */
  at(names, status) {
    return new OpenFolder(this.root, [...this.names, ...names], undefined, status);
  }

  /** The folder's path, without links; throws NO_ENTRY if the folder is no longer there. */
  path() {
    let path = this.root.#path;
    if (this.root.#status && !isThere(path, this.root.#status)) throw new WasiError(NO_ENTRY);
    for (const [i, name] of this.names.entries()) {
      path += `/${name}`;
      const expected = i === this.names.length - 1 ? this.#status : undefined;
      if (!isThere(path, expected)) throw new WasiError(NO_ENTRY);
    }
    return path;
  }
}

/** Whether `path` is still the folder that it was. */
function isThere(path, expected) {
  const status = statusOf(path);
  return status?.isDirectory() && (expected === undefined || isSame(status, expected));
}

/** How to treat a link at the end of a path. */
export const KEEP = 0;
export const FOLLOW_BEFORE_SLASH = 1;
export const FOLLOW = 2;

/**
 * The names of a path, last first. A `.` is dropped, except at the end of a whole path, where it demands a folder;
 * `isEnd`: no names follow these.
 */
function namesOf(path, isEnd) {
  const names = path.split("/").filter((name) => name !== "");
  return names.filter((name, i) => name !== "." || (isEnd && i === names.length - 1)).reverse();
}

/** Follows a path from a folder, name by name. */
class Walk {
  names = [];
  hasSlash;
  isDot = false;
  status; // of the last name, if looked up
  #folder;
  #lastLink;
  #ahead;
  #links = 0;

  constructor(folder, path, lastLink) {
    this.#folder = folder;
    this.#lastLink = lastLink;
    this.hasSlash = path.endsWith("/");
    this.#ahead = namesOf(path, true);
  }

  run() {
    while (this.#ahead.length > 0) {
      const name = this.#ahead.pop();
      if (name === "." || name === "..") this.#passDots(name);
      else if (this.#ahead.length > 0) this.#enter(name);
      else this.#end(name);
    }
  }

  #passDots(name) {
    if (name === ".." && this.names.pop() === undefined) throw new WasiError(NOT_CAPABLE);
    this.isDot = this.#ahead.length === 0;
  }

  #pathOf(name) {
    return [this.#folder, ...this.names, name].join("/");
  }

  #enter(name) {
    const status = statusOf(this.#pathOf(name));
    if (status === undefined) throw new WasiError(NO_ENTRY);
    if (status.isSymbolicLink()) this.#follow(name);
    else if (status.isDirectory()) this.names.push(name);
    else throw new WasiError(NOT_FOLDER);
  }

  #end(name) {
    const follows =
      this.#lastLink === FOLLOW || (this.#lastLink === FOLLOW_BEFORE_SLASH && this.hasSlash);
    this.status = follows ? statusOf(this.#pathOf(name)) : undefined;
    if (this.status?.isSymbolicLink()) this.#follow(name);
    else this.names.push(name);
  }

  #follow(name) {
    if (++this.#links > MOST_LINKS) throw new WasiError(LOOP);
    this.status = undefined;
    const target = targetOf(this.#pathOf(name));
    if (target.startsWith("/")) throw new WasiError(NOT_CAPABLE);
    const isEnd = this.#ahead.length === 0;
    if (isEnd && target.endsWith("/")) this.hasSlash = true;
    this.#ahead.push(...namesOf(target, isEnd));
  }
}

/**
 * Resolves `path` from a folder. The result: `names`, the names from the folder, of which only the last may be a link;
 * `isDot`: the path ends in `.` or `..`, so that `names` lead to the folder it means; `hasSlash`: it ends in a slash;
 * `host`: the host's path; `status()`: the lstat of what is there, or undefined.
 */
export function resolveBeneath(folder, path, lastLink) {
  if (path === "" || path.includes("\0")) throw new WasiError(INVALID);
  if (path.length > MOST_BYTES) throw new WasiError(NAME_TOO_LONG);
  if (path.startsWith("/")) throw new WasiError(NOT_CAPABLE);
  const start = folder.path();
  const walk = new Walk(start, path, lastLink);
  walk.run();
  const { names, isDot } = walk;
  const hasSlash = walk.hasSlash && names.length > 0;
  const host = [start, ...names].join("/");
  return {
    names,
    isDot,
    hasSlash,
    host: hasSlash ? `${host}/` : host,
    status: () => walk.status ?? statusOf(host),
  };
}

/**
 * Checks that a link with this target stays in its folder of --dir, where it lies `depth` folders deep. Throws
 * NOT_PERMITTED for an absolute target, and NOT_CAPABLE for one with more than `depth` `..`s or with a `..` after a
 * name, since that name may become a link.
 */
export function checkLinkTarget(depth, target) {
  if (target === "" || target.includes("\0")) throw new WasiError(INVALID);
  if (target.startsWith("/")) throw new WasiError(NOT_PERMITTED);
  const names = target.split("/").filter((name) => name !== "" && name !== ".");
  const ups = names.filter((name) => name === "..").length;
  if (ups > depth || names.slice(0, ups).some((name) => name !== ".."))
    throw new WasiError(NOT_CAPABLE);
}
