//===- UnrecordedCalls.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "UnrecordedCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

static bool isSwitchable(const ProgramUnit &unit) {
  return unit.indexOf(wasm::Counter::recording) && !unit.countsFuel && !unit.keepsStack &&
         none_of(unit.module.exports,
                 [](const wasm::Export &each) { return each.name == "asyncify_get_state"; });
}

namespace {

/// The ids of functions, from their code.
class Ids {
public:
  explicit Ids(ArrayRef<std::unique_ptr<ProgramUnit>> units) : units_(units) {}

  /// 0 if the function is not instrumented; nothing if its ids have marks.
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

size_t warpo::countRecorded(ArrayRef<OpenCall> stack, ArrayRef<OpenCall> recorded) {
  auto same = [](const OpenCall &call) {
    return [&call](const OpenCall &other) {
      return other.module == call.module && other.id == call.id;
    };
  };
  bool isCut = !stack.empty() && none_of(recorded, same(stack.front()));
  size_t count = 0;
  for (const OpenCall &call : recorded) {
    const auto *found = find_if(stack.drop_front(count), same(call));
    bool isNext = found == stack.begin() + count;
    if (found != stack.end() && (isNext || (isCut && count == 0)))
      count = size_t(found - stack.begin()) + 1;
  }
  return count;
}

std::vector<UnrecordedCall> warpo::findUnrecordedCalls(ArrayRef<std::unique_ptr<ProgramUnit>> units,
                                                       ArrayRef<TrapFrame> stack,
                                                       ArrayRef<OpenCall> recorded) {
  for (const auto &unit : units)
    if (unit->traces && !isSwitchable(*unit))
      return {};
  Ids ids(units);
  std::vector<UnrecordedCall> calls;
  std::vector<OpenCall> onStack;
  for (const TrapFrame &frame : reverse(stack)) {
    if (!frame.unit)
      continue;
    const ProgramUnit &unit = *units[*frame.unit];
    std::optional<int32_t> id = unit.traces ? ids.of(*frame.unit, frame.function) : 0;
    if (!id)
      return {};
    if (*id <= 0)
      continue;
    calls.push_back({&unit, *id});
    onStack.push_back({unit.id, *id});
  }
  std::vector<OpenCall> outermostFirst(recorded.rbegin(), recorded.rend());
  calls.erase(calls.begin(), calls.begin() + countRecorded(onStack, outermostFirst));
  return calls;
}
