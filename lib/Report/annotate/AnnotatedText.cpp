//===- AnnotatedText.cpp - Annotated source for a terminal ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/AnnotationFormat.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class AnnotatedText {
public:
  AnnotatedText(const Annotation &annotation, const TableStyle &style, raw_ostream &os)
      : annotation_(annotation), style_(style), os_(os) {}

  void write() {
    writeStyled(bold, annotation_.heading + "\n");
    for (const AnnotatedPart &part : annotation_.parts)
      writePart(part);
    if (annotation_.parts.empty())
      os_ << "nothing to annotate\n";
    if (!annotation_.notes.empty())
      os_ << '\n';
    for (const std::string &note : annotation_.notes)
      writeStyled(faint, "(" + note + ")\n");
  }

private:
  static constexpr StringLiteral bold = "1";
  static constexpr StringLiteral faint = "2";
  static constexpr StringLiteral red = "31";

  void writeStyled(StringRef code, const Twine &text) {
    if (style_.colour && !code.empty())
      os_ << "\x1b[" << code << 'm' << text << "\x1b[0m";
    else
      os_ << text;
  }

  void writePart(const AnnotatedPart &part) {
    os_ << '\n';
    writeStyled(bold, part.heading + "\n");
    if (!part.missing.empty())
      writeStyled(faint, "(no text: " + part.missing +
                             "; --trim-path and --source-root say where source files are)\n");
    widths_.clear();
    for (const auto &[column, heading] : enumerate(annotation_.columns)) {
      unsigned width = textWidth(heading);
      for (const AnnotatedLine &line : part.lines)
        if (column < line.cells.size())
          width = std::max(width, textWidth(line.cells[column]));
      widths_.push_back(width);
    }
    numberWidth_ = part.lines.empty() ? 1 : unsigned(part.numberOf(part.lines.back()).size());
    writeStyled(faint, marginOf(annotation_.columns) + "\n");
    const AnnotatedLine *before = nullptr;
    for (const AnnotatedLine &line : part.lines) {
      if (before && part.isGap(*before, line))
        writeStyled(faint, marginOf({}) + "  ...\n");
      writeLine(line, part.numberOf(line));
      before = &line;
    }
  }

  std::string marginOf(ArrayRef<std::string> cells) const {
    std::string margin;
    for (const auto &[column, width] : enumerate(widths_))
      margin += (column ? "  " : "") + right(column < cells.size() ? cells[column] : "", width);
    return margin;
  }

  static std::string right(StringRef text, unsigned width) {
    return std::string(width - std::min(width, textWidth(text)), ' ') + text.str();
  }

  void writeLine(const AnnotatedLine &line, StringRef number) {
    std::string margin = marginOf(line.cells);
    bool isCold = all_of(line.cells, [](StringRef cell) { return cell.empty(); });
    writeStyled(line.isHot ? red : "", margin);
    std::string text = (line.isHot        ? " >"
                        : line.isNeverRun ? " !"
                                          : "  ") +
                       right(number, numberWidth_);
    if (line.text)
      text += " | " + *line.text;
    text = StringRef(text).rtrim(' ').str();
    writeStyled(isCold ? faint : "", fit(text, textWidth(margin)) + "\n");
    std::string indentation = right("", textWidth(margin) + numberWidth_ + 6);
    for (ArrayRef<std::string> below : {ArrayRef(line.notes), line.code})
      for (const std::string &text : below)
        writeStyled(faint, fit(indentation + text, 0) + "\n");
  }

  /// As much of the text as fits in a line after `taken`.
  std::string fit(const std::string &text, unsigned taken) const {
    if (taken + textWidth(text) <= style_.width)
      return text;
    size_t end = 0;
    while (end < text.size()) {
      size_t next = end + 1;
      while (next < text.size() && (uint8_t(text[next]) & 0xc0) == 0x80)
        ++next;
      if (taken + textWidth(StringRef(text).take_front(next)) + 1 > style_.width)
        break;
      end = next;
    }
    return text.substr(0, end) + "\u2026";
  }

  const Annotation &annotation_;
  const TableStyle &style_;
  raw_ostream &os_;
  std::vector<unsigned> widths_;
  unsigned numberWidth_ = 0;
};

class AnnotatedTextFormat : public AnnotationFormat {
public:
  void write(const Annotation &annotation, const TableStyle &style, raw_ostream &os) override {
    AnnotatedText(annotation, style, os).write();
  }
};

warpo::Registry<AnnotationFormat>::Add<AnnotatedTextFormat> registration("text", "for a terminal");

} // namespace
