//===- CsvText.h - Fields of tables for spreadsheets (RFC 4180) -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_CSVTEXT_H
#define WARPO_SUPPORT_CSVTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// Writes text, which is UTF-8, as a field, in quotes where it must be. A spreadsheet computes what
/// begins like a formula, and what it computes may open programs: an apostrophe makes it text.
void writeCsvField(llvm::StringRef text, llvm::raw_ostream &os);

} // namespace warpo

#endif
