//===- ManualPage.h - A tool's man page -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_MANUALPAGE_H
#define WARPO_LIB_TOOLING_MANUALPAGE_H

#include "OptionTable.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// The contents of a page, the same as in --help.
struct ManualPage {
  std::string tool;
  /// One or more sentences; the beginning of the first is the tool's purpose in lists of pages.
  llvm::StringRef overview;
  /// The text after the tool's name.
  std::string usage;
  /// The heading of `groups`; a group without a name has no heading of its own.
  llvm::StringRef heading = "OPTIONS";
  std::vector<ShownGroup> groups;
  /// Descriptions by code.
  std::vector<std::pair<int, llvm::StringRef>> exitCodes;
  /// Commands, one per line.
  llvm::StringRef examples;
  /// The page of the documentation.
  llvm::StringRef page;
};

/// Writes the page in roff, for section 1 of the manual.
void writeManualPage(const ManualPage &page, llvm::raw_ostream &os);

} // namespace warpo

#endif
