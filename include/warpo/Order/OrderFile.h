//===- OrderFile.h - The registry of files that an order is written as ----===//
// SPDX-License-Identifier: Apache-2.0
//
// To add one, add one .cpp to lib/Order that derives from OrderFile and registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_ORDERFILE_H
#define WARPO_ORDER_ORDERFILE_H

#include "warpo/Order/OrderModule.h"
#include "warpo/Order/OrderRun.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// What users may choose of a file.
struct OrderFileOptions {
  /// For files of native symbols: symbols of wasm2c, or the functions' names as they are.
  bool wasm2cSymbols = true;
  /// For lists for Binaryen's tools: escape names as its text format does, as releases before the
  /// middle of 2026 expect.
  bool escapeNames = false;
  /// For formats that depend on C++'s `char` being signed where the file is read; on ARM it is not.
  bool unsignedChar = false;
};

/// An order and its inputs.
struct ComputedOrder {
  const OrderModule &module;
  /// The contents of the module's file.
  llvm::ArrayRef<uint8_t> moduleBytes;
  /// The result of FunctionOrder::order().
  llvm::ArrayRef<uint32_t> functions;
  llvm::ArrayRef<OrderRun> runs;
};

class OrderFile {
public:
  static constexpr llvm::StringLiteral kind = "order file";
  virtual ~OrderFile();

  virtual bool isBinary() const { return false; }
  /// Whether the file also contains costs and calls of runs.
  virtual bool needsCosts() const { return false; }

  /// Adds to `omissions` what the file cannot represent, one sentence each.
  virtual llvm::Error write(const ComputedOrder &order, const OrderFileOptions &options,
                            llvm::raw_ostream &os, std::vector<std::string> &omissions) const = 0;
};

} // namespace warpo

#endif
