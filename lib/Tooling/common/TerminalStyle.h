//===- TerminalStyle.h - The style of printed tables ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TERMINALSTYLE_H
#define WARPO_LIB_TOOLING_TERMINALSTYLE_H

#include "warpo/Report/TableFormat.h"

namespace warpo {

/// The style of a table written to this file (or `-`). On standard output, its width is limited by
/// `COLUMNS` or by the terminal; in a file or for another program it is unlimited. Only terminals
/// get colours, unless `NO_COLOR` is set.
TableStyle styleFor(llvm::StringRef output);

} // namespace warpo

#endif
