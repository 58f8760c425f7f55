//===- StackSwitches.h - Code that switches to another stack --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In the stack switching proposal, continuations have their own stacks: `resume` enters one,
// `suspend` returns to the one that resumed it, `switch` goes from one to another. Before such an
// instruction the module reports that the stack may be left, and the host returns a number for the
// stack. A variable of the function keeps it until the code runs again: then the module reports
// that number. No other code knows which stack runs.
//
// The code runs again behind the instruction, at a handler or a catch clause of the function, or at
// its exit. If such a place is reached in another way, the variable is 0 and nothing is reported.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_INSTRUMENT_STACKSWITCHES_H
#define WARPO_LIB_INSTRUMENT_STACKSWITCHES_H

#include "warpo/Wasm/ModuleEditor.h"
#include "llvm/ADT/BitVector.h"
#include <optional>

namespace warpo {

class StackSwitches {
public:
  /// Imports the functions for these reports. Nothing if no function has such an instruction.
  /// `fuel`: the fuel counter, if there is one.
  static llvm::Expected<std::optional<StackSwitches>> create(const wasm::Module &module,
                                                             wasm::ModuleEditor &editor,
                                                             std::optional<wasm::GlobalRef> fuel);

  /// Whether a function has such an instruction. Only such functions are edited.
  bool switches(uint32_t function) const { return functions_.test(function); }
  /// Adds the variable, behind existing ones, and the code at exits, before all other code.
  /// `around` is code to insert before the stack may be left, and where the function runs again.
  void edit(const wasm::CallSiteEdit &around, wasm::FunctionEdit &edit) const;
  /// Appends the code for other places, in any order. `variable` is the number of the variable that
  /// edit() adds.
  void insert(uint32_t function, uint8_t variable, const wasm::CallSiteEdit &around,
              wasm::CodeInsertions &insertions) const;

private:
  explicit StackSwitches(const wasm::Module &module) : module_(&module) {}
  void comeBack(uint8_t variable, const wasm::CodeSequence &behind, wasm::CodeSequence &code) const;
  wasm::CodeSequence leave(uint8_t opcode, uint8_t variable,
                           const wasm::CodeSequence &before) const;

  const wasm::Module *module_;
  llvm::BitVector functions_;
  wasm::FunctionRef leave_;
  wasm::FunctionRef enter_;
  std::optional<wasm::GlobalRef> fuel_;
};

} // namespace warpo

#endif
