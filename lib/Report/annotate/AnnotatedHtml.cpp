//===- AnnotatedHtml.cpp - Annotated source as a page ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/AnnotationFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral style = R"(:root{color-scheme:light dark}
body{font:14px/1.4 system-ui,sans-serif;margin:1em 2em}
h2{font-size:1em;margin:1.5em 0 .3em}
table{border-collapse:collapse;font:12px/1.5 ui-monospace,monospace}
td,th{padding:0 .6em;text-align:right;white-space:pre;font-weight:normal}
th{opacity:.6}
td:last-child{text-align:left;tab-size:8}
td.n{opacity:.6}
tr.gap td{opacity:.6;text-align:left}
tr.code td,tr.note td{opacity:.6}
tr.note td{font-style:italic}
tr.never{background:rgb(90 130 220/.18)}
tr.never td.n{border-left:3px solid rgb(90 130 220)}
tr.hot td.n{font-weight:bold;opacity:1}
p{opacity:.7}
)";

namespace {

class AnnotatedPage {
public:
  AnnotatedPage(const Annotation &annotation, raw_ostream &os) : annotation_(annotation), os_(os) {}

  void write() {
    os_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"UTF-8\">\n<title>";
    printHTMLEscaped(annotation_.title, os_);
    os_ << "</title>\n<style>\n" << style << "</style>\n</head>\n<body>\n";
    writeElement("h1", annotation_.heading);
    for (const AnnotatedPart &part : annotation_.parts)
      writePart(part);
    if (annotation_.parts.empty())
      writeElement("p", "Nothing to annotate");
    for (const std::string &note : annotation_.notes)
      writeElement("p", note);
    os_ << "</body>\n</html>\n";
  }

private:
  void writeElement(StringRef element, StringRef text) {
    os_ << '<' << element << '>';
    printHTMLEscaped(text, os_);
    os_ << "</" << element << ">\n";
  }

  void writePart(const AnnotatedPart &part) {
    writeElement("h2", part.heading);
    if (!part.missing.empty())
      writeElement("p", "No text: " + part.missing);
    os_ << "<table>\n<tr>";
    for (const std::string &column : annotation_.columns)
      writeCell("th", column);
    os_ << "<th></th><th></th></tr>\n";
    const AnnotatedLine *before = nullptr;
    for (const AnnotatedLine &line : part.lines) {
      if (before && part.isGap(*before, line))
        writeBelow("gap", "…");
      writeLine(line, part.numberOf(line));
      before = &line;
    }
    os_ << "</table>\n";
  }

  void writeCell(StringRef element, StringRef text) {
    os_ << '<' << element << '>';
    printHTMLEscaped(text, os_);
    os_ << "</" << element << '>';
  }

  void writeBelow(StringRef kind, StringRef text) {
    os_ << "<tr class=\"" << kind << "\"><td colspan=\"" << annotation_.columns.size() + 1
        << "\"></td>";
    writeCell("td", text);
    os_ << "</tr>\n";
  }

  void writeLine(const AnnotatedLine &line, StringRef number) {
    os_ << (line.isHot ? "<tr class=\"hot\"" : line.isNeverRun ? "<tr class=\"never\"" : "<tr");
    if (line.share > 0)
      os_ << " style=\"background:rgb(255 80 40/" << format("%.3f", 0.08 + 0.6 * line.share)
          << ")\"";
    os_ << '>';
    for (size_t column = 0; column != annotation_.columns.size(); ++column)
      writeCell("td", column < line.cells.size() ? line.cells[column] : "");
    os_ << "<td class=\"n\">" << number << "</td><td>";
    printHTMLEscaped(line.text.value_or(""), os_);
    os_ << "</td></tr>\n";
    for (const std::string &note : line.notes)
      writeBelow("note", "    " + note);
    for (const std::string &instruction : line.code)
      writeBelow("code", "    " + instruction);
  }

  const Annotation &annotation_;
  raw_ostream &os_;
};

class AnnotatedHtmlFormat : public AnnotationFormat {
public:
  void write(const Annotation &annotation, const TableStyle &, raw_ostream &os) override {
    AnnotatedPage(annotation, os).write();
  }
};

warpo::Registry<AnnotationFormat>::Add<AnnotatedHtmlFormat> registration("html",
                                                                         "a page for a browser");

} // namespace
