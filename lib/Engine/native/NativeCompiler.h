//===- NativeCompiler.h - From a module to a shared object ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c makes C of the module, the machine's C compiler a shared object of that and of the glue.
// Both are other people's programs and run as such; the result is kept in the NativeCache.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVECOMPILER_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVECOMPILER_H

#include "NativeCache.h"
#include "NativeUnit.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo {

/// The shared object of a module.
struct CompiledModule {
  std::string path;
  /// Not from the cache.
  bool isNew;
  /// Empty if the module does not need them.
  CodeTables tables;
};

class NativeCompiler {
public:
  /// Finds the programs, our own C files and the cache; an error says what is missing.
  static llvm::Expected<NativeCompiler> create();
  /// Whether there are wasm2c and a C compiler.
  static bool isInstalled();

  /// From the cache or newly made; calls `onNew` before it begins to make it.
  llvm::Expected<CompiledModule> compile(const NativeUnit &unit,
                                         llvm::function_ref<void()> onNew) const;

private:
  explicit NativeCompiler(NativeCache cache) : cache_(std::move(cache)) {}
  /// Of all that decides what the shared object is.
  llvm::Expected<std::string> keyOf(const NativeUnit &unit, llvm::StringRef imports,
                                    llvm::StringRef exports) const;
  llvm::Error checkTranslator(const BuildFolder &folder) const;
  llvm::Error translate(const NativeUnit &unit, const BuildFolder &folder) const;
  llvm::Error build(const NativeUnit &unit, const BuildFolder &folder) const;

  NativeCache cache_;
  std::string translator_, compiler_;
  /// The folder of runtime.c and of the headers.
  std::string runtime_;
};

} // namespace warpo

#endif
