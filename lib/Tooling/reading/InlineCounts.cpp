//===- InlineCounts.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "InlineCounts.h"
#include "CountsInput.h"
#include "warpo/Coverage/CountedCode.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

static Expected<std::unique_ptr<CountsInput>>
readCounts(const std::string &counts, ArrayRef<std::string> modules, StringRef &module) {
  Error last = Error::success();
  for (const std::string &each : modules) {
    auto input = CountsInput::read(each, counts);
    if (input) {
      consumeError(std::move(last));
      module = each;
      return input;
    }
    consumeError(std::move(last));
    last = input.takeError();
  }
  return last;
}

Expected<InlineCounts> InlineCounts::read(const std::string &counts,
                                          ArrayRef<std::string> modules) {
  StringRef path;
  auto input = readCounts(counts, modules, path);
  if (!input)
    return input.takeError();
  (*input)->reportProblems();
  const wasm::Module &module = (*input)->module();
  auto places = locateModule({module, path, "", ""});
  if (!places)
    return places.takeError();
  InlineCounts result;
  result.hash_ = toStringRef(wasm::ModuleIdentity::ofOriginal(module.bytes).originalHash).str();
  forEachLocated((*input)->counts(), *places,
                 [&](const FunctionCounts &function, const FunctionPlaces &located) {
                   if (located.calls.empty())
                     return;
                   std::vector<uint64_t> &costs = result.costs_[function.index];
                   costs.resize(located.calls.size() + 1);
                   forEachInstruction(module, function, located, [&](const auto &code) {
                     costs[code.call] = SaturatingAdd(costs[code.call], code.executions);
                   });
                 });
  return result;
}

ArrayRef<uint64_t> InlineCounts::costsOf(StringRef hash, uint32_t function) const {
  auto found = hash == hash_ ? costs_.find(function) : costs_.end();
  return found == costs_.end() ? ArrayRef<uint64_t>() : ArrayRef(found->second);
}
