//===- FunctionSelection.h - Which functions are instrumented -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_INSTRUMENT_FUNCTIONSELECTION_H
#define WARPO_INSTRUMENT_FUNCTIONSELECTION_H

#include "warpo/Support/NameGlobs.h"
#include "warpo/Wasm/Module.h"

namespace warpo {

/// Without any option: all imported functions but those of the module `builtin`, and all defined
/// ones but those of AssemblyScript's library (`~lib/…`) and of its compiler (`~stack_check`, …).
struct SelectionOptions {
  /// If there are any, a function must match one. What matches is taken even from the library.
  std::vector<std::string> include;
  /// What matches is left out, whatever else holds.
  std::vector<std::string> exclude;
  /// Takes the library too.
  bool all = false;
  /// Leaves out defined functions of fewer instructions, their last `end` counted.
  uint64_t minInstructions = 0;
};

/// Whether a function is instrumented, or why it is not; `budget`: see InstrumentOptions::leaveOut.
enum class Selection { taken, builtin, library, notIncluded, excluded, small, budget };

class FunctionSelection {
public:
  static llvm::Expected<FunctionSelection> create(const SelectionOptions &options);

  /// Fails where the function's code has to be counted and cannot be read.
  llvm::Expected<Selection> select(const wasm::Module &module, uint32_t function,
                                   llvm::StringRef name) const;

private:
  FunctionSelection(NameGlobs include, NameGlobs exclude)
      : include_(std::move(include)), exclude_(std::move(exclude)) {}

  NameGlobs include_;
  NameGlobs exclude_;
  bool all_ = false;
  uint64_t minInstructions_ = 0;
};

} // namespace warpo

#endif
