//===- GzipStream.h - A stream that compresses what is written to it ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PPROF_GZIPSTREAM_H
#define WARPO_OUTPUT_PPROF_GZIPSTREAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace warpo {

/// Writes a gzip file without name or time, so that equal input gives equal bytes. The file is
/// complete only after finish().
class GzipStream {
public:
  explicit GzipStream(llvm::raw_ostream &os);
  ~GzipStream();

  llvm::Error write(llvm::StringRef bytes);
  llvm::Error finish();

private:
  llvm::Error deflate(int flush);

  struct State;
  llvm::raw_ostream &os_;
  /// Null if zlib ran out of memory.
  std::unique_ptr<State> state_;
};

} // namespace warpo

#endif
