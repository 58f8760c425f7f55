//===- Instrumentation.h - What to insert into a module -------------------===//
//
// An instrumentation says what code stands at the points of a function; it never sees an index of
// the module, and never the module's code. Several run in one pass: at an entry in the order given,
// at an exit in the opposite order, so that they nest.
//
// An imported function has no code to change: it is called through a small function made for it,
// which is instrumented like any other.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_INSTRUMENT_INSTRUMENTATION_H
#define WARPO_INSTRUMENT_INSTRUMENTATION_H

#include "warpo/Support/Registry.h"
#include "warpo/Wasm/ModuleEditor.h"

namespace warpo {

/// A function that is instrumented.
struct FunctionSite {
  /// Positive; stands for the function in the mapping and in records.
  int32_t id = 0;
  llvm::StringRef name;
};

/// What an instrumentation may add to a module beside code.
class ModuleDeclarations {
public:
  explicit ModuleDeclarations(wasm::ModuleEditor &editor) : editor_(editor) {}

  /// Instrumentations that import the same function share it.
  wasm::FunctionRef importFunction(llvm::StringRef module, llvm::StringRef name,
                                   llvm::ArrayRef<wasm::ValueType> params,
                                   llvm::ArrayRef<wasm::ValueType> results) {
    return editor_.importFunction(module, name, params, results);
  }
  /// A global of the instrumentation's own, i32 or i64.
  wasm::GlobalRef addGlobal(wasm::ValueType type, bool isMutable, int64_t initialValue) {
    return editor_.addGlobal(type, isMutable, initialValue);
  }

private:
  wasm::ModuleEditor &editor_;
};

class Instrumentation {
public:
  static constexpr llvm::StringLiteral kind = "instrumentation";

  virtual ~Instrumentation() = default;

  /// Called once, before anything else.
  virtual llvm::Error declare(ModuleDeclarations &declarations) = 0;

  /// Fills in what to insert into a function. `edit` is empty; code at an exit must leave the stack
  /// as it found it. Several threads may ask at once, in any order, and more than once for a
  /// function.
  virtual void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const = 0;
};

} // namespace warpo

#endif
