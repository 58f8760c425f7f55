// SPDX-License-Identifier: Apache-2.0
// Blocks that hold no blocks: headings, code, rules across the page.

import { BlockParser, BlockRule } from "./blocks";
import { Char, indentOf, isBlank, outdent, runLength } from "./characters";
import { CodeBlock, Heading, Node, ThematicBreak } from "./nodes";

const MAX_LEVEL = 6;
const CODE_INDENT = 4;

/** `## Text`, with or without hashes at the end. */
export class HeadingRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    const text = parser.line.trimStart();
    const level = runLength(text, 0, Char.Hash);
    if (level == 0 || level > MAX_LEVEL) return false;
    return text.length == level || text.charCodeAt(level) == Char.Space;
  }

  read(parser: BlockParser): Node {
    const text = parser.takeLine().trim();
    const level = runLength(text, 0, Char.Hash);
    return new Heading(level, parser.inlines(withoutClosingHashes(text.substring(level).trim())));
  }
}

function withoutClosingHashes(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) == Char.Hash) end--;
  if (end == 0) return "";
  return text.charCodeAt(end - 1) == Char.Space ? text.substring(0, end).trimEnd() : text;
}

/** Code between two lines of three or more backticks or tildes. */
export class FenceRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    return fenceLength(parser.line) > 0;
  }

  read(parser: BlockParser): Node {
    const opening = parser.takeLine();
    const indent = indentOf(opening);
    const length = fenceLength(opening);
    const language = opening.trim().substring(length).trim();
    let code = "";
    while (!parser.done) {
      const line = parser.takeLine();
      const text = line.trim();
      if (fenceLength(line) >= length && text.length == fenceLength(line)) break;
      code += outdent(line, indent) + "\n";
    }
    return new CodeBlock(language, code);
  }
}

/** The length of the fence that a line begins with, 0 if it begins with none. */
function fenceLength(line: string): i32 {
  const text = line.trimStart();
  const length = max(runLength(text, 0, Char.Backtick), runLength(text, 0, Char.Tilde));
  if (length < 3 || indentOf(line) >= CODE_INDENT) return 0;
  // Backticks further on make it a code span.
  return text.charCodeAt(0) == Char.Backtick && text.includes("`", length) ? 0 : length;
}

/** Code indented by four columns, which cannot break into a paragraph. */
export class CodeRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    return !inParagraph && indentOf(parser.line) >= CODE_INDENT;
  }

  read(parser: BlockParser): Node {
    const lines: string[] = [];
    while (!parser.done && (isBlank(parser.line) || indentOf(parser.line) >= CODE_INDENT)) {
      lines.push(outdent(parser.takeLine(), CODE_INDENT));
    }
    while (isBlank(lines[lines.length - 1])) lines.pop();
    return new CodeBlock("", lines.join("\n") + "\n");
  }
}

/** Three or more of one of * - _ alone on a line, spaces between them or not. */
export class ThematicBreakRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    const text = parser.line.replaceAll(" ", "");
    if (text.length < 3) return false;
    const c = text.charCodeAt(0);
    if (c != Char.Star && c != Char.Minus && c != Char.Underscore) return false;
    return runLength(text, 0, c) == text.length;
  }

  read(parser: BlockParser): Node {
    parser.takeLine();
    return new ThematicBreak();
  }
}
