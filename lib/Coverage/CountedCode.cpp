//===- CountedCode.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/CountedCode.h"
#include "warpo/Counts/InstructionCounts.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

/// A list that rises by offset; each item is valid up to the next.
template <typename T> class Changes {
public:
  explicit Changes(ArrayRef<T> items) : rest_(items) {}

  /// The item valid at an offset, which is not less than the previous one; null before the first.
  const T *at(uint32_t offset) {
    while (!rest_.empty() && rest_.front().offset <= offset) {
      last_ = &rest_.front();
      rest_ = rest_.drop_front();
    }
    return last_;
  }

private:
  ArrayRef<T> rest_;
  const T *last_ = nullptr;
};

} // namespace

void warpo::forEachInstruction(const wasm::Module &module, const FunctionCounts &function,
                               const FunctionPlaces &places,
                               function_ref<void(const CountedInstruction &)> visit) {
  const wasm::ByteRange &body = module.bodies[function.index - module.importedFunctionCount()];
  ArrayRef<FlowBranch> branches = function.graph.branches;
  Changes rows(ArrayRef(places.rows));
  Changes calls(ArrayRef(places.changes));
  Changes discriminators(ArrayRef(places.discriminators));
  forEachReachable(module, function, [&](const wasm::Instruction &code, uint64_t executions) {
    auto inBody = uint32_t(code.begin - body.bytes.data());
    CountedInstruction counted{
        .code = code, .offset = places.start + inBody, .executions = executions};
    if (const CallChange *change = calls.at(counted.offset))
      counted.call = change->call;
    if (const LineRow *row = rows.at(counted.offset); row && row->line && row->file) {
      counted.file = row->file;
      counted.line = row->line;
    }
    if (const CodeDiscriminator *change = discriminators.at(counted.offset))
      counted.discriminator = change->value;
    if (!branches.empty() && branches.front().offset == inBody) {
      counted.branch = &branches.front();
      branches = branches.drop_front();
    }
    visit(counted);
  });
}

void warpo::forEachLocated(
    const ModuleCounts &counts, const ModulePlaces &places,
    function_ref<void(const FunctionCounts &, const FunctionPlaces &)> visit) {
  ArrayRef<FunctionPlaces> rest = places.functions;
  counts.forEach([&](const FunctionCounts &function) {
    while (!rest.empty() && rest.front().index < function.index)
      rest = rest.drop_front();
    if (!rest.empty() && rest.front().index == function.index)
      return visit(function, rest.front());
    FunctionPlaces unknown;
    const wasm::Module &module = counts.module();
    unknown.index = function.index;
    unknown.start = uint32_t(module.bodies[function.index - module.importedFunctionCount()].offset -
                             places.code);
    visit(function, unknown);
  });
}

// Each of the three numbers has 5 bits, or 12 if bit 6 of its 14 is set. A number that is 0 is a
// single bit, which is set.
Discriminator warpo::decodeDiscriminator(uint32_t value) {
  auto take = [&]() -> uint32_t {
    if (value & 1) {
      value >>= 1;
      return 0;
    }
    uint32_t bits = value >> 1;
    bool isLong = bits & 0x20;
    value >>= isLong ? 14 : 7;
    return isLong ? ((bits >> 1) & 0xfe0) | (bits & 0x1f) : bits & 0x1f;
  };
  Discriminator parts;
  parts.base = take();
  parts.duplication = std::max<uint32_t>(take(), 1);
  parts.copy = take();
  return parts;
}

void CopiedCode::add(const Place &place, uint32_t discriminator, uint64_t executions) {
  Discriminator part = decodeDiscriminator(discriminator);
  uint64_t &most = most_[{place.call, place.major, place.minor, part.duplication, part.copy}];
  most = std::max(most, executions);
}

void CopiedCode::addUp(function_ref<uint64_t &(const Place &)> sumOf) const {
  for (auto [copy, most] : most_) {
    auto [call, major, minor, duplication, number] = copy;
    uint64_t &sum = sumOf({call, major, minor});
    sum = SaturatingAdd(sum, SaturatingMultiply<uint64_t>(most, duplication));
  }
}
