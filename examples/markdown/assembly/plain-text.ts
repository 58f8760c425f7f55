// SPDX-License-Identifier: Apache-2.0
// The words of a part of the tree, without any markup.

import { CodeSpan, Image, LineBreak, Node, Text } from "./nodes";
import { TextBuilder } from "./text-builder";
import { Walker } from "./walker";

class TextCollector extends Walker {
  out: TextBuilder = new TextBuilder();

  text(node: Text): void {
    this.out.add(node.value);
  }

  codeSpan(node: CodeSpan): void {
    this.out.add(node.code);
  }

  image(node: Image): void {
    this.out.add(node.alternative);
  }

  lineBreak(node: LineBreak): void {
    this.out.add(" ");
  }
}

export function plainText(node: Node): string {
  const collector = new TextCollector();
  node.accept(collector);
  return collector.out.toString();
}
