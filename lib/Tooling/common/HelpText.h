//===- HelpText.h - Formats --help for a terminal -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_HELPTEXT_H
#define WARPO_TOOLING_HELPTEXT_H

#include "warpo/Tooling/ToolMain.h"
#include <string>

namespace warpo {

/// Breaks `text` between words into lines of at most `width` characters, the first one at most
/// `firstWidth`. Does not break long words.
std::string wrapText(llvm::StringRef text, size_t firstWidth, size_t width);

/// Removes irrelevant options from --help, limits lines to 80 columns, and appends examples and the
/// documentation's page; returns the overview. LLVM's command line library does not break
/// descriptions, and prints them in a column that depends on the tool's longest option.
std::string fitHelp(const ToolInfo &info);

} // namespace warpo

#endif
