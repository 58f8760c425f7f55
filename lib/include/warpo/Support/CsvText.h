//===- CsvText.h - Fields of tables for spreadsheets (RFC 4180) -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_CSVTEXT_H
#define WARPO_SUPPORT_CSVTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// Writes UTF-8 text as a field, with quotes if necessary. Spreadsheets evaluate text that begins
/// like a formula, which may start programs: an apostrophe prevents that.
void writeCsvField(llvm::StringRef text, llvm::raw_ostream &os);

} // namespace warpo

#endif
