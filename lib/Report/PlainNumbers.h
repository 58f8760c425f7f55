//===- PlainNumbers.h - Machine-readable numbers of tables ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_PLAINNUMBERS_H
#define WARPO_LIB_REPORT_PLAINNUMBERS_H

#include "warpo/Report/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// The column's name, with its unit: `self_ns`.
inline std::string plainName(const Column &column) {
  bool hasUnit = column.kind == CellKind::weight || column.kind == CellKind::change;
  return hasUnit && column.unit != column.name ? column.name + "_" + column.unit : column.name;
}

/// Without unit and separators; empty for an empty cell. Not for texts.
inline std::string plainNumber(const Cell &cell) {
  if (const auto *number = std::get_if<uint64_t>(&cell))
    return llvm::utostr(*number);
  if (const auto *number = std::get_if<int64_t>(&cell))
    return llvm::itostr(*number);
  std::string text;
  if (const auto *number = std::get_if<double>(&cell))
    llvm::raw_string_ostream(text) << llvm::format("%.6g", *number);
  return text;
}

} // namespace warpo

#endif
