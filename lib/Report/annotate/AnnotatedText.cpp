//===- AnnotatedText.cpp - Annotated source for a terminal ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/Quantities.h"
#include "warpo/Report/AnnotationFormat.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

namespace {

class AnnotatedText {
public:
  AnnotatedText(const Annotation &annotation, const TableStyle &style, raw_ostream &os)
      : annotation_(annotation), style_(style), os_(os) {}

  void write() {
    writeStyled(bold, annotation_.title + ": " + annotation_.weight + ", " +
                          formatWeight(annotation_.whole, annotation_.unit) + "\n");
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

  std::string amount(uint64_t weight) const {
    return weight == 0 ? "" : formatWeight(weight, annotation_.unit);
  }

  void writePart(const AnnotatedPart &part) {
    os_ << '\n';
    std::string heading = part.file;
    if (!part.function.empty())
      heading += ": " + part.function;
    writeStyled(bold, heading + ", " + formatShare(part.self, annotation_.whole) + "\n");
    if (!part.missing.empty())
      writeStyled(faint, "(no text: " + part.missing +
                             "; --trim-path and --source-root say where source files lie)\n");
    selfWidth_ = totalWidth_ = 5;
    for (const AnnotatedLine &line : part.lines) {
      selfWidth_ = std::max(selfWidth_, textWidth(amount(line.weight.self)));
      totalWidth_ = std::max(totalWidth_, textWidth(amount(line.weight.total)));
    }
    numberWidth_ =
        unsigned(std::to_string(part.lines.empty() ? 0 : part.lines.back().number).size());
    writeStyled(faint, right("share", 6) + "  " + right("self", selfWidth_) + "  " +
                           right("total", totalWidth_) + "\n");
    std::optional<uint32_t> before;
    for (const AnnotatedLine &line : part.lines) {
      if (before && line.number != *before + 1)
        writeStyled(faint, right("", 6 + 2 + selfWidth_ + 2 + totalWidth_) + "  ...\n");
      writeLine(line);
      before = line.number;
    }
  }

  static std::string right(StringRef text, unsigned width) {
    return std::string(width - std::min(width, textWidth(text)), ' ') + text.str();
  }

  void writeLine(const AnnotatedLine &line) {
    std::string share =
        line.weight.self ? formatShare(line.weight.self, annotation_.whole) : std::string();
    std::string margin = right(share, 6) + "  " + right(amount(line.weight.self), selfWidth_) +
                         "  " + right(amount(line.weight.total), totalWidth_);
    bool isCold = line.weight.self == 0 && line.weight.total == 0;
    writeStyled(line.isHot ? red : "", margin);
    std::string number = line.number == 0 ? "?" : std::to_string(line.number);
    std::string text = (line.isHot ? " >" : "  ") + right(number, numberWidth_);
    if (line.text)
      text += " | " + *line.text;
    text = StringRef(text).rtrim(' ').str();
    writeStyled(isCold ? faint : "", fit(text, textWidth(margin)) + "\n");
    for (const std::string &instruction : line.code)
      writeStyled(faint,
                  fit(right("", textWidth(margin) + numberWidth_ + 6) + instruction, 0) + "\n");
  }

  /// As much as a line has room for behind `taken`.
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
  unsigned selfWidth_ = 0, totalWidth_ = 0, numberWidth_ = 0;
};

class AnnotatedTextFormat : public AnnotationFormat {
public:
  void write(const Annotation &annotation, const TableStyle &style, raw_ostream &os) override {
    AnnotatedText(annotation, style, os).write();
  }
};

warpo::Registry<AnnotationFormat>::Add<AnnotatedTextFormat> registration("text", "for a terminal");

} // namespace
