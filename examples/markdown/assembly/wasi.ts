// SPDX-License-Identifier: Apache-2.0
// The few system calls that the program makes, as WASI offers them: declared by hand, with no package in between.

// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "args_sizes_get")
declare function args_sizes_get(count: usize, size: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "args_get")
declare function args_get(pointers: usize, bytes: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(fd: i32, vectors: usize, count: usize, read: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: i32, vectors: usize, count: usize, written: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "proc_exit")
declare function proc_exit(code: i32): void;

export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;

const BLOCK: i32 = 16384;

// A WASI vector (address, length) and the word in which a call returns how much it moved.
const vector = memory.data(8);
const moved = memory.data(4);

function check(error: i32, what: string): void {
  if (error != 0) throw new Error(what + " failed with WASI error " + error.toString());
}

/** The program's arguments, its own name not among them. */
export function programArguments(): string[] {
  check(args_sizes_get(vector, moved), "args_sizes_get");
  const count = load<u32>(vector);
  const pointers = new StaticArray<usize>(count);
  const bytes = new StaticArray<u8>(load<u32>(moved));
  check(args_get(changetype<usize>(pointers), changetype<usize>(bytes)), "args_get");
  const result: string[] = [];
  const end = changetype<usize>(bytes) + bytes.length;
  for (let i: u32 = 1; i < count; i++) {
    const next = i + 1 < count ? pointers[i + 1] : end;
    // Each argument ends with a zero byte.
    result.push(String.UTF8.decodeUnsafe(pointers[i], next - pointers[i] - 1));
  }
  return result;
}

/** Everything up to the end of an open file, which holds UTF-8. */
export function readText(fd: i32): string {
  let buffer = new ArrayBuffer(BLOCK);
  let length = 0;
  while (true) {
    if (length == buffer.byteLength) {
      const larger = new ArrayBuffer(2 * length);
      memory.copy(changetype<usize>(larger), changetype<usize>(buffer), length);
      buffer = larger;
    }
    store<u32>(vector, changetype<usize>(buffer) + length);
    store<u32>(vector, buffer.byteLength - length, 4);
    check(fd_read(fd, vector, 1, moved), "fd_read");
    const read = load<u32>(moved);
    if (read == 0) return String.UTF8.decode(buffer.slice(0, length));
    length += read;
  }
}

/** Writes text as UTF-8. */
export function writeText(fd: i32, text: string): void {
  const bytes = String.UTF8.encode(text);
  let at = 0;
  while (at < bytes.byteLength) {
    store<u32>(vector, changetype<usize>(bytes) + at);
    store<u32>(vector, bytes.byteLength - at, 4);
    check(fd_write(fd, vector, 1, moved), "fd_write");
    at += load<u32>(moved);
  }
}

export function exit(code: i32): void {
  proc_exit(code);
}
