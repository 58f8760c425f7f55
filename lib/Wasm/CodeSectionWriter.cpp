//===- CodeSectionWriter.cpp - Rewrites bodies, on several cores ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies do not depend on each other: each thread takes a share of them, a run of functions. The
// first is written where it belongs, by the thread that asks; the others into buffers of their own,
// which follow in order. So neither the result nor the error depends on how many threads there are.
//
//===----------------------------------------------------------------------===//

#include "ModuleWriter.h"
#include <numeric>
#include <system_error>
#include <thread>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {

/// A run of bodies, by their places in the output, and what has become of them.
struct Share {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint64_t size = 0;
  SmallVector<uint8_t, 0> bytes;
  EditStatistics statistics;
  std::optional<Error> error;
  std::thread thread;
};

} // namespace

// Less code than this takes less time than a thread does.
static constexpr uint64_t leastShare = 1 << 20;

// Shares of about the same number of bytes, in order; at least one, even if there are no bodies.
// `sizes` are those of the bodies as they will follow each other.
static std::vector<Share> divideBodies(ArrayRef<uint64_t> sizes, unsigned threads) {
  uint64_t total = std::accumulate(sizes.begin(), sizes.end(), uint64_t(0));
  uint64_t count = std::max<uint64_t>(1, std::min<uint64_t>(threads, total / leastShare));
  std::vector<Share> shares(1);
  uint64_t passed = 0;
  for (uint32_t i = 0; i != sizes.size(); ++i) {
    if (shares.size() < count && passed >= total * shares.size() / count) {
      shares.emplace_back();
      shares.back().begin = i;
    }
    shares.back().end = i + 1;
    shares.back().size += sizes[i];
    passed += sizes[i];
  }
  return shares;
}

Error ModuleWriter::writeBodies(uint32_t begin, uint32_t end, CodeRewriter &code) const {
  for (uint32_t i = begin; i != end; ++i)
    if (Error error = code.rewriteBody(functionAt(i)))
      return error;
  return Error::success();
}

Error ModuleWriter::writeCode() {
  unsigned threads =
      additions_.threads ? additions_.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<uint64_t> sizes;
  for (uint32_t i = 0; i != module_.bodies.size(); ++i)
    sizes.push_back(module_.bodies[functionAt(i) - module_.importedFunctionCount()].bytes.size());
  std::vector<Share> shares = divideBodies(sizes, threads);
  for (Share &share : llvm::drop_begin(shares)) {
    auto work = [this, &share] {
      share.bytes.reserve(share.size * 5 / 4 + uint64_t(share.end - share.begin) * 64);
      ByteWriter writer(share.bytes);
      CodeRewriter code(module_, additions_, indices_, edit_, movements_, addedLabels_,
                        makesTailCalls_, writer, share.statistics);
      share.error.emplace(writeBodies(share.begin, share.end, code));
    };
    try {
      share.thread = std::thread(work);
    } catch (const std::system_error &) {
      work(); // no more threads can be had
    }
  }
  Error error = writeBodies(shares.front().begin, shares.front().end, code_);
  for (Share &share : llvm::drop_begin(shares)) {
    if (share.thread.joinable())
      share.thread.join();
    // If there are several errors the first one counts, as on one thread.
    if (error) {
      consumeError(std::move(*share.error));
      continue;
    }
    error = std::move(*share.error);
    writer_.bytes(share.bytes);
    share.bytes = SmallVector<uint8_t, 0>();
    statistics_.add(share.statistics);
  }
  if (error)
    return error;
  for (uint32_t importedFunction : additions_.thunks)
    code_.writeThunk(importedFunction);
  for (uint32_t function : additions_.referenced)
    code_.writeReferenceThunk(function);
  for (const ModuleEditor::Additions::Function &function : additions_.functions)
    code_.writeFunction(function.code);
  return Error::success();
}
