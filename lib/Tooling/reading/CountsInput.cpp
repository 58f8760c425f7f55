//===- CountsInput.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CountsInput.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static Expected<CountSums> readSums(ArrayRef<std::string> paths) {
  CountSums sums;
  for (const std::string &path : paths) {
    auto input = readWholeInput(path);
    if (!input)
      return input.takeError();
    if (Error error =
            sums.add(arrayRefFromStringRef((*input)->getBuffer()), (*input)->getBufferIdentifier()))
      return error;
  }
  return sums;
}

Expected<std::unique_ptr<CountsInput>>
CountsInput::read(StringRef module, ArrayRef<std::string> counts, const std::string &since) {
  auto bytes = readModuleFile(module.str());
  if (!bytes)
    return bytes.takeError();
  auto read = wasm::readModule(arrayRefFromStringRef((*bytes)->getBuffer()),
                               (*bytes)->getBufferIdentifier());
  if (!read)
    return read.takeError();
  auto sums = readSums(counts);
  if (!sums)
    return sums.takeError();
  if (!since.empty()) {
    auto earlier = readSums(since);
    if (!earlier)
      return earlier.takeError();
    if (Error error = sums->subtract(*earlier, since))
      return error;
  }
  std::unique_ptr<CountsInput> input(
      new CountsInput(std::move(*bytes), std::move(*read), std::move(*sums)));
  auto ofModule = ModuleCounts::create(input->module_, input->sums_);
  if (!ofModule)
    return ofModule.takeError();
  input->counts_.emplace(std::move(*ofModule));
  return input;
}

void CountsInput::reportProblems() const {
  if (uint64_t saturated = counts_->data().saturated)
    warn(countOf(saturated, "counter") + " would be more than 2^64 - 1, and stay there");
  for (const std::string &problem : counts_->describeInexactness())
    warn(problem);
}
