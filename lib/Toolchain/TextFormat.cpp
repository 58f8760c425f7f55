//===- TextFormat.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Toolchain/Helper.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

bool warpo::isModuleText(StringRef input) {
  input = input.ltrim();
  return input.starts_with("(") || input.starts_with(";");
}

// Tries wabt and then Binaryen. `introduce` converts wabt's output to an error; Binaryen's is
// appended if it was tried and failed too.
static Expected<std::string> askBoth(StringRef command, StringRef input,
                                     function_ref<std::string(StringRef)> introduce) {
  auto wabt = runHelper("warpo-wabt", {command.str()}, input);
  if (!wabt)
    return wabt.takeError();
  if (wabt->exitCode == 0)
    return std::move(wabt->result);
  std::string message = introduce(wabt->words);
  // Binaryen would need more.
  if (wabt->exitCode == HelperEnd::tooMuchMemory)
    return makeError(message);
  auto binaryen = runHelper("warpo-binaryen", {command.str()}, input);
  if (!binaryen) {
    consumeError(binaryen.takeError());
    return makeError(message);
  }
  if (binaryen->exitCode == 0)
    return std::move(binaryen->result);
  return makeError(message + " (" WARPO_BINARYEN ": " + binaryen->words + ")");
}

Expected<std::string> warpo::assembleModule(StringRef text, StringRef fileName) {
  // Errors with a position begin with line and column.
  return askBoth("assemble", text, [&](StringRef words) {
    return (fileName + (isDigit(words.front()) ? ":" : ": ") + words).str();
  });
}

Expected<std::unique_ptr<MemoryBuffer>> warpo::readModuleFile(StringRef path) {
  auto input = readWholeInput(path);
  if (!input || !isModuleText((*input)->getBuffer()))
    return input;
  StringRef fileName = (*input)->getBufferIdentifier();
  auto binary = assembleModule((*input)->getBuffer(), fileName);
  if (!binary)
    return binary.takeError();
  return MemoryBuffer::getMemBufferCopy(*binary, fileName);
}

Expected<std::string> warpo::moduleAsText(ArrayRef<uint8_t> module, StringRef fileName) {
  return askBoth("print", toStringRef(module), [&](StringRef words) {
    return (fileName + ": " WARPO_WABT " cannot write this module as text: " + words).str();
  });
}
