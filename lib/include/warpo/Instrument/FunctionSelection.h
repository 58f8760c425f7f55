//===- FunctionSelection.h - Which functions are instrumented -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_INSTRUMENT_FUNCTIONSELECTION_H
#define WARPO_INSTRUMENT_FUNCTIONSELECTION_H

#include "warpo/Support/NameGlobs.h"
#include "warpo/Wasm/Module.h"

namespace warpo {

/// By default all imported functions but those of the module `builtin`, and all defined functions
/// but those of AssemblyScript's library (`~lib/…`) and compiler (`~stack_check`, …).
struct SelectionOptions {
  /// If not empty, a function must match one of them. Also selects functions of the library.
  std::vector<std::string> include;
  /// Leaves out matching functions; takes precedence over everything else.
  std::vector<std::string> exclude;
  /// Includes the library.
  bool all = false;
  /// Leaves out defined functions of fewer instructions, counting their last `end`.
  uint64_t minInstructions = 0;
};

/// Whether a function is instrumented, or why it is not; `budget`: see InstrumentOptions::leaveOut.
enum class Selection { taken, builtin, library, notIncluded, excluded, small, budget };

class FunctionSelection {
public:
  static llvm::Expected<FunctionSelection> create(const SelectionOptions &options);

  /// Fails if the function's instructions have to be counted and its code cannot be read.
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
