// SPDX-License-Identifier: Apache-2.0
// Text put together from many pieces, joined once.

export class TextBuilder {
  private pieces: string[] = [];
  private last: string = "";

  add(piece: string): TextBuilder {
    if (piece.length > 0) {
      this.pieces.push(piece);
      this.last = piece;
    }
    return this;
  }

  line(piece: string): TextBuilder {
    return this.add(piece).add("\n");
  }

  /** Ends the line unless the text is empty or ends with one. */
  freshLine(): TextBuilder {
    if (this.last.length > 0 && !this.last.endsWith("\n")) this.add("\n");
    return this;
  }

  toString(): string {
    return this.pieces.join("");
  }
}
