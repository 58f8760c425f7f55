/** Keeps a record in memory: where there is no file, as in a browser. */
export class MemorySink {
  #blocks = [];

  write(bytes) {
    this.#blocks.push(bytes.slice());
  }

  close() {}

  blob() {
    return new Blob(this.#blocks, { type: "application/octet-stream" });
  }
}
