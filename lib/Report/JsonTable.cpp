//===- JsonTable.cpp - A table for programs -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   {"title": …, "rows": [{"self_ns": 12, …, "function": "main"}, …], "notes": […]}
//
// JSON has no infinite number: a ratio of something to nothing is null, too.
//
//===----------------------------------------------------------------------===//

#include "PlainNumbers.h"
#include "warpo/Report/CommandNote.h"
#include "warpo/Report/TableFormat.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

namespace {

class JsonTableFormat : public TableFormat {
public:
  void write(const Table &table, const TableStyle &, raw_ostream &os) override {
    json::OStream json(os, /*IndentSize=*/1);
    std::vector<std::string> names;
    for (const Column &column : table.columns)
      names.push_back(plainName(column));
    json.object([&] {
      json.attribute("title", json::fixUTF8(table.title));
      json.attributeArray("rows", [&] {
        for (const Row &row : table.rows)
          json.object([&] {
            if (table.isTree)
              json.attribute("depth", row.depth);
            for (size_t i = 0; i < row.cells.size(); ++i)
              writeCell(json, names[i], row.cells[i]);
          });
      });
      json.attributeArray("notes", [&] {
        for (const std::string &note : table.notes)
          if (!commandIn(note))
            json.value(json::fixUTF8(note));
      });
    });
    os << '\n';
  }

private:
  static void writeCell(json::OStream &json, StringRef name, const Cell &cell) {
    if (const auto *text = std::get_if<std::string>(&cell))
      json.attribute(name, json::fixUTF8(*text));
    else if (const auto *number = std::get_if<double>(&cell);
             std::holds_alternative<std::monostate>(cell) || (number && !std::isfinite(*number)))
      json.attribute(name, nullptr);
    else {
      json.attributeBegin(name);
      json.rawValue(plainNumber(cell));
      json.attributeEnd();
    }
  }
};

warpo::Registry<TableFormat>::Add<JsonTableFormat> registration("json", "for programs");

} // namespace
