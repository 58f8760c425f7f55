//===- MarkdownTable.cpp - A table for issues and pull requests -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/CommandNote.h"
#include "warpo/Report/TableFormat.h"

using namespace llvm;
using namespace warpo;

namespace {

class MarkdownTableFormat : public TableFormat {
public:
  void write(const Table &table, const TableStyle &, raw_ostream &os) override {
    if (!table.title.empty())
      os << "**" << escaped(table.title) << "**\n\n";
    for (const Column &column : table.columns)
      os << "| " << escaped(column.name) << ' ';
    os << "|\n";
    for (size_t i = 0; i < table.columns.size(); ++i)
      os << (i + 1 < table.columns.size() ? "|--:" : "|---");
    os << "|\n";
    for (const Row &row : table.rows) {
      for (size_t i = 0; i < row.cells.size(); ++i) {
        os << "| ";
        if (i + 1 == row.cells.size())
          for (unsigned level = 0; level < row.depth; ++level)
            os << "&nbsp;&nbsp;";
        os << escaped(formatCell(table.columns[i], row.cells[i])) << ' ';
      }
      os << "|\n";
    }
    for (const std::string &note : table.notes)
      if (std::optional<StringRef> command = commandIn(note))
        writeCode(*command, os);
      else
        os << "\n" << escaped(note) << "\n";
  }

private:
  /// Verbatim, so that it can be pasted, whatever it contains.
  static void writeCode(StringRef code, raw_ostream &os) {
    std::string fence = "```";
    while (code.contains(fence))
      fence += '`';
    os << '\n' << fence << "sh\n" << code << '\n' << fence << '\n';
  }

  static std::string escaped(StringRef text) {
    std::string result;
    for (char c : text) {
      if (StringRef("\\|`*_<>[]&").contains(c))
        result += '\\';
      result += c;
    }
    return result;
  }
};

warpo::Registry<TableFormat>::Add<MarkdownTableFormat> registration("markdown",
                                                                    "for issues and pull requests");

} // namespace
