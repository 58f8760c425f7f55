//===- Binaryen.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Toolchain/Binaryen.h"
#include "warpo/Support/Errors.h"
#include "warpo/Toolchain/Helper.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

// The helper's exit code for an invalid module that could be read.
static constexpr int notValid = 2;

Expected<OptimizationLevel> OptimizationLevel::parse(StringRef text) {
  OptimizationLevel level;
  if (text.empty() || text == "s" || text == "z")
    level.size = text == "z" ? 2 : 1;
  else if (text.getAsInteger(10, level.speed) || level.speed > 4)
    return makeError("-O" + text + " is not a level (known: 0 to 4, s, z)");
  return level;
}

static Expected<HelperEnd> ask(ArrayRef<std::string> arguments, ArrayRef<uint8_t> module,
                               StringRef fileName) {
  auto end = runHelper("warpo-binaryen", arguments, toStringRef(module));
  if (!end)
    return makeError("-O and --validate need Binaryen, and warpo was built without it: " +
                     toString(end.takeError()));
  if (end->exitCode != 0 && end->exitCode != notValid)
    return fileError(fileName, WARPO_BINARYEN " cannot read this module: " + end->words);
  return end;
}

Expected<std::string> warpo::optimizeModule(ArrayRef<uint8_t> module, StringRef fileName,
                                            const OptimizationLevel &level) {
  auto end = ask({"optimize", utostr(level.speed), utostr(level.size)}, module, fileName);
  if (!end)
    return end.takeError();
  if (end->exitCode == notValid)
    return fileError(fileName,
                     WARPO_BINARYEN " does not optimise a module that is not valid: " + end->words);
  return std::move(end->result);
}

Expected<std::optional<std::string>> warpo::findInvalid(ArrayRef<uint8_t> module,
                                                        StringRef fileName) {
  auto end = ask({"validate"}, module, fileName);
  if (!end)
    return end.takeError();
  if (end->exitCode == 0)
    return std::nullopt;
  return std::move(end->words);
}
