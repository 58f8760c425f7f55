// SPDX-License-Identifier: Apache-2.0
// The headings of a document as a table of contents.

import { isDigit, isLetter } from "./characters";
import { Document, Heading } from "./nodes";
import { plainText } from "./plain-text";
import { TextBuilder } from "./text-builder";
import { Walker } from "./walker";

class OutlineWriter extends Walker {
  out: TextBuilder = new TextBuilder();

  heading(node: Heading): void {
    const title = plainText(node);
    this.out.line("  ".repeat(node.level - 1) + title + " (#" + slugOf(title) + ")");
  }
}

export function outlineOf(document: Document): string {
  const writer = new OutlineWriter();
  document.accept(writer);
  return writer.out.toString();
}

/** A heading's name in addresses: small letters and digits, a hyphen for everything between. */
export function slugOf(title: string): string {
  let slug = "";
  let gap = false;
  for (let i = 0; i < title.length; i++) {
    const c = title.charCodeAt(i);
    if (!isLetter(c) && !isDigit(c)) {
      gap = slug.length > 0;
      continue;
    }
    if (gap) slug += "-";
    gap = false;
    slug += String.fromCharCode(c);
  }
  return slug.toLowerCase();
}
