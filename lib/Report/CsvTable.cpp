//===- CsvTable.cpp - A table for spreadsheets (RFC 4180) -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PlainNumbers.h"
#include "warpo/Report/TableFormat.h"
#include "warpo/Support/CsvText.h"

using namespace llvm;
using namespace warpo;

namespace {

class CsvTableFormat : public TableFormat {
public:
  void write(const Table &table, const TableStyle &, raw_ostream &os) override {
    if (table.isTree)
      os << "depth,";
    for (size_t i = 0; i < table.columns.size(); ++i)
      os << (i > 0 ? "," : "") << plainName(table.columns[i]);
    os << '\n';
    for (const Row &row : table.rows) {
      if (table.isTree)
        os << row.depth << ',';
      for (size_t i = 0; i < row.cells.size(); ++i) {
        os << (i > 0 ? "," : "");
        if (const auto *text = std::get_if<std::string>(&row.cells[i]))
          writeCsvField(*text, os);
        else
          os << plainNumber(row.cells[i]);
      }
      os << '\n';
    }
  }
};

warpo::Registry<TableFormat>::Add<CsvTableFormat> registration("csv", "for spreadsheets");

} // namespace
