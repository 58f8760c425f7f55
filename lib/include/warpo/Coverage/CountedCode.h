//===- CountedCode.h - Executions and places of instructions --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COVERAGE_COUNTEDCODE_H
#define WARPO_COVERAGE_COUNTEDCODE_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Wasm/CodeWalker.h"
#include "llvm/ADT/DenseMap.h"
#include <tuple>

namespace warpo {

struct CountedInstruction {
  const wasm::Instruction &code;
  /// An offset as in ModulePlaces.
  uint32_t offset = 0;
  uint64_t executions = 0;
  /// Index into FunctionPlaces::calls, as in CallChange.
  uint32_t call = 0;
  /// Both are 0 if the line is unknown.
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t discriminator = 0;
  /// Null unless the instruction branches.
  const FlowBranch *branch = nullptr;
};

/// Calls `visit` with each reachable instruction of a function that has a cost, in code order.
void forEachInstruction(const wasm::Module &module, const FunctionCounts &function,
                        const FunctionPlaces &places,
                        llvm::function_ref<void(const CountedInstruction &)> visit);

/// Calls `visit` with each function that has code, and its places; without lines and calls if its
/// places are unknown.
void forEachLocated(const ModuleCounts &counts, const ModulePlaces &places,
                    llvm::function_ref<void(const FunctionCounts &, const FunctionPlaces &)> visit);

/// What compilers put into a discriminator (LLVM's DILocation::encodeDiscriminator).
struct Discriminator {
  /// Distinguishes blocks on a line.
  uint32_t base = 0;
  /// How many executions of the source one execution of the code stands for: the unroll or
  /// vectorisation factor of a loop.
  uint32_t duplication = 1;
  /// Distinguishes copies of the code.
  uint32_t copy = 0;
};
Discriminator decodeDiscriminator(uint32_t value);

/// Executions of places in the source. The code of a place may have several copies. Each copy
/// counts as often as its most executed code, times its duplication factor; copies add up.
class CopiedCode {
public:
  /// An inlined call (0: the function itself) and a place in its code.
  struct Place {
    uint32_t call = 0;
    uint32_t major = 0;
    uint32_t minor = 0;
  };

  /// Adds executions of code at `place`.
  void add(const Place &place, uint32_t discriminator, uint64_t executions);
  /// Adds the executions of each place to `sumOf(place)`, in any order.
  void addUp(llvm::function_ref<uint64_t &(const Place &)> sumOf) const;

private:
  /// A place, with the duplication factor and the number of the copy.
  using Copy = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

  llvm::DenseMap<Copy, uint64_t> most_;
};

} // namespace warpo

#endif
