//===- NativeStacks.h - From addresses of code to functions ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVESTACKS_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVESTACKS_H

#include "../EngineSamples.h"
#include "warpo_native.h"

namespace warpo {

/// A stack of the machine as it was at a sample.
struct NativeStack {
  /// Where the thread was; 0 if a function of the host ran, for which `import` was called, if it
  /// was called by the program.
  uintptr_t address = 0;
  const warpo_native_import *import = nullptr;
  /// The words at the end of the stack, up to the innermost frame with a frame pointer: a few.
  llvm::ArrayRef<uintptr_t> top;
  /// The return addresses of that frame and those around it.
  llvm::ArrayRef<uintptr_t> returns;
};

/// Knows where the code of each function lies, of all modules of a program.
class NativeStacks {
public:
  /// Functions of a module that was compiled to be sampled, and what its imports got. The code must
  /// stay where it is, and the imports.
  void add(const ProgramUnit &unit, const warpo_native_module &code,
           llvm::ArrayRef<warpo_native_import> imports);

  /// The functions of a stack, outermost first; what is none of them, such as the C library, is
  /// left out. In use until the next call.
  llvm::ArrayRef<EngineSamples::Frame> resolve(const NativeStack &stack);

private:
  struct Unit {
    const ProgramUnit *unit;
    uintptr_t begin, end;
    /// Where each function begins and its index, in order.
    std::vector<std::pair<uintptr_t, uint32_t>> functions;
    llvm::ArrayRef<warpo_native_import> imports;
  };
  uintptr_t push(uintptr_t address);
  bool pushReturn(uintptr_t address) { return push(address - 1) != 0; }
  void pushImport(const warpo_native_import *import);
  void pushInnermost(const NativeStack &stack);

  std::vector<Unit> units_;
  /// Innermost first while they are found.
  std::vector<EngineSamples::Frame> frames_;
};

} // namespace warpo

#endif
