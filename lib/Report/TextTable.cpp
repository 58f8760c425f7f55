//===- TextTable.cpp - A table for a terminal -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers are right-aligned, the last column left-aligned. If a line has no room for all columns,
// the dispensable ones are left out, with a note.
//
//===----------------------------------------------------------------------===//

#include "warpo/Report/CommandNote.h"
#include "warpo/Report/TableFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// The columns that a name needs to be recognisable.
static constexpr unsigned minNameWidth = 32;
// Deeper rows are not indented further, but show their depth.
static constexpr unsigned maxIndent = 12;
static constexpr StringLiteral gap = "  ";

namespace {

class TextTable {
public:
  TextTable(const Table &table, const TableStyle &style, raw_ostream &os)
      : table_(table), style_(style), os_(os) {}

  void write() {
    measure();
    chooseColumns();
    if (!table_.title.empty())
      writeStyled(bold, table_.title + "\n");
    if (!table_.rows.empty())
      writeHeading();
    for (const Row &row : table_.rows)
      writeRow(row);
    if (table_.rows.empty())
      os_ << "nothing to report\n";
    if (!left_.empty())
      writeParagraph("", "(no room for " + join(left_, ", ") +
                             ": a wider terminal, --columns or --format=csv shows them)");
    for (const std::string &note : table_.notes)
      if (!commandIn(note))
        writeParagraph("", "(" + note + ")");
  }

private:
  static constexpr StringLiteral bold = "1";
  static constexpr StringLiteral faint = "2";
  static constexpr StringLiteral red = "31";
  static constexpr StringLiteral green = "32";

  size_t lastColumn() const { return table_.columns.size() - 1; }

  void measure() {
    widths_.resize(table_.columns.size());
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      widths_[i] = textWidth(table_.columns[i].name);
      if (i != lastColumn())
        for (const Row &row : table_.rows)
          widths_[i] = std::max(widths_[i], textWidth(formatCell(table_.columns[i], row.cells[i])));
    }
  }

  // Without the last column.
  unsigned columnsWidth() const {
    unsigned sum = 0;
    for (size_t i = 0; i < lastColumn(); ++i)
      sum += shown_[i] ? widths_[i] + unsigned(gap.size()) : 0;
    return sum;
  }

  void chooseColumns() {
    for (const Column &column : table_.columns)
      shown_.push_back(!column.isInDetails);
    while (columnsWidth() + minNameWidth > style_.width) {
      size_t victim = 0;
      for (size_t i = 0; i < lastColumn(); ++i)
        if (shown_[i] && (!shown_[victim] || table_.columns[i].dispensability >=
                                                 table_.columns[victim].dispensability))
          victim = i;
      if (!shown_[victim] || table_.columns[victim].dispensability == 0)
        break;
      shown_[victim] = false;
    }
    for (size_t i = 0; i < lastColumn(); ++i)
      if (!shown_[i] && !table_.columns[i].isInDetails)
        left_.push_back(table_.columns[i].name);
    nameWidth_ =
        std::max(style_.width > columnsWidth() ? style_.width - columnsWidth() : 0, minNameWidth);
  }

  void writeStyled(StringRef code, const Twine &text) {
    if (style_.colour)
      os_ << "\x1b[" << code << 'm' << text << "\x1b[0m";
    else
      os_ << text;
  }

  void writeHeading() {
    std::string line;
    for (size_t i = 0; i < lastColumn(); ++i)
      if (shown_[i])
        line += std::string(widths_[i] - textWidth(table_.columns[i].name), ' ') +
                table_.columns[i].name + gap.str();
    writeStyled(bold, line + table_.columns.back().name + "\n");
  }

  // Large values and changes are coloured.
  StringRef colourOf(const Column &column, const Cell &cell) const {
    constexpr double much = 0.1;
    if (column.kind == CellKind::share)
      if (const double *share = std::get_if<double>(&cell); share && *share >= much)
        return red;
    if (const int64_t *change = std::get_if<int64_t>(&cell); change && *change != 0)
      return *change > 0 ? red : green;
    if (column.kind == CellKind::shareChange)
      if (const double *change = std::get_if<double>(&cell); change && *change != 0)
        return *change > 0 ? red : green;
    return "";
  }

  void writeRow(const Row &row) {
    for (size_t i = 0; i < lastColumn(); ++i) {
      if (!shown_[i])
        continue;
      std::string text = formatCell(table_.columns[i], row.cells[i]);
      os_.indent(widths_[i] - textWidth(text));
      StringRef colour = colourOf(table_.columns[i], row.cells[i]);
      if (colour.empty())
        os_ << text;
      else
        writeStyled(colour, text);
      os_ << gap;
    }
    std::string indent(2 * std::min(row.depth, maxIndent), ' ');
    if (row.depth > maxIndent)
      indent = ("[" + Twine(row.depth + 1) + "] ").str();
    if (indent.size() < 2 * maxIndent && row.depth > maxIndent)
      indent.insert(size_t(0), 2 * maxIndent - indent.size(), ' ');
    unsigned room = nameWidth_ > indent.size() ? nameWidth_ - unsigned(indent.size()) : 0;
    os_ << indent;
    writeText(row, std::max(room, minNameWidth / 2), indent.size());
    for (const std::string &detail : row.details)
      writeParagraph("    ", detail);
  }

  void writeText(const Row &row, unsigned width, size_t indent) {
    std::string text = formatCell(table_.columns.back(), row.cells.back());
    if (row.text != RowText::sentence) {
      os_ << (row.text == RowText::stack ? fitStack(text, width) : fitName(text, width)) << '\n';
      return;
    }
    for (const auto &[number, line] : enumerate(linesOf(text, width))) {
      if (number > 0)
        os_.indent(unsigned(columnsWidth() + indent));
      os_ << line << '\n';
    }
  }

  void writeParagraph(StringRef indent, StringRef text) {
    for (const std::string &line : linesOf(text, style_.width - unsigned(indent.size())))
      writeStyled(faint, indent + line + "\n");
  }

  // Breaks lines at spaces. A line without a break may have any length, so its width is counted
  // incrementally.
  static std::vector<std::string> linesOf(StringRef text, unsigned room) {
    std::vector<std::string> lines(1);
    unsigned width = 0;
    for (StringRef word : split(text, ' ')) {
      std::string fitting = fitName(word, room);
      unsigned wordWidth = textWidth(fitting);
      if (!lines.back().empty() && width + 1 + wordWidth > room) {
        lines.emplace_back();
        width = 0;
      }
      if (!lines.back().empty()) {
        lines.back() += ' ';
        ++width;
      }
      lines.back() += fitting;
      width += wordWidth;
    }
    return lines;
  }

  const Table &table_;
  const TableStyle &style_;
  raw_ostream &os_;
  std::vector<unsigned> widths_;
  std::vector<bool> shown_;
  std::vector<std::string> left_;
  unsigned nameWidth_ = 0;
};

class TextTableFormat : public TableFormat {
public:
  void write(const Table &table, const TableStyle &style, raw_ostream &os) override {
    TextTable(table, style, os).write();
  }
};

warpo::Registry<TableFormat>::Add<TextTableFormat> registration("text", "for a terminal");

} // namespace
