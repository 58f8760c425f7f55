//===- HelpText.h - Makes --help fit a terminal ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_HELPTEXT_H
#define WARPO_TOOLING_HELPTEXT_H

#include "warpo/Tooling/ToolMain.h"
#include <string>

namespace warpo {

/// Breaks `text` between words, so that no line is longer than `width`, the first one not longer
/// than `firstWidth`. A word that is too long stays whole.
std::string wrapText(llvm::StringRef text, size_t firstWidth, size_t width);

/// Leaves in --help what a user of the tool needs, in lines of at most 80 columns, with examples
/// and the page to read on at its end; returns the overview. LLVM's command line library prints the
/// descriptions as they are, in a column that depends on the longest option of the tool.
std::string fitHelp(const ToolInfo &info);

} // namespace warpo

#endif
