// SPDX-License-Identifier: Apache-2.0
// The document as a tree: blocks that hold blocks or text, and the inlines of which text is made.

/** What walks the tree; each kind of node calls its own method. */
export abstract class Visitor {
  abstract document(node: Document): void;
  abstract heading(node: Heading): void;
  abstract paragraph(node: Paragraph): void;
  abstract codeBlock(node: CodeBlock): void;
  abstract quote(node: Quote): void;
  abstract list(node: List): void;
  abstract listItem(node: ListItem): void;
  abstract table(node: Table): void;
  abstract thematicBreak(node: ThematicBreak): void;
  abstract text(node: Text): void;
  abstract emphasis(node: Emphasis): void;
  abstract strong(node: Strong): void;
  abstract strike(node: Strike): void;
  abstract codeSpan(node: CodeSpan): void;
  abstract link(node: Link): void;
  abstract image(node: Image): void;
  abstract lineBreak(node: LineBreak): void;
}

export abstract class Node {
  abstract accept(visitor: Visitor): void;
}

/** A node with nodes inside. */
export abstract class Parent extends Node {
  constructor(public children: Node[]) {
    super();
  }

  acceptChildren(visitor: Visitor): void {
    for (let i = 0, n = this.children.length; i < n; i++) this.children[i].accept(visitor);
  }
}

// Blocks.

export class Document extends Parent {
  accept(visitor: Visitor): void {
    visitor.document(this);
  }
}

export class Heading extends Parent {
  constructor(public level: i32, children: Node[]) {
    super(children);
  }

  accept(visitor: Visitor): void {
    visitor.heading(this);
  }
}

export class Paragraph extends Parent {
  accept(visitor: Visitor): void {
    visitor.paragraph(this);
  }
}

export class CodeBlock extends Node {
  /** `code` ends with a newline unless it is empty. */
  constructor(public language: string, public code: string) {
    super();
  }

  accept(visitor: Visitor): void {
    visitor.codeBlock(this);
  }
}

export class Quote extends Parent {
  accept(visitor: Visitor): void {
    visitor.quote(this);
  }
}

export class List extends Parent {
  /** A tight list has no blank line between its items, whose paragraphs are then bare text. */
  tight: bool = true;

  constructor(public ordered: bool, public start: i32) {
    super([]);
  }

  accept(visitor: Visitor): void {
    visitor.list(this);
  }
}

export class ListItem extends Parent {
  constructor(public tight: bool, children: Node[]) {
    super(children);
  }

  accept(visitor: Visitor): void {
    visitor.listItem(this);
  }
}

export enum Alignment {
  None,
  Left,
  Center,
  Right,
}

export class Table extends Node {
  /** The rows' cells, the header's first; each row has as many as there are alignments. */
  rows: Paragraph[][] = [];

  constructor(public alignments: Alignment[]) {
    super();
  }

  accept(visitor: Visitor): void {
    visitor.table(this);
  }
}

export class ThematicBreak extends Node {
  accept(visitor: Visitor): void {
    visitor.thematicBreak(this);
  }
}

// Inlines.

export class Text extends Node {
  constructor(public value: string) {
    super();
  }

  accept(visitor: Visitor): void {
    visitor.text(this);
  }
}

export class Emphasis extends Parent {
  accept(visitor: Visitor): void {
    visitor.emphasis(this);
  }
}

export class Strong extends Parent {
  accept(visitor: Visitor): void {
    visitor.strong(this);
  }
}

export class Strike extends Parent {
  accept(visitor: Visitor): void {
    visitor.strike(this);
  }
}

export class CodeSpan extends Node {
  constructor(public code: string) {
    super();
  }

  accept(visitor: Visitor): void {
    visitor.codeSpan(this);
  }
}

export class Link extends Parent {
  constructor(public target: string, public title: string, children: Node[]) {
    super(children);
  }

  accept(visitor: Visitor): void {
    visitor.link(this);
  }
}

export class Image extends Node {
  constructor(public target: string, public title: string, public alternative: string) {
    super();
  }

  accept(visitor: Visitor): void {
    visitor.image(this);
  }
}

export class LineBreak extends Node {
  /** A hard break was asked for; a soft one is where a line of the source ends. */
  constructor(public hard: bool) {
    super();
  }

  accept(visitor: Visitor): void {
    visitor.lineBreak(this);
  }
}
