//===- TerminalStyle.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TerminalStyle.h"
#include "llvm/Support/Process.h"
#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

/// Minimum width of a line with distinguishable names.
static constexpr unsigned narrowest = 40;
/// Wider than any line.
static constexpr unsigned unlimited = 1u << 30;

/// 0 if unknown.
static unsigned terminalWidth() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

TableStyle warpo::styleFor(StringRef output) {
  TableStyle style;
  bool toTerminal = output == "-" && sys::Process::StandardOutIsDisplayed();
  unsigned columns = 0;
  const char *variable = output == "-" ? std::getenv("COLUMNS") : nullptr;
  if (!variable || StringRef(variable).getAsInteger(10, columns))
    columns = 0;
  if (columns == 0)
    columns = toTerminal ? terminalWidth() : unlimited;
  if (columns > 0)
    style.width = std::max(columns, narrowest);
  style.colour = toTerminal && !std::getenv("NO_COLOR");
  return style;
}
