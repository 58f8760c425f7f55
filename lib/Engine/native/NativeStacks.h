//===- NativeStacks.h - Finds functions by code addresses -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVESTACKS_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVESTACKS_H

#include "../EngineSamples.h"
#include "CodeTables.h"
#include "warpo_native.h"

namespace warpo {

/// The machine's stack at a sample.
struct NativeStack {
  /// The current code address; 0 if a function of the host was running. If the program called that
  /// function, `import` is its import.
  uintptr_t address = 0;
  const warpo_native_import *import = nullptr;
  /// The return addresses of the frames, innermost first.
  llvm::ArrayRef<uintptr_t> returns;
};

/// The registers of a thread, now or after it has returned from calls.
struct Registers {
  uintptr_t code = 0, stack = 0, frame = 0;
  /// Whether `code` is a return address. If the call before it is the last instruction of its
  /// function, `code` is the begin of another function.
  bool isReturn = false;
};

/// The words of a stack between two addresses. Safe in signal handlers.
struct StackWords {
  uintptr_t begin, end;
  bool has(uintptr_t address) const;
  uintptr_t at(uintptr_t address) const;
  /// The registers in the caller, by a frame pointer; nothing if that does not point into the
  /// stack.
  std::optional<Registers> callerByFrame(uintptr_t frame) const;
};

/// Maps code addresses to functions, for all modules of a program.
class NativeStacks {
public:
  /// Adds the code of a module, loaded at `base`, and its resolved imports. All parameters must
  /// outlive this.
  void add(const ProgramUnit &unit, const CodeTables &tables, uintptr_t base,
           llvm::ArrayRef<warpo_native_import> imports);

  /// Changes the registers to those in the caller after the return. In code outside of the program,
  /// such as the C library, goes to the calling function of the program, if its frame is near.
  /// Returns false at the end of the stack. Safe in signal handlers.
  bool goToCaller(Registers &at, StackWords stack) const;

  /// The functions of a stack, outermost first, without other code, such as the C library. Valid
  /// until the next call.
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
  /// Innermost first while being collected.
  std::vector<EngineSamples::Frame> frames_;
};

} // namespace warpo

#endif
