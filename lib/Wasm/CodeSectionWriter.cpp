//===- CodeSectionWriter.cpp - Rewrites bodies on several threads ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bodies do not depend on each other, so each thread takes one part of the code after another: some
// consecutive functions, which it rewrites into a buffer of its own. Parts are appended to the
// output in order, so neither the result nor an error depends on the number of threads. They are
// small: a buffer is used again and again, and is copied while a cache has it. A thread that is
// alone writes directly to the output.
//
//===----------------------------------------------------------------------===//

#include "ModuleWriter.h"
#include "warpo/Support/Shares.h"
#include <mutex>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// A thread does not pay off for less code than this.
static constexpr uint64_t leastShare = 1 << 20;
static constexpr uint64_t leastPart = 1 << 18;

namespace {

using Buffer = SmallVector<uint8_t, 0>;

struct WrittenPart {
  Buffer bytes;
  MovedBodies moves;
};

/// Hands out the numbers of parts, and appends the written parts in the order of their numbers.
class PartsInOrder {
public:
  using Append = function_ref<void(WrittenPart &)>;

  /// `append` is called by one thread at a time, and must outlive this.
  PartsInOrder(size_t count, Append append) : parts_(count), append_(append) {}

  /// The next part to write; nothing if there are no more or one has failed.
  std::optional<size_t> take() {
    std::lock_guard lock(mutex_);
    return taken_ < parts_.size() && !failed_ ? std::optional(taken_++) : std::nullopt;
  }
  /// Appends a part as soon as those before it are. `buffer` gets other memory if it has to wait.
  void put(size_t number, Buffer &buffer, MovedBodies moves) {
    std::lock_guard lock(mutex_);
    WrittenPart part{std::move(buffer), std::move(moves)};
    if (number != appended_) {
      parts_[number] = std::move(part);
      buffer = spare_.empty() ? Buffer() : spare_.pop_back_val();
      return;
    }
    append_(part);
    buffer = std::move(part.bytes);
    while (++appended_ != parts_.size() && parts_[appended_]) {
      append_(*parts_[appended_]);
      spare_.push_back(std::move(parts_[appended_]->bytes));
    }
  }
  /// Keeps the error of the first part that fails.
  void fail(size_t number, Error error) {
    std::lock_guard lock(mutex_);
    if (failed_ && *failed_ < number)
      return consumeError(std::move(error));
    consumeError(std::move(error_));
    failed_ = number;
    error_ = std::move(error);
  }
  Error takeError() { return std::move(error_); }

private:
  std::mutex mutex_;
  size_t taken_ = 0;
  size_t appended_ = 0;
  /// Those that wait for others.
  std::vector<std::optional<WrittenPart>> parts_;
  SmallVector<Buffer, 4> spare_;
  Append append_;
  std::optional<size_t> failed_;
  Error error_ = Error::success();
};

} // namespace

Error ModuleWriter::writeBodies(uint32_t begin, uint32_t end, CodeRewriter &code) const {
  for (uint32_t i = begin; i != end; ++i)
    if (Error error = code.rewriteBody(functionAt(i)))
      return error;
  return Error::success();
}

Error ModuleWriter::writeBodiesInParallel(size_t threads, ArrayRef<uint64_t> sizes,
                                          size_t contents) {
  std::vector<Share> shares = divideIntoShares(sizes, UINT_MAX, leastPart);
  // Enough for any part, so that hardly any buffer is moved; what is not written costs nothing.
  size_t room = 0;
  for (const Share &share : shares)
    room = std::max(room, likelySize(share.weight, share.end - share.begin));
  std::vector<EditStatistics> statistics(threads);
  auto append = [&](WrittenPart &part) {
    movements_.add(std::move(part.moves), contents - writer_.size());
    writer_.bytes(part.bytes);
  };
  PartsInOrder parts(shares.size(), append);
  auto work = [&](size_t thread) {
    Buffer bytes;
    ByteWriter writer(bytes);
    CodeRewriter code(module_, additions_, indices_, edit_, movements_, makesTailCalls_, writer,
                      statistics[thread]);
    while (std::optional<size_t> number = parts.take()) {
      const Share &share = shares[*number];
      bytes.clear();
      bytes.reserve(room);
      if (Error error = writeBodies(share.begin, share.end, code))
        parts.fail(*number, std::move(error));
      else
        parts.put(*number, bytes, code.takeMoves());
    }
    return Error::success();
  };
  cantFail(workInParallel(threads, work));
  for (const EditStatistics &each : statistics)
    statistics_.add(each);
  return parts.takeError();
}

Error ModuleWriter::writeCode(size_t contents) {
  std::vector<uint64_t> sizes;
  sizes.reserve(module_.bodies.size());
  for (uint32_t i = 0; i != module_.bodies.size(); ++i)
    sizes.push_back(module_.bodies[functionAt(i) - module_.importedFunctionCount()].bytes.size());
  movements_.begin(module_.functionCount());
  size_t threads = divideIntoShares(sizes, additions_.threads, leastShare).size();
  if (Error error = threads == 1 ? writeBodies(0, uint32_t(sizes.size()), code_)
                                 : writeBodiesInParallel(threads, sizes, contents))
    return error;
  if (threads == 1)
    movements_.add(code_.takeMoves(), contents);
  for (uint32_t importedFunction : additions_.thunks)
    code_.writeThunk(importedFunction);
  for (uint32_t function : additions_.referenced)
    code_.writeReferenceThunk(function);
  for (const ModuleEditor::Additions::Function &function : additions_.functions)
    code_.writeFunction(function.code);
  for (uint32_t left = additions_.emptyFunctions; left > 0; --left)
    code_.writeFunction([](CodeSequence &) {});
  return Error::success();
}
