//===- CodeSectionWriter.cpp - Rewrites bodies on several threads ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies do not depend on each other, so each thread takes a share of consecutive functions. The
// calling thread writes the first share directly to the output; the others go into buffers, which
// are appended in order. So neither the result nor an error depends on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "ModuleWriter.h"
#include "warpo/Support/HugePages.h"
#include "warpo/Support/Shares.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

namespace {

/// The output of a share other than the first.
struct WrittenShare {
  SmallVector<uint8_t, 0> bytes;
  EditStatistics statistics;
  MovedBodies moves;
};

} // namespace

// A thread does not pay off for less code than this.
static constexpr uint64_t leastShare = 1 << 20;

Error ModuleWriter::writeBodies(uint32_t begin, uint32_t end, CodeRewriter &code) const {
  for (uint32_t i = begin; i != end; ++i)
    if (Error error = code.rewriteBody(functionAt(i)))
      return error;
  return Error::success();
}

Error ModuleWriter::writeCode(size_t contents) {
  std::vector<uint64_t> sizes;
  sizes.reserve(module_.bodies.size());
  for (uint32_t i = 0; i != module_.bodies.size(); ++i)
    sizes.push_back(module_.bodies[functionAt(i) - module_.importedFunctionCount()].bytes.size());
  std::vector<Share> shares = divideIntoShares(sizes, additions_.threads, leastShare);
  std::vector<WrittenShare> written(shares.size());
  movements_.begin(module_.functionCount());
  auto work = [&](size_t i) {
    const Share &share = shares[i];
    if (i == 0)
      return writeBodies(share.begin, share.end, code_);
    auto &[bytes, statistics, moves] = written[i];
    reserveHugePages(bytes, likelySize(share.weight, share.end - share.begin));
    ByteWriter writer(bytes);
    CodeRewriter code(module_, additions_, indices_, edit_, movements_, makesTailCalls_, writer,
                      statistics);
    Error error = writeBodies(share.begin, share.end, code);
    moves = code.takeMoves();
    return error;
  };
  if (Error error = workInParallel(shares.size(), work))
    return error;
  movements_.add(code_.takeMoves(), contents);
  for (WrittenShare &share : llvm::drop_begin(written)) {
    movements_.add(std::move(share.moves), contents - writer_.size());
    writer_.bytes(share.bytes);
    share.bytes = SmallVector<uint8_t, 0>();
    statistics_.add(share.statistics);
  }
  for (uint32_t importedFunction : additions_.thunks)
    code_.writeThunk(importedFunction);
  for (uint32_t function : additions_.referenced)
    code_.writeReferenceThunk(function);
  for (const ModuleEditor::Additions::Function &function : additions_.functions)
    code_.writeFunction(function.code);
  return Error::success();
}
