//===- TableFormat.h - The registry of forms that tables are written in ---===//
// SPDX-License-Identifier: Apache-2.0
//
// To add one, add one .cpp to lib/Report that derives from TableFormat and registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_REPORT_TABLEFORMAT_H
#define WARPO_REPORT_TABLEFORMAT_H

#include "warpo/Report/Table.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// For formats that are shown on a screen.
struct TableStyle {
  /// The width of a line, in terminal columns.
  unsigned width = 80;
  bool colour = false;
};

class TableFormat {
public:
  static constexpr llvm::StringLiteral kind = "table format";
  virtual ~TableFormat();

  virtual void write(const Table &table, const TableStyle &style, llvm::raw_ostream &os) = 0;
  /// Whether it also shows the columns on single calls.
  virtual bool showsSingleCalls() const { return true; }
};

/// A cell for people: `1,234`, `12.34 us`, `12.3 %`, `+5.6 %`; `-` if unknown.
std::string formatCell(const Column &column, const Cell &cell);

/// Shortens a function's name to at most `width` terminal columns. Drops text in <> and () first
/// and keeps the end of a path longest.
std::string fitName(llvm::StringRef name, unsigned width);
/// The innermost functions of a stack (RowText::stack) in at most `width` columns, but at least 16.
std::string fitStack(llvm::StringRef stack, unsigned width);
/// Abbreviates `f<int, g<char>>(int) const` to `f<…>(…) const`.
std::string withoutArguments(llvm::StringRef name);
/// The width of a text in terminal columns.
unsigned textWidth(llvm::StringRef text);

} // namespace warpo

#endif
