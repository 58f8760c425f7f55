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
  /// As in ModulePlaces.
  uint32_t offset = 0;
  uint64_t executions = 0;
  /// Of FunctionPlaces::calls, as CallChange has it.
  uint32_t call = 0;
  /// Both are 0 if the line is not known.
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t discriminator = 0;
  /// Of an instruction that goes on at one of several places; else null.
  const FlowBranch *branch = nullptr;
};

/// Calls `visit` with each instruction of a function that can be reached and costs something, in
/// the order of the code.
void forEachInstruction(const wasm::Module &module, const FunctionCounts &function,
                        const FunctionPlaces &places,
                        llvm::function_ref<void(const CountedInstruction &)> visit);

/// Calls `visit` with each function that has code, and its places; these have no lines and calls if
/// nothing is known.
void forEachLocated(const ModuleCounts &counts, const ModulePlaces &places,
                    llvm::function_ref<void(const FunctionCounts &, const FunctionPlaces &)> visit);

/// What compilers put into a discriminator (LLVM's DILocation::encodeDiscriminator).
struct Discriminator {
  /// Which of several blocks on a line it is.
  uint32_t base = 0;
  /// How many executions of the source one execution of the code stands for: the number of rounds
  /// in an unrolled or vectorised loop.
  uint32_t duplication = 1;
  /// Which of several copies of the code.
  uint32_t copy = 0;
};
Discriminator decodeDiscriminator(uint32_t value);

/// How often places in the source were executed, whose code may have several copies. A copy counts
/// as often as its most executed code, times its duplication factor; copies add up.
class CopiedCode {
public:
  /// The call that was inlined (0: the function), and a place in its code.
  struct Place {
    uint32_t call = 0;
    uint32_t major = 0;
    uint32_t minor = 0;
  };

  /// Code that stands at `place` was executed so often.
  void add(const Place &place, uint32_t discriminator, uint64_t executions);
  /// Adds to the sum of each place, which `sumOf` finds, in any order.
  void addUp(llvm::function_ref<uint64_t &(const Place &)> sumOf) const;

private:
  /// A place with its code's duplication and copy.
  using Copy = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

  llvm::DenseMap<Copy, uint64_t> most_;
};

} // namespace warpo

#endif
