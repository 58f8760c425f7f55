//===- OrderModule.h - What an order has to know of its module ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module whose functions are ordered, as it was before instrumentation: names to find functions
// by, their sizes, and a hash to identify the module.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_ORDERMODULE_H
#define WARPO_ORDER_ORDERMODULE_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// Owns its data. Functions are numbered as in the module, from the first import on; only those
/// with code can be ordered.
class OrderModule {
public:
  struct Function {
    /// As in mappings: from the name section, else from an export, else `func[12]`.
    std::string name;
    /// The bytes of its body and the body's size field in the code section; 0 for an import.
    uint64_t codeSize = 0;
  };

  /// Fails for an instrumented module.
  static llvm::Expected<OrderModule> create(const wasm::Module &module);
  static llvm::Expected<OrderModule> create(llvm::ArrayRef<uint8_t> bytes,
                                            llvm::StringRef fileName);
  /// Reads a binary module.
  static llvm::Expected<OrderModule> read(llvm::StringRef path);

  const std::string &fileName() const { return fileName_; }
  /// BLAKE3 of the module's bytes.
  const std::array<uint8_t, 32> &hash() const { return hash_; }

  llvm::ArrayRef<Function> functions() const { return functions_; }
  const Function &operator[](uint32_t function) const { return functions_[function]; }
  uint32_t size() const { return uint32_t(functions_.size()); }
  uint32_t importedCount() const { return importedCount_; }
  bool isImported(uint32_t function) const { return function < importedCount_; }
  /// How many functions have code.
  uint32_t definedCount() const { return size() - importedCount_; }

  /// The functions with code that are not among these, in ascending order.
  std::vector<uint32_t> definedExcept(llvm::ArrayRef<uint32_t> functions) const;

  /// All functions with this name, in ascending order.
  llvm::ArrayRef<uint32_t> find(llvm::StringRef name) const;

private:
  std::string fileName_;
  std::array<uint8_t, 32> hash_ = {};
  uint32_t importedCount_ = 0;
  std::vector<Function> functions_;
  llvm::StringMap<std::vector<uint32_t>> byName_;
};

} // namespace warpo

#endif
