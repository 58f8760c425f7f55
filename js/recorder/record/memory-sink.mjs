/* SPDX-License-Identifier: Apache-2.0 */
/** Keeps a record in memory: where there is no file, as in a browser. */
export class MemorySink {
  #blocks = [];

  write(bytes) {
    this.#blocks.push(bytes.slice());
  }

  rewrite(offset, bytes) {
    let at = 0;
    const index = this.#blocks.findIndex((block) => (at += block.length) > offset);
    this.#blocks[index] = bytes.slice();
    return true;
  }

  /** Whether cut() can take back what was written. */
  takesParts = true;
  cut(size) {
    let end = 0;
    const first = this.#blocks.findIndex((block) => (end += block.length) > size);
    if (first >= 0) this.#blocks.length = first;
  }

  close() {}

  bytes() {
    const all = new Uint8Array(this.#blocks.reduce((size, block) => size + block.length, 0));
    let at = 0;
    for (const block of this.#blocks) {
      all.set(block, at);
      at += block.length;
    }
    return all;
  }

  blob() {
    return new Blob(this.#blocks, { type: "application/octet-stream" });
  }
}
