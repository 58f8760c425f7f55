//===- StackSwitches.h - Code that leaves its stack for another one -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The stack switching proposal gives continuations stacks of their own: `resume` goes to one,
// `suspend` back to one that resumed it, `switch` from one to another. Where such an instruction
// stands, the module reports that the stack may be left, and the host gives it a number, which a
// variable of the function keeps until the code runs again: then the module reports that number. No
// other code knows which stack runs.
//
// The code runs again behind the instruction, at a handler or a catch clause of the function, or at
// its exit. At places that are reached on other ways too the variable is 0 there, and nothing is
// told.
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
  /// Imports the functions of these reports, if any function has such an instruction; nothing if
  /// none has. `fuel`: the counter of fuel, if there is one.
  static llvm::Expected<std::optional<StackSwitches>> create(const wasm::Module &module,
                                                             wasm::ModuleEditor &editor,
                                                             std::optional<wasm::GlobalRef> fuel);

  /// Whether a function has such an instruction. Only those are edited.
  bool switches(uint32_t function) const { return functions_.test(function); }
  /// Adds the variable, behind those that are there, and what stands at exits, before all else.
  /// `around`: what stands around instructions that another stack may run behind, before and behind
  /// those that come back.
  void edit(const wasm::CallSiteEdit &around, wasm::FunctionEdit &edit) const;
  /// Appends what stands elsewhere, in any order. `variable`: the number of the one that edit()
  /// adds.
  void insert(uint32_t function, uint8_t variable, const wasm::CallSiteEdit &around,
              std::vector<wasm::CodeInsertion> &insertions) const;

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
