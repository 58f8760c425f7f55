// SPDX-License-Identifier: Apache-2.0
// One record for a process in Node: the records of its threads become parts of the main thread's.

import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { RecordReader } from "../record/record-reader.mjs";

class FileSource {
  #fd;
  size;

  constructor(file) {
    this.#fd = openSync(file, "r");
    this.size = fstatSync(this.#fd).size;
  }

  read(offset, size) {
    const bytes = new Uint8Array(size);
    let got = 0;
    for (let more; got < size && (more = readSync(this.#fd, bytes, got, size - got, offset + got)) > 0;) got += more;
    return bytes.subarray(0, got);
  }

  close() {
    closeSync(this.#fd);
  }
}

/** What `file` holds is read, and then `take(reader)` adds it to another record. */
function withReader(file, take) {
  const source = new FileSource(file);
  try {
    take(new RecordReader(source));
  } finally {
    source.close();
  }
}

/**
 * `records`: `[threadId, file]` each, all complete; `open()` returns the main thread's recorder. `say(file, message)`
 * reports records that stay separate files. Returns the files to remove.
 */
export function joinRecords(records, open, say) {
  const found = records.filter(([, file]) => existsSync(file));
  if (found.length === 0) return [];
  const recorder = open().own;
  if (!recorder.canAdopt) return [];
  const joined = [];
  for (const [id, file] of found) {
    try {
      withReader(file, (reader) => recorder.adopt(reader, { number: BigInt(process.pid + id), name: `thread ${id}` }));
      joined.push(file);
    } catch (error) {
      say(file, `stays a record of its own: ${error.reason ?? error.message}`);
    }
  }
  return joined;
}
