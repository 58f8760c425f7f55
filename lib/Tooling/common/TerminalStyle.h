//===- TerminalStyle.h - How wide a table may be --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TERMINALSTYLE_H
#define WARPO_LIB_TOOLING_TERMINALSTYLE_H

#include "warpo/Report/TableFormat.h"

namespace warpo {

/// Of a table that goes to this file (or `-`): what goes to standard output is as wide as `COLUMNS`
/// says, else as the terminal is; what goes to a file or another program is whole. Colours are for
/// terminals alone, and for none with `NO_COLOR`.
TableStyle styleFor(llvm::StringRef output);

} // namespace warpo

#endif
