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

/// Width of a line that names need to be distinguishable.
static constexpr unsigned narrowest = 40;
/// More than any line needs.
static constexpr unsigned unlimited = 1u << 30;

/// 0 if the terminal does not say.
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
