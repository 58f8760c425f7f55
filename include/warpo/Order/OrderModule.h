//===- OrderModule.h - What an order has to know of its module ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An order is one of the functions of a module as it was before anything was inserted into it:
// names to find them by, sizes to measure with, a hash to know the module again.
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

/// Owns all that it says. Functions are counted from the first import on, as the module counts
/// them; only those with code have a place in an order.
class OrderModule {
public:
  struct Function {
    /// As mappings have it: that of the name section, else of an export, else `func[12]`.
    std::string name;
    /// How many bytes its body and the body's size take in the code section; 0 for an import.
    uint64_t codeSize = 0;
  };

  /// An instrumented module is refused: it is not what an order is for.
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

  /// The functions with code that are not among these, in rising order.
  std::vector<uint32_t> definedExcept(llvm::ArrayRef<uint32_t> functions) const;

  /// All functions of that name, in rising order; empty if there is none.
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
