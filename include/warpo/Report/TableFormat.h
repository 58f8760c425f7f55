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

/// For formats that people read on a screen.
struct TableStyle {
  /// Of a line, in columns of the terminal.
  unsigned width = 80;
  bool colour = false;
};

class TableFormat {
public:
  static constexpr llvm::StringLiteral kind = "table format";
  virtual ~TableFormat();

  virtual void write(const Table &table, const TableStyle &style, llvm::raw_ostream &os) = 0;
  /// Whether it shows all columns, those on single calls too.
  virtual bool showsSingleCalls() const { return true; }
};

/// A cell as people read it: `1,234`, `12.34 us`, `12.3 %`, `+5.6 %`; `-` for nothing.
std::string formatCell(const Column &column, const Cell &cell);

/// A function's name in at most `width` columns of a terminal. What stands in <> or () says least,
/// and the end of a path most.
std::string fitName(llvm::StringRef name, unsigned width);
/// The innermost functions of a stack (RowText::stack) in at most `width` columns, but at least 16.
std::string fitStack(llvm::StringRef stack, unsigned width);
/// `f<…>(…) const` for `f<int, g<char>>(int) const`.
std::string withoutArguments(llvm::StringRef name);
/// How many columns of a terminal a text takes.
unsigned textWidth(llvm::StringRef text);

} // namespace warpo

#endif
