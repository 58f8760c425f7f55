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
  /// For files of native symbols: those of wasm2c, or the functions' names as they are.
  bool wasm2cSymbols = true;
  /// For lists of Binaryen's tools: escape names as its text format does, which releases before the
  /// middle of 2026 expect.
  bool escapeNames = false;
  /// For what depends on whether C++'s `char` has a sign where the reader runs: it has not on ARM.
  bool unsignedChar = false;
};

/// An order, with all that it was made of.
struct ComputedOrder {
  const OrderModule &module;
  /// The module as it is in its file.
  llvm::ArrayRef<uint8_t> moduleBytes;
  /// As FunctionOrder gives it.
  llvm::ArrayRef<uint32_t> functions;
  llvm::ArrayRef<OrderRun> runs;
};

class OrderFile {
public:
  static constexpr llvm::StringLiteral kind = "order file";
  virtual ~OrderFile();

  virtual bool isBinary() const { return false; }
  /// Whether it holds costs and calls of runs too.
  virtual bool needsCosts() const { return false; }

  /// What could not be said in the file is added to `omissions`, one sentence each.
  virtual llvm::Error write(const ComputedOrder &order, const OrderFileOptions &options,
                            llvm::raw_ostream &os, std::vector<std::string> &omissions) const = 0;
};

} // namespace warpo

#endif
