//===- CodeSectionWriter.cpp - Rewrites bodies, on several cores ----------===//
//
// Bodies do not depend on each other: each thread takes a share of them, a run of functions. The
// first is written where it belongs, by the thread that asks; the others into buffers of their own,
// which follow in order. So neither the result nor the error depends on how many threads there are.
//
//===----------------------------------------------------------------------===//

#include "ModuleWriter.h"
#include <system_error>
#include <thread>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {

/// A run of defined functions, and what has become of them.
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
static std::vector<Share> divideBodies(const Module &module, unsigned threads) {
  uint64_t total = 0;
  for (const ByteRange &body : module.bodies)
    total += body.bytes.size();
  uint64_t count = std::max<uint64_t>(1, std::min<uint64_t>(threads, total / leastShare));
  std::vector<Share> shares(1);
  shares.front().begin = shares.front().end = module.importedFunctionCount();
  uint64_t passed = 0;
  for (uint32_t i = 0; i != module.bodies.size(); ++i) {
    uint32_t function = module.importedFunctionCount() + i;
    if (shares.size() < count && passed >= total * shares.size() / count) {
      shares.emplace_back();
      shares.back().begin = function;
    }
    shares.back().end = function + 1;
    shares.back().size += module.bodies[i].bytes.size();
    passed += module.bodies[i].bytes.size();
  }
  return shares;
}

Error ModuleWriter::writeBodies(uint32_t begin, uint32_t end, CodeRewriter &code) const {
  for (uint32_t function = begin; function != end; ++function)
    if (Error error = code.rewriteBody(function))
      return error;
  return Error::success();
}

Error ModuleWriter::writeCode() {
  unsigned threads =
      additions_.threads ? additions_.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<Share> shares = divideBodies(module_, threads);
  for (Share &share : llvm::drop_begin(shares)) {
    auto work = [this, &share] {
      share.bytes.reserve(share.size * 5 / 4 + uint64_t(share.end - share.begin) * 64);
      ByteWriter writer(share.bytes);
      CodeRewriter code(module_, additions_, indices_, edit_, movements_, addedLabels_, writer,
                        share.statistics);
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
    // Of several errors the first one counts, as on one thread.
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
  return Error::success();
}
