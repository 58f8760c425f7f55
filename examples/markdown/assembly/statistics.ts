// SPDX-License-Identifier: Apache-2.0
// What a document is made of: counts of its parts, and its most frequent words.

import { isDigit, isLetter } from "./characters";
import { CodeBlock, CodeSpan, Document, Heading, Image, Link, ListItem, Paragraph, Table } from "./nodes";
import { plainText } from "./plain-text";
import { TextBuilder } from "./text-builder";
import { Walker } from "./walker";

class Word {
  constructor(public text: string, public count: i32) {}
}

export class Statistics extends Walker {
  private headings: i32 = 0;
  private paragraphs: i32 = 0;
  private items: i32 = 0;
  private cells: i32 = 0;
  private links: i32 = 0;
  private images: i32 = 0;
  private code: i32 = 0;
  private words: i32 = 0;
  private frequency: Map<string, i32> = new Map();

  heading(node: Heading): void {
    this.headings++;
    this.countWords(plainText(node));
    super.heading(node);
  }

  paragraph(node: Paragraph): void {
    this.paragraphs++;
    this.countWords(plainText(node));
    super.paragraph(node);
  }

  listItem(node: ListItem): void {
    this.items++;
    super.listItem(node);
  }

  table(node: Table): void {
    this.cells += node.rows.length * node.alignments.length;
    super.table(node);
  }

  link(node: Link): void {
    this.links++;
    super.link(node);
  }

  image(node: Image): void {
    this.images++;
  }

  codeBlock(node: CodeBlock): void {
    this.code++;
  }

  codeSpan(node: CodeSpan): void {
    this.code++;
  }

  private countWords(text: string): void {
    let begin = -1;
    for (let i = 0; i <= text.length; i++) {
      const c = i < text.length ? text.charCodeAt(i) : 0;
      const inWord = isLetter(c) || isDigit(c);
      if (inWord && begin < 0) begin = i;
      if (!inWord && begin >= 0) {
        this.countWord(text.substring(begin, i).toLowerCase());
        begin = -1;
      }
    }
  }

  private countWord(word: string): void {
    this.words++;
    this.frequency.set(word, this.frequency.has(word) ? this.frequency.get(word) + 1 : 1);
  }

  /** The most frequent words of more than three letters; equally frequent ones in alphabetical order. */
  private topWords(count: i32): Word[] {
    const keys = this.frequency.keys();
    const result: Word[] = [];
    for (let i = 0; i < keys.length; i++) {
      if (keys[i].length > 3) result.push(new Word(keys[i], this.frequency.get(keys[i])));
    }
    result.sort((a, b) => (a.count != b.count ? b.count - a.count : a.text < b.text ? -1 : 1));
    return result.slice(0, count);
  }

  report(): string {
    const out = new TextBuilder();
    out.line(`${this.words} words in ${this.headings} headings and ${this.paragraphs} paragraphs`);
    out.line(`${this.items} list items, ${this.cells} table cells, ${this.links} links, ${this.images} images`);
    out.line(`${this.code} pieces of code`);
    const top = this.topWords(5);
    for (let i = 0; i < top.length; i++) out.line(`${top[i].text}: ${top[i].count}`);
    return out.toString();
  }
}

export function statisticsOf(document: Document): string {
  const statistics = new Statistics();
  document.accept(statistics);
  return statistics.report();
}
