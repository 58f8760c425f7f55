//===- UntoldCalls.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "UntoldCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

static bool tellsCallsBySwitch(const ProgramUnit &unit) {
  return unit.indexOf(wasm::Counter::recording) && !unit.countsFuel && !unit.keepsStack &&
         none_of(unit.module.exports,
                 [](const wasm::Export &each) { return each.name == "asyncify_get_state"; });
}

namespace {

/// The ids of functions, which their code has.
class Ids {
public:
  explicit Ids(ArrayRef<std::unique_ptr<ProgramUnit>> units) : units_(units) {}

  /// 0 for a function that is not instrumented; nothing for one whose ids have marks.
  std::optional<int32_t> of(uint64_t unit, uint32_t function) {
    const wasm::Module &module = units_[unit]->module;
    if (module.isImported(function))
      return 0;
    auto [known, isNew] = known_.try_emplace({unit, function});
    if (!isNew)
      return known->second;
    const wasm::EntryPoints &entries = entries_.try_emplace(unit, module).first->second;
    const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
    if (!entries.hasMarks(body))
      known->second = std::max(0, entries.firstId(body, /*atBegin=*/false));
    return known->second;
  }

private:
  ArrayRef<std::unique_ptr<ProgramUnit>> units_;
  std::map<uint64_t, wasm::EntryPoints> entries_;
  std::map<std::pair<uint64_t, uint32_t>, std::optional<int32_t>> known_;
};

} // namespace

std::vector<UntoldCall> warpo::findUntoldCalls(ArrayRef<std::unique_ptr<ProgramUnit>> units,
                                               ArrayRef<TrapFrame> stack, ArrayRef<OpenCall> told) {
  for (const auto &unit : units)
    if (unit->traces && !tellsCallsBySwitch(*unit))
      return {};
  Ids ids(units);
  std::vector<UntoldCall> calls;
  for (const TrapFrame &frame : reverse(stack)) {
    if (!frame.unit)
      continue;
    const ProgramUnit &unit = *units[*frame.unit];
    std::optional<int32_t> id = unit.traces ? ids.of(*frame.unit, frame.function) : 0;
    if (!id)
      return {};
    if (*id > 0)
      calls.push_back({&unit, *id});
  }
  // What a trap or an exception has left open is told, and not on the stack.
  auto untold = calls.begin();
  for (const OpenCall &call : reverse(told)) {
    auto found = std::find_if(untold, calls.end(), [&](const UntoldCall &each) {
      return each.unit->id == call.module && each.id == call.id;
    });
    if (found != calls.end())
      untold = found + 1;
  }
  return {untold, calls.end()};
}
