// SPDX-License-Identifier: Apache-2.0
// Checks HTML as the writer makes it: every tag is closed in its turn, every quote and entity is whole.

import { Char, isDigit, isLetter } from "./characters";

const VOID_TAGS: string[] = ["br", "hr", "img"];

export class HtmlChecker {
  private open: string[] = [];
  private at: i32 = 0;

  constructor(private html: string) {}

  /** What is wrong first, empty if nothing is. */
  check(): string {
    while (this.at < this.html.length) {
      const problem = this.part(this.html.charCodeAt(this.at));
      if (problem.length > 0) return `${problem} at ${this.at}`;
      this.at++;
    }
    return this.open.length > 0 ? `<${this.open.pop()}> is not closed` : "";
  }

  private part(c: i32): string {
    switch (c) {
      case Char.Less:
        return this.tag();
      case Char.Ampersand:
        return this.entity();
      case Char.Greater:
        return "a bare >";
      default:
        return "";
    }
  }

  private tag(): string {
    const end = this.endOfTag();
    if (end < 0) return "a tag without an end";
    const closing = this.html.charAt(this.at + 1) == "/";
    const name = this.nameAt(this.at + (closing ? 2 : 1));
    this.at = end;
    if (name.length == 0) return "a tag without a name";
    if (VOID_TAGS.includes(name)) return closing ? `</${name}>` : "";
    if (!closing) {
      this.open.push(name);
      return "";
    }
    const expected = this.open.length > 0 ? this.open.pop() : "";
    return expected == name ? "" : `</${name}> in place of </${expected}>`;
  }

  /** The tag's `>`, those in quotes not counted; -1 if there is none. */
  private endOfTag(): i32 {
    let quoted = false;
    for (let i = this.at; i < this.html.length; i++) {
      const c = this.html.charCodeAt(i);
      if (c == Char.DoubleQuote) quoted = !quoted;
      else if (c == Char.Greater && !quoted) return i;
    }
    return -1;
  }

  private nameAt(begin: i32): string {
    let end = begin;
    while (end < this.html.length && isNamePart(this.html.charCodeAt(end))) end++;
    return this.html.substring(begin, end);
  }

  private entity(): string {
    const end = this.html.indexOf(";", this.at);
    return end < 0 || end - this.at > 5 ? "a bare &" : "";
  }
}

function isNamePart(c: i32): bool {
  return isLetter(c) || isDigit(c);
}
