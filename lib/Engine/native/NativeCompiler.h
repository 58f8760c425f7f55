//===- NativeCompiler.h - Compiles a module to a shared object ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c translates the module to C; the machine's C compiler makes a shared object of that and of
// the glue. Both run as separate programs; the result is kept in the NativeCache.
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
  /// Whether it was built just now, and not found in the cache.
  bool isNew;
  /// Empty if the module does not need any.
  CodeTables tables;
};

class NativeCompiler {
public:
  /// Finds the programs, our own C files and the cache; fails if one of these is missing.
  static llvm::Expected<NativeCompiler> create();
  /// Whether wasm2c and a C compiler are installed.
  static bool isInstalled();

  /// Finds the module in the cache or builds it; calls `onNew` before it begins to build.
  llvm::Expected<CompiledModule> compile(const NativeUnit &unit,
                                         llvm::function_ref<void()> onNew) const;

private:
  explicit NativeCompiler(NativeCache cache) : cache_(std::move(cache)) {}
  /// A key for the cache: a hash of everything that determines the shared object.
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
