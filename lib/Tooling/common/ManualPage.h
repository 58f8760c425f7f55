//===- ManualPage.h - A tool's page for man -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_MANUALPAGE_H
#define WARPO_LIB_TOOLING_MANUALPAGE_H

#include "OptionTable.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// What a page is made of; it is what --help shows.
struct ManualPage {
  std::string tool;
  /// One or more sentences; the beginning of the first names the tool's purpose in lists of pages.
  llvm::StringRef overview;
  /// What follows the tool's name.
  std::string usage;
  /// What `groups` are; a group without a name has no heading of its own.
  llvm::StringRef heading = "OPTIONS";
  std::vector<ShownGroup> groups;
  /// Of a code each.
  std::vector<std::pair<int, llvm::StringRef>> exitCodes;
  /// Commands of a line each.
  llvm::StringRef examples;
  /// Pages of the documentation.
  llvm::StringRef page;
};

/// Writes the page in roff, for section 1 of the manual.
void writeManualPage(const ManualPage &page, llvm::raw_ostream &os);

} // namespace warpo

#endif
