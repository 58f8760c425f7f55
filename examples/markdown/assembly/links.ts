// SPDX-License-Identifier: Apache-2.0
// Links and images, `[label](target "title")`, and by reference, `[label][name]` with `[name]: target "title"` elsewhere.

import { Char, isPunctuation, isSpace } from "./characters";

class Reference {
  constructor(public target: string, public title: string) {}
}

/** The document's link references; names are equal whatever their case and spacing. */
export class References {
  private byName: Map<string, Reference> = new Map();

  /** Takes the line if it defines a reference; the first definition of a name counts. */
  define(line: string): bool {
    const text = line.trim();
    const close = text.indexOf("]:");
    if (close < 2 || text.charCodeAt(0) != Char.BracketOpen) return false;
    const parts = new TargetScanner(text, close + 2);
    if (!parts.scan() || parts.at < text.length) return false;
    const name = normalized(text.substring(1, close));
    if (!this.byName.has(name)) this.byName.set(name, new Reference(parts.target, parts.title));
    return true;
  }

  find(name: string): Reference | null {
    const key = normalized(name);
    return this.byName.has(key) ? this.byName.get(key) : null;
  }
}

function normalized(name: string): string {
  const words = name.toLowerCase().replaceAll("\n", " ").split(" ");
  const result: string[] = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i].length > 0) result.push(words[i]);
  }
  return result.join(" ");
}

/** Reads a whole link that begins at a bracket. */
export class LinkScanner {
  label: string = "";
  target: string = "";
  title: string = "";
  /** Behind the link. */
  end: i32 = 0;

  constructor(private text: string, private begin: i32, private references: References) {}

  /** False if there is no link here. */
  scan(): bool {
    const close = closingBracket(this.text, this.begin);
    if (close < 0) return false;
    this.label = this.text.substring(this.begin + 1, close);
    const next = close + 1 < this.text.length ? this.text.charCodeAt(close + 1) : 0;
    if (next == Char.ParenOpen && this.inPlace(close + 2)) return true;
    if (next == Char.BracketOpen) return this.byReference(close + 1);
    this.end = close + 1;
    return this.resolve(this.label);
  }

  private inPlace(at: i32): bool {
    const parts = new TargetScanner(this.text, at);
    if (!parts.scan() || parts.at == this.text.length) return false;
    if (this.text.charCodeAt(parts.at) != Char.ParenClose) return false;
    this.target = parts.target;
    this.title = parts.title;
    this.end = parts.at + 1;
    return true;
  }

  private byReference(at: i32): bool {
    const close = closingBracket(this.text, at);
    if (close < 0) return false;
    const name = this.text.substring(at + 1, close);
    this.end = close + 1;
    return this.resolve(name.length > 0 ? name : this.label);
  }

  private resolve(name: string): bool {
    const reference = this.references.find(name);
    if (reference === null) return false;
    this.target = reference.target;
    this.title = reference.title;
    return true;
  }
}

/** The bracket that closes the one at `begin`, or -1; brackets inside come in pairs. */
function closingBracket(text: string, begin: i32): i32 {
  let depth = 0;
  for (let i = begin; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c == Char.Backslash) i++;
    else if (c == Char.BracketOpen) depth++;
    else if (c == Char.BracketClose && --depth == 0) return i;
  }
  return -1;
}

/** Reads `target "title"`, the title being optional, and the space around them. */
class TargetScanner {
  target: string = "";
  title: string = "";

  constructor(private text: string, public at: i32) {}

  scan(): bool {
    this.skipSpace();
    this.target = this.readTarget();
    this.skipSpace();
    if (this.at < this.text.length && this.text.charCodeAt(this.at) == Char.DoubleQuote) {
      const close = this.closingQuote();
      if (close < 0) return false;
      this.title = unescaped(this.text.substring(this.at + 1, close));
      this.at = close + 1;
      this.skipSpace();
    }
    return this.target.length > 0;
  }

  private skipSpace(): void {
    while (this.at < this.text.length && isSpace(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Up to a space or a closing parenthesis that none inside has opened. */
  private readTarget(): string {
    const begin = this.at;
    let depth = 0;
    for (; this.at < this.text.length; this.at++) {
      const c = this.text.charCodeAt(this.at);
      if (isSpace(c)) break;
      if (c == Char.ParenOpen) depth++;
      if (c == Char.ParenClose && --depth < 0) break;
    }
    return this.text.substring(begin, this.at);
  }

  private closingQuote(): i32 {
    for (let i = this.at + 1; i < this.text.length; i++) {
      const c = this.text.charCodeAt(i);
      if (c == Char.Backslash) i++;
      else if (c == Char.DoubleQuote) return i;
    }
    return -1;
  }
}

function unescaped(text: string): string {
  let result = "";
  for (let i = 0; i < text.length; i++) {
    let c = text.charCodeAt(i);
    if (c == Char.Backslash && i + 1 < text.length && isPunctuation(text.charCodeAt(i + 1))) c = text.charCodeAt(++i);
    result += String.fromCharCode(c);
  }
  return result;
}
