// SPDX-License-Identifier: Apache-2.0
// Paths that do not leave the folder they begin in, whatever links there are on the way.
//
// Each name is looked up anew at each call. Between that and what is done with the path, the folder
// can be changed by another process only: docs/sandbox.md. Paths are strings of bytes ("latin1").

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

const MOST_LINKS = 40; // as many as Linux follows in one path
const MOST_BYTES = 4095; // of a path that Linux takes

/** A path as node:fs takes it. */
export const bytesOf = (path) => Buffer.from(path, "latin1");
const textOf = (bytes) => bytes.toString("latin1");

/** The status of the host's file or folder with this path; undefined if there is none. */
export const statusOf = (path) =>
  lstatSync(bytesOf(path), { bigint: true, throwIfNoEntry: false });
export const targetOf = (path) => textOf(readlinkSync(bytesOf(path), "buffer"));

const isSame = (a, b) => a.dev === b.dev && a.ino === b.ino;

/** A folder that is open: `names` lead to it from `root`, a folder of --dir. */
export class OpenFolder {
  #path; // of a root
  #status; // undefined for a root that nothing in the program's folders can move

  constructor(root, names, path, status) {
    this.root = root ?? this;
    this.names = names;
    this.#path = path;
    this.#status = status;
  }

  /** Those of --dir, by their paths; throws what node:fs does if there is none. */
  static ofHost(paths) {
    const real = paths.map((path) => textOf(realpathSync.native(path, "buffer")));
    return real.map((path) => {
      const canMove = real.some((other) => path.startsWith(other === "/" ? other : `${other}/`));
      return new OpenFolder(undefined, [], path === "/" ? "" : path, canMove && statusOf(path));
    });
  }

  /** The folder that these names lead to from here; `status` is what statusOf() said of it. */
  at(names, status) {
    return new OpenFolder(this.root, [...this.names, ...names], undefined, status);
  }

  /** Its path, on which there is no link. Throws NO_ENTRY if it is not there any more. */
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

/** Whether there is a folder under this path, the one that it was. */
function isThere(path, expected) {
  const status = statusOf(path);
  return status?.isDirectory() && (expected === undefined || isSame(status, expected));
}

/** What is done with a path that ends in the name of a link. */
export const KEEP = 0;
export const FOLLOW_BEFORE_SLASH = 1;
export const FOLLOW = 2;

/**
 * The names of a path, last first. A `.` says nothing, but at the end, where it says that the path
 * means a folder; `isEnd`: nothing comes behind these names.
 */
function namesOf(path, isEnd) {
  const names = path.split("/").filter((name) => name !== "");
  return names.filter((name, i) => name !== "." || (isEnd && i === names.length - 1)).reverse();
}

/** The way from a folder to where a path leads, name by name. */
class Walk {
  names = [];
  hasSlash;
  isDot = false;
  status; // of the last name, if it was looked up
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
 * Where `path` leads from a folder: `names`, from the folder on, with no link but perhaps the last;
 * `isDot`: the path ends in `.` or `..`, so that they lead to the folder that it means; `hasSlash`;
 * `host`, the path of the host; `status()`, what is there, without following it, or undefined.
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
 * Whether a link with this target stays in its folder of --dir, in which it lies `depth` folders
 * deep: an absolute one is NOT_PERMITTED, one with more `..` than that NOT_CAPABLE, as is one that
 * goes up again behind a name, since that may become a link.
 */
export function checkLinkTarget(depth, target) {
  if (target === "" || target.includes("\0")) throw new WasiError(INVALID);
  if (target.startsWith("/")) throw new WasiError(NOT_PERMITTED);
  const names = target.split("/").filter((name) => name !== "" && name !== ".");
  const ups = names.filter((name) => name === "..").length;
  if (ups > depth || names.slice(0, ups).some((name) => name !== ".."))
    throw new WasiError(NOT_CAPABLE);
}
