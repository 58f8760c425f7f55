//===- AnnotatedParts.cpp - Source text around what is said of its lines --===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/Annotation.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

bool warpo::isCalled(StringRef path, StringRef wanted) {
  if (!path.consume_back(wanted) || wanted.empty())
    return false;
  return path.empty() || path.ends_with("/") || path.ends_with("\\");
}

std::string warpo::partHeading(StringRef file, StringRef function, StringRef share) {
  std::string heading = displayName(file);
  if (!function.empty())
    heading += ": " + displayName(function);
  return (heading + ", " + share).str();
}

std::string AnnotatedPart::numberOf(const AnnotatedLine &line) const {
  if (isCode)
    return "0x" + utohexstr(line.number, /*LowerCase=*/true);
  return line.number == 0 ? "?" : std::to_string(line.number);
}

/// Makes a source line safe to show, with its indentation.
static std::string sourceText(StringRef line) {
  std::string expanded;
  for (char c : line) {
    if (c == '\t')
      expanded.append(8 - expanded.size() % 8, ' ');
    else
      expanded += c;
  }
  StringRef text = StringRef(expanded).ltrim(' ');
  if (text.empty())
    return "";
  return std::string(expanded.size() - text.size(), ' ') + displayName(text);
}

void warpo::addSource(AnnotatedPart &part, StringRef file, const AnnotationRequest &request,
                      SourceFiles &files) {
  part.missing = files.problem(file).str();
  size_t size = files.size(file);
  if (part.missing.empty() && !part.lines.empty() && part.lines.back().number > size)
    part.missing = "it has only " + countOf(size, "line") + ", and was another when compiled";
  std::vector<AnnotatedLine> lines;
  auto addText = [&](AnnotatedLine line) {
    if (std::optional<StringRef> text = files.line(file, line.number))
      line.text = sourceText(*text);
    lines.push_back(std::move(line));
  };
  auto addAround = [&](uint64_t first, uint64_t last) {
    for (uint64_t number = first; number <= std::min<uint64_t>(last, size); ++number)
      addText({.number = uint32_t(number)});
  };
  uint64_t next = 1;
  for (size_t i = 0; i != part.lines.size(); ++i) {
    AnnotatedLine &line = part.lines[i];
    uint64_t number = line.number;
    if (number > 0)
      addAround(std::max(next, number - std::min<uint64_t>(number - 1, request.context)),
                number - 1);
    if (request.codeOf)
      line.code = request.codeOf(file, line.number);
    addText(std::move(line));
    if (number == 0)
      continue;
    uint64_t end = number + request.context;
    if (i + 1 != part.lines.size())
      end = std::min<uint64_t>(end, uint64_t(part.lines[i + 1].number) - 1);
    addAround(number + 1, end);
    next = std::max(number, end) + 1;
  }
  part.lines = std::move(lines);
}

void warpo::markHot(Annotation &annotation) {
  double most = 0;
  for (const AnnotatedPart &part : annotation.parts)
    for (const AnnotatedLine &line : part.lines)
      most = std::max(most, line.share);
  for (AnnotatedPart &part : annotation.parts)
    for (AnnotatedLine &line : part.lines)
      line.isHot = line.share > 0 && line.share >= most / 2;
}
