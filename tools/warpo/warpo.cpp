//===- warpo.cpp - All tools by short names -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/CommandTool.h"
#include "llvm/Support/WithColor.h"

int main(int argc, char **argv) {
  auto code = warpo::runCommand(llvm::ArrayRef(argv, size_t(argc)));
  if (code)
    return *code;
  llvm::WithColor::error(llvm::errs(), "warpo") << llvm::toString(code.takeError()) << '\n';
  return 1;
}
