//===- NativeStacks.h - From addresses of code to functions ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVESTACKS_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVESTACKS_H

#include "../EngineSamples.h"
#include "CodeTables.h"
#include "warpo_native.h"

namespace warpo {

/// A stack of the machine as it was at a sample.
struct NativeStack {
  /// Where the thread was; 0 if a function of the host ran, for which `import` was called, if it
  /// was called by the program.
  uintptr_t address = 0;
  const warpo_native_import *import = nullptr;
  /// The return addresses of the frames, innermost first.
  llvm::ArrayRef<uintptr_t> returns;
};

/// Where a thread is, or will be when it has returned.
struct Registers {
  uintptr_t code = 0, stack = 0, frame = 0;
  /// Whether `code` is a return address. The call before it may be a function's last instruction:
  /// then `code` is where another function begins.
  bool isReturn = false;
};

/// Words of a stack, between two addresses: read in signal handlers.
struct StackWords {
  uintptr_t begin, end;
  bool has(uintptr_t address) const;
  uintptr_t at(uintptr_t address) const;
  /// The registers in the caller of a function that has a frame pointer; nothing if it does not
  /// point into the stack.
  std::optional<Registers> callerByFrame(uintptr_t frame) const;
};

/// Knows the code of all modules of a program.
class NativeStacks {
public:
  /// The code of a module was loaded at `base`, with what its imports got. All must stay where they
  /// are.
  void add(const ProgramUnit &unit, const CodeTables &tables, uintptr_t base,
           llvm::ArrayRef<warpo_native_import> imports);

  /// Makes of the registers in a function those in its caller, once it has returned. If the thread
  /// is in the code of others, such as the C library, it goes to the caller among the functions of
  /// the program, if that is near. False where the stack ends. Safe in signal handlers.
  bool goToCaller(Registers &at, StackWords stack) const;

  /// The functions of a stack, outermost first; what is none of them, such as the C library, is
  /// left out. In use until the next call.
  llvm::ArrayRef<EngineSamples::Frame> resolve(const NativeStack &stack);

private:
  struct Unit {
    const ProgramUnit *unit;
    const CodeTables *tables;
    uintptr_t base, begin, end;
    llvm::ArrayRef<warpo_native_import> imports;
  };
  const Unit *unitAt(uintptr_t address) const;
  bool isFunction(uintptr_t address) const;
  bool findReturn(Registers &at, StackWords stack) const;
  void push(uintptr_t address);
  void pushImport(const warpo_native_import *import);

  std::vector<Unit> units_;
  /// Innermost first while they are found.
  std::vector<EngineSamples::Frame> frames_;
};

} // namespace warpo

#endif
