//===- LlvmRuns.h - Orders recorded by LLVM's instrumentation -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions are symbols here: their names in the module, or what wasm2c makes of these.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_LLVMRUNS_H
#define WARPO_ORDER_LLVMRUNS_H

#include "warpo/Support/InputStream.h"
#include <map>
#include <memory>

namespace warpo {

/// Symbols in the order of their first executions.
struct SymbolRun {
  uint64_t weight = 1;
  std::vector<std::string> symbols;
};

/// Whether an input that starts with `start` is a profile of LLVM in text form.
bool looksLikeProftext(llvm::ArrayRef<uint8_t> start);

/// The temporal profile traces of such a profile. Fails if it has none.
llvm::Expected<std::vector<SymbolRun>> readProftext(std::unique_ptr<InputStream> input);

/// Symbols by their hash. Clang's -orderfile-write-mapping writes a line `MD5 <hash> <symbol>` for
/// each function.
using OrderFileMapping = std::map<uint64_t, std::string>;
llvm::Expected<OrderFileMapping> readOrderFileMapping(llvm::StringRef path);

/// Reads the output of __llvm_orderfile_dump(): hashes of 8 bytes, little endian, 0 for a free
/// place. A hash that is not in the mapping becomes a symbol `0x…`. Fails if the file ends within a
/// hash.
llvm::Expected<SymbolRun> readOrderFileDump(llvm::StringRef path, const OrderFileMapping &mapping);

} // namespace warpo

#endif
