// SPDX-License-Identifier: Apache-2.0
// Replacements for functions of Node's WASI that are wrong or let a program out of its folders.
//
// Node's functions prepend the folder's path at the time it was opened, remove `..` without looking at what is there,
// and let the system follow links. Here beneath-path.mjs resolves each path first, and Node's functions get one without
// links; they still check rights, open files and report errors. docs/sandbox.md says what this guarantees and what it
// does not.

import { readlinkSync, symlinkSync } from "node:fs";
import {
  bytesOf,
  checkLinkTarget,
  FOLLOW,
  FOLLOW_BEFORE_SLASH,
  KEEP,
  OpenFolder,
  resolveBeneath,
  statusOf,
} from "./beneath-path.mjs";
import { withTexts } from "./lent-memory.mjs";
import {
  BAD_FILE,
  BUSY,
  errnoOf,
  INVALID,
  IS_FOLDER,
  LOOP,
  NOT_CAPABLE,
  NOT_FOLDER,
  OVERFLOW,
  SUCCESS,
  WasiError,
} from "./wasi-errno.mjs";

/** The rights that are checked here. */
const RIGHT = {
  DATASYNC: 1n << 0n,
  READ: 1n << 1n,
  SEEK: 1n << 2n,
  SYNC: 1n << 4n,
  WRITE: 1n << 6n,
  ALLOCATE: 1n << 8n,
  CREATE_DIRECTORY: 1n << 9n,
  CREATE_FILE: 1n << 10n,
  LINK_SOURCE: 1n << 11n,
  LINK_TARGET: 1n << 12n,
  OPEN: 1n << 13n,
  READDIR: 1n << 14n,
  READLINK: 1n << 15n,
  RENAME_SOURCE: 1n << 16n,
  RENAME_TARGET: 1n << 17n,
  STAT: 1n << 18n,
  SET_PATH_SIZE: 1n << 19n,
  SET_PATH_TIMES: 1n << 20n,
  SET_SIZE: 1n << 22n,
  SYMLINK: 1n << 24n,
  REMOVE_DIRECTORY: 1n << 25n,
  UNLINK: 1n << 26n,
};
/** The rights that Node's WASI gives to folders. */
const FOLDER_BASE = 0xfbffe98n;
const FOLDER_INHERITING = 0xfffffffn;

const CREATE = 1;
const DIRECTORY = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1;
const DSYNC = 2;
const RSYNC_OR_SYNC = 8 | 16;

/** Flags of an open file: Linux's and WASI's. */
const FLAGS = [
  [0x400, APPEND],
  [0x1000, DSYNC],
  [0x800, 4],
];

const STATUS_SIZE = 64; // filestat
const STATE_SIZE = 24; // fdstat
const ENTRY_SIZE = 24; // dirent, without the name
/** Most items of an array whose size in bytes fits in 32 bits. */
const MOST_ITEMS = { range: 0xffffffff >>> 3, subscription: Math.floor(0xffffffff / 48) };

function rightsToOpen(openFlags, base, inheriting, fdFlags) {
  let own = RIGHT.OPEN;
  let passedOn = base | inheriting;
  if (openFlags & CREATE) own |= RIGHT.CREATE_FILE;
  if (openFlags & TRUNCATE) own |= RIGHT.SET_PATH_SIZE;
  if (fdFlags & DSYNC) passedOn |= RIGHT.DATASYNC;
  if (fdFlags & RSYNC_OR_SYNC) passedOn |= RIGHT.SYNC;
  const writes = base & (RIGHT.DATASYNC | RIGHT.WRITE | RIGHT.ALLOCATE | RIGHT.SET_SIZE);
  if (writes && !(openFlags & TRUNCATE) && !(fdFlags & APPEND)) passedOn |= RIGHT.SEEK;
  return [own, passedOn];
}

/** WebAssembly passes addresses and sizes from 2^31 on as negative numbers, which Node's functions reject. */
const unsigned = (value) => (typeof value === "number" ? value >>> 0 : value);

/** Unknown flags, or a time that is both given and "now". */
const hasBadTimes = (flags) => flags > 15 || (flags & 3) === 3 || (flags & 12) === 12;

const lastLinkOf = (lookupFlags) => (lookupFlags & 1 ? FOLLOW : FOLLOW_BEFORE_SLASH);

export class WasiFiles {
  #node;
  #memoryOf;
  /** Open folders by descriptor: `{ folder, base, inheriting }`. */
  #folders = new Map();
  #streams = new Set([0, 1, 2]);

  /**
   * `node`: the functions of Node's WASI, whose folders are `preopens` (`{ guest: host }`); `memoryOf()`: the program's
   * memory.
   */
  constructor(node, preopens, memoryOf) {
    this.#node = node;
    this.#memoryOf = memoryOf;
    const rights = { base: FOLDER_BASE, inheriting: FOLDER_INHERITING };
    OpenFolder.ofHost(Object.values(preopens)).forEach((folder, i) =>
      this.#folders.set(3 + i, { folder, ...rights }),
    );
  }

  isStream(number) {
    return this.#streams.has(number >>> 0);
  }

  /** All functions of WASI: those defined here, otherwise Node's. */
  functions() {
    const own = { ...this.#pathFunctions(), ...this.#descriptorFunctions() };
    const checked = ([name, action]) => [
      name,
      (...args) => errnoOf(() => action(...args.map(unsigned))),
    ];
    return {
      ...unsignedFunctions(this.#node),
      ...Object.fromEntries(Object.entries(own).map(checked)),
      ...countedFunctions(this.#node),
    };
  }

  #range(address, size) {
    const { buffer } = this.#memoryOf();
    if (address + size > buffer.byteLength) throw new WasiError(OVERFLOW);
    return Buffer.from(buffer, address, size);
  }

  #text(address, size) {
    return this.#range(address, size).toString("latin1");
  }

  #folder(number, base, inheriting = 0n) {
    const found = this.#folders.get(number);
    if (found === undefined) {
      // fd_advise shows whether the descriptor is open and has no effect.
      const isOpen = this.#node.fd_advise(number, 0n, 0n, 0) !== BAD_FILE;
      throw new WasiError(isOpen ? NOT_CAPABLE : BAD_FILE);
    }
    if (base & ~found.base || inheriting & ~found.inheriting) throw new WasiError(NOT_CAPABLE);
    return found.folder;
  }

  /** Calls `action(address, size...)` with the resolved paths; `paths` are `{ address, size, place }` each. */
  #withPaths(paths, results, action) {
    const texts = [];
    const resolved = paths.map(({ address, size, place: { names, hasSlash } }) => {
      const text = bytesOf((names.join("/") || ".") + (hasSlash ? "/" : ""));
      if (text.equals(this.#range(address, size))) return { address, size };
      return { lent: texts.push(text) - 1, size: text.length };
    });
    const call = (...lent) =>
      action(...resolved.flatMap((path) => [path.address ?? lent[path.lent], path.size]));
    return texts.length === 0 ? call() : withTexts(this.#memoryOf(), texts, results, call);
  }

  /** For functions that take one path and need no further checks. */
  #onPath(number, right, [address, size], lastLink, action, results = { address: 0, size: 0 }) {
    const path = this.#text(address, size);
    const place = resolveBeneath(this.#folder(number, right), path, lastLink);
    return this.#withPaths([{ address, size, place }], results, action);
  }

  #pathFunctions() {
    const node = this.#node;
    return {
      path_create_directory: (fd, ...path) =>
        this.#onPath(fd, RIGHT.CREATE_DIRECTORY, path, KEEP, (...resolved) =>
          node.path_create_directory(fd, ...resolved),
        ),
      path_unlink_file: (fd, ...path) =>
        this.#onPath(fd, RIGHT.UNLINK, path, KEEP, (...resolved) =>
          node.path_unlink_file(fd, ...resolved),
        ),
      path_filestat_get: (fd, lookup, address, size, status) => {
        this.#range(status, STATUS_SIZE);
        const results = { address: status, size: STATUS_SIZE };
        const action = (...resolved) => node.path_filestat_get(fd, 0, ...resolved, status);
        return this.#onPath(fd, RIGHT.STAT, [address, size], lastLinkOf(lookup), action, results);
      },
      path_filestat_set_times: (fd, lookup, address, size, accessed, modified, flags) => {
        this.#range(address, size);
        // Node's function would hang at the next call.
        if (hasBadTimes(flags)) return INVALID;
        const action = (...resolved) =>
          node.path_filestat_set_times(fd, 0, ...resolved, accessed, modified, flags);
        return this.#onPath(fd, RIGHT.SET_PATH_TIMES, [address, size], lastLinkOf(lookup), action);
      },
      path_open: (...args) => this.#open(...args),
      path_remove_directory: (...args) => this.#removeDirectory(...args),
      path_rename: (...args) => this.#rename(...args),
      path_link: (...args) => this.#link(...args),
      path_symlink: (...args) => this.#symlink(...args),
      path_readlink: (...args) => this.#readlink(...args),
    };
  }

  #open(fd, lookup, address, size, openFlags, base, inheriting, fdFlags, result) {
    const number = this.#range(result, 4);
    const path = this.#text(address, size);
    // Old versions of Linux accept this.
    if (openFlags & CREATE && openFlags & DIRECTORY) return INVALID;
    const folder = this.#folder(fd, ...rightsToOpen(openFlags, base, inheriting, fdFlags));
    // With O_EXCL, an existing link is an error, wherever it leads.
    const isNew = openFlags & CREATE && openFlags & EXCLUSIVE;
    const place = resolveBeneath(folder, path, isNew ? KEEP : lastLinkOf(lookup));
    if (openFlags & CREATE && (place.isDot || place.hasSlash)) return IS_FOLDER;
    const status = place.status();
    // Node's function would follow the link.
    if (status?.isSymbolicLink() && !isNew) return openFlags & DIRECTORY ? NOT_FOLDER : LOOP;
    const results = { address: result, size: 4 };
    const errno = this.#withPaths([{ address, size, place }], results, (...resolved) =>
      this.#node.path_open(fd, 0, ...resolved, openFlags, base, inheriting, fdFlags, result),
    );
    if (errno === SUCCESS && status?.isDirectory())
      this.#folders.set(number.readUInt32LE(), {
        folder: folder.at(place.names, status),
        base: base & FOLDER_BASE,
        inheriting: inheriting & FOLDER_INHERITING,
      });
    return errno;
  }

  #removeDirectory(fd, address, size) {
    const path = this.#text(address, size);
    const place = resolveBeneath(this.#folder(fd, RIGHT.REMOVE_DIRECTORY), path, KEEP);
    if (place.isDot) return INVALID;
    return this.#withPaths([{ address, size, place }], { address: 0, size: 0 }, (...resolved) =>
      this.#node.path_remove_directory(fd, ...resolved),
    );
  }

  #twoPlaces([oldFd, oldRight, oldAddress, oldSize, lastLink], [fd, right, address, size]) {
    const oldPath = this.#text(oldAddress, oldSize);
    const path = this.#text(address, size);
    const oldFolder = this.#folder(oldFd, oldRight);
    const folder = this.#folder(fd, right);
    return [
      { address: oldAddress, size: oldSize, place: resolveBeneath(oldFolder, oldPath, lastLink) },
      { address, size, place: resolveBeneath(folder, path, KEEP) },
    ];
  }

  #rename(oldFd, oldAddress, oldSize, fd, address, size) {
    const paths = this.#twoPlaces(
      [oldFd, RIGHT.RENAME_SOURCE, oldAddress, oldSize, KEEP],
      [fd, RIGHT.RENAME_TARGET, address, size],
    );
    if (paths.some(({ place }) => place.isDot)) return BUSY;
    return this.#withPaths(paths, { address: 0, size: 0 }, (from, fromSize, to, toSize) =>
      this.#node.path_rename(oldFd, from, fromSize, fd, to, toSize),
    );
  }

  #link(oldFd, lookup, oldAddress, oldSize, fd, address, size) {
    const paths = this.#twoPlaces(
      [oldFd, RIGHT.LINK_SOURCE, oldAddress, oldSize, lastLinkOf(lookup)],
      [fd, RIGHT.LINK_TARGET, address, size],
    );
    return this.#withPaths(paths, { address: 0, size: 0 }, (from, fromSize, to, toSize) =>
      this.#node.path_link(oldFd, 0, from, fromSize, fd, to, toSize),
    );
  }

  /** Without Node's function, which resolves the target from the folder `fd` instead of the link's own folder. */
  #symlink(targetAddress, targetSize, fd, address, size) {
    const target = this.#text(targetAddress, targetSize);
    const path = this.#text(address, size);
    const folder = this.#folder(fd, RIGHT.SYMLINK);
    const place = resolveBeneath(folder, path, KEEP);
    checkLinkTarget(folder.names.length + place.names.length - (place.isDot ? 0 : 1), target);
    symlinkSync(bytesOf(target), bytesOf(place.host));
    return SUCCESS;
  }

  /** Without Node's function, which needs one byte more than the target and returns nothing if there is less. */
  #readlink(fd, address, size, buffer, bufferSize, result) {
    const room = this.#range(buffer, bufferSize);
    const used = this.#range(result, 4);
    const path = this.#text(address, size);
    const folder = this.#folder(fd, RIGHT.READLINK);
    const place = resolveBeneath(folder, path, FOLLOW_BEFORE_SLASH);
    if (room.length === 0) return INVALID;
    const target = readlinkSync(bytesOf(place.host), "buffer");
    used.writeUInt32LE(target.copy(room));
    return SUCCESS;
  }

  #descriptorFunctions() {
    const node = this.#node;
    return {
      fd_close: (fd) => {
        const errno = node.fd_close(fd);
        if (errno === SUCCESS) this.#forget(fd);
        return errno;
      },
      fd_renumber: (from, to) => {
        const errno = node.fd_renumber(from, to);
        if (errno === SUCCESS && from !== to) this.#move(from, to);
        return errno;
      },
      fd_fdstat_set_rights: (fd, base, inheriting) => {
        const errno = node.fd_fdstat_set_rights(fd, base, inheriting);
        const found = this.#folders.get(fd);
        if (errno === SUCCESS && found) Object.assign(found, { base, inheriting });
        return errno;
      },
      fd_fdstat_get: (fd, address) => {
        const state = this.#range(address, STATE_SIZE);
        const errno = node.fd_fdstat_get(fd, address);
        // Node's function returns the system's flags.
        const flags = state.readUInt16LE(2);
        const shown = FLAGS.map(([system, wasi]) => (flags & system ? wasi : 0));
        if (errno === SUCCESS) state.writeUInt16LE(shown.reduce((a, b) => a | b), 2);
        return errno;
      },
      fd_filestat_set_times: (fd, accessed, modified, flags) =>
        hasBadTimes(flags) ? INVALID : node.fd_filestat_set_times(fd, accessed, modified, flags),
      fd_readdir: (...args) => this.#readDirectory(...args),
    };
  }

  #forget(number) {
    this.#folders.delete(number);
    this.#streams.delete(number);
  }

  #move(from, to) {
    const folder = this.#folders.get(from);
    const isStream = this.#streams.has(from);
    this.#forget(from);
    this.#forget(to);
    if (folder) this.#folders.set(to, folder);
    if (isStream) this.#streams.add(to);
  }

  #readDirectory(fd, address, size, cookie, result) {
    const entries = this.#range(address, size);
    const used = this.#range(result, 4);
    const path = this.#folder(fd, RIGHT.READDIR).path();
    const errno = this.#node.fd_readdir(fd, address, size, cookie, result);
    if (errno === SUCCESS) addNumbers(path, entries.subarray(0, used.readUInt32LE()));
    return errno;
  }
}

/** Node's functions with unsigned arguments. */
function unsignedFunctions(node) {
  const convert = ([name, action]) => [name, (...args) => action(...args.map(unsigned))];
  const { clock_time_get } = node;
  return {
    ...Object.fromEntries(Object.entries(node).map(convert)),
    // Called often, so without the generic conversion; so are fd_read and fd_write below.
    clock_time_get: (clock, precision, address) =>
      clock_time_get(clock >>> 0, precision, address >>> 0),
  };
}

/** Functions that take arrays: with very many items, Node's read beyond the memory. */
function countedFunctions(node) {
  const limited = (name, most) => [
    name,
    (first, items, count, ...rest) =>
      count >>> 0 > most
        ? OVERFLOW
        : node[name](first >>> 0, items >>> 0, count >>> 0, ...rest.map(unsigned)),
  ];
  const { fd_read, fd_write } = node;
  const most = MOST_ITEMS.range;
  return {
    fd_read: (fd, items, count, result) =>
      count >>> 0 > most ? OVERFLOW : fd_read(fd >>> 0, items >>> 0, count >>> 0, result >>> 0),
    fd_write: (fd, items, count, result) =>
      count >>> 0 > most ? OVERFLOW : fd_write(fd >>> 0, items >>> 0, count >>> 0, result >>> 0),
    ...Object.fromEntries([
      ...["fd_pread", "fd_pwrite", "sock_recv", "sock_send"].map((name) => limited(name, most)),
      limited("poll_oneoff", MOST_ITEMS.subscription),
    ]),
  };
}

/** Fills in the inode numbers of a folder's entries, which Node's function leaves empty. */
function addNumbers(path, entries) {
  for (let at = 0; at + ENTRY_SIZE <= entries.length;) {
    const end = at + ENTRY_SIZE + entries.readUInt32LE(at + 16);
    if (end > entries.length) return;
    const name = entries.toString("latin1", at + ENTRY_SIZE, end);
    entries.writeBigUInt64LE(statusOf(`${path}/${name}`)?.ino ?? 0n, at + 8);
    at = end;
  }
}
