// Records trace points in the `warp` format from JavaScript.
//
// Times are nanoseconds of performance.now(), low 32 bits: of the clocks that Node has it is among
// the cheapest (about 35 ns, where process.hrtime.bigint() and Date.now() cost 40), it never goes
// back, and it counts in nanoseconds. All modules share one buffer, so that the record is in time
// order as a whole.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { performance } from "./own-clock.mjs";
import { systemMessage } from "./system-message.mjs";

const RECORD_BYTES = 16;
const RECORD_WORDS = RECORD_BYTES / 4;
const BUFFER_RECORDS = 1 << 15;
const MAGIC = "___WARP_TRACE___";

/** Nanoseconds a count of the records' time. */
export const RATE = 1;

/**
 * Opens a record.
 *
 * `target` is `{ file }` or `{ fd }` (written from where it stands, not closed). Of
 * RecorderOptions, `maxItems` and `maxBytes` say how much is kept; a clock or policy that the format
 * does not have is a RangeError. Nothing else throws: what cannot be written is counted as lost, and
 * `error` says why.
 */
export function createWarpRecorder(target, options = {}) {
  const { maxItems = Infinity, maxBytes = Infinity, clock = "exact", policy = "block" } = options;
  if (policy !== "block") throw new RangeError("the format warp has the policy block only");
  if (clock !== "exact") throw new RangeError("the format warp has the clock exact only");
  if (maxBytes < MAGIC.length)
    throw new RangeError("maxBytes is less than a record without events has");
  const most = Math.min(maxItems, Math.floor((maxBytes - MAGIC.length) / RECORD_BYTES));
  const buffer = new ArrayBuffer(BUFFER_RECORDS * RECORD_BYTES);
  const words = new Int32Array(buffer);
  const bytes = new Uint8Array(buffer);
  const now = performance.now.bind(performance);
  const counts = { written: 0, lostToLimit: 0, lostToFailure: 0 };
  let fd = -1;
  let size = 0; // bytes of the file
  let taken = 0; // records that went through the buffer before
  let next = 0; // word where the next record goes
  let end = 0; // word where there is no room any more
  let error;

  function fail(what, cause) {
    const name = target.file ?? `file descriptor ${target.fd}`;
    error ??= `${name}: cannot ${what}: ${systemMessage(cause)}`;
  }

  function writeAll(data) {
    for (let at = 0; at < data.length;) {
      try {
        const written = writeSync(fd, data, at, data.length - at);
        at += written;
        size += written;
      } catch (cause) {
        if (cause.code !== "EAGAIN") {
          fail("write", cause);
          return;
        }
        // A pipe that is full and does not block: wait a little for its reader.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }

  function grant() {
    const room = Math.min(BUFFER_RECORDS, most - taken);
    end = error === undefined ? room * RECORD_WORDS : 0;
  }

  function flush() {
    const records = next / RECORD_WORDS;
    if (records === 0) return;
    taken += records;
    next = 0;
    const before = size;
    if (error === undefined) writeAll(bytes.subarray(0, records * RECORD_BYTES));
    const whole = Math.floor((size - before) / RECORD_BYTES);
    counts.written += whole;
    counts.lostToFailure += records - whole;
    if (whole < records && target.file !== undefined && fd >= 0) {
      try {
        ftruncateSync(fd, before + whole * RECORD_BYTES);
      } catch {
        // A pipe or a device by name: a cut record at its end stays.
      }
    }
    grant();
  }

  /** Makes room for one record; false if it is lost. */
  function slow() {
    flush();
    if (next < end) return true;
    if (error === undefined) ++counts.lostToLimit;
    else ++counts.lostToFailure;
    return false;
  }

  try {
    fd = target.file === undefined ? target.fd : openSync(target.file, "w");
    writeAll(Buffer.from(MAGIC, "latin1"));
  } catch (cause) {
    fail("open", cause);
  }
  grant();

  return {
    counts,
    get error() {
      return error;
    },
    flush,
    /** The function that records trace points of the module with this identifier (a BigInt). */
    tracePointOf(moduleId) {
      const low = Number(BigInt.asIntN(32, moduleId));
      const high = Number(BigInt.asIntN(32, moduleId >> 32n));
      return (id) => {
        if (next >= end && !slow()) return;
        words[next] = low;
        words[next + 1] = high;
        words[next + 2] = now() * 1e6;
        words[next + 3] = id;
        next += RECORD_WORDS;
      };
    },
    /** Writes what waits and closes a file that was opened here. The counts are exact then. */
    close() {
      flush();
      end = 0;
      if (target.file === undefined || fd < 0) return;
      try {
        closeSync(fd);
      } catch (cause) {
        fail("close", cause);
      }
      fd = -1;
    },
  };
}
