//===- CallBlocks.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CallBlocks.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;
using namespace warpo;

// Limits the length of a block to this multiple of the threshold for short calls: a longer block
// would hide when something happened within it.
static constexpr uint64_t longestBlock = 16;
static constexpr size_t none = std::numeric_limits<size_t>::max();

static void sortByNumber(std::vector<CallBlock> &blocks) {
  llvm::sort(blocks, [](const CallBlock &a, const CallBlock &b) { return a.number < b.number; });
}

void CallBlocks::add(StreamIndex stream, const CallBlock &call) {
  if (streams_.size() <= stream)
    streams_.resize(stream + 1);
  streams_[stream].push_back(call);
  streams_[stream].back().spent = call.duration();
  ++added_;
  if (++size_ < 2 * limit_)
    return;
  // First merges calls added since the last time, with the current threshold.
  merge();
  if (size_ > limit_)
    coarsen();
}

void CallBlocks::coarsen() {
  size_t wanted = std::min(limit_, size_ > 1 ? size_ - 1 : 1);
  while (size_ > wanted && shortest_ < std::numeric_limits<uint64_t>::max() / (2 * longestBlock)) {
    shortest_ += std::max<uint64_t>(1, shortest_ / 2);
    merge();
  }
}

void CallBlocks::finish() {
  merge();
  if (size_ > limit_)
    coarsen();
}

void CallBlocks::addNote(TimelineSummary &summary, StringRef unit, StringRef why) const {
  if (shortest_ > 0)
    summary.notes.push_back(("calls shorter than " + formatWeight(shortest_, unit) +
                             " are drawn as blocks: " + why +
                             "; --from and --to cut out a piece to see all of")
                                .str());
}

void CallBlocks::merge() {
  size_ = 0;
  for (std::vector<CallBlock> &blocks : streams_) {
    sortByNumber(blocks);
    if (shortest_ > 0)
      blocks = mergeStream(std::move(blocks));
    size_ += blocks.size();
  }
}

// Open callers are not among the blocks yet, so adjacent calls are recognised by their caller's
// number.
std::vector<CallBlock> CallBlocks::mergeStream(std::vector<CallBlock> blocks) const {
  std::vector<CallBlock> kept;
  // By depth: the last call that was merged into a block, and the last block.
  std::vector<uint64_t> inBlocks;
  std::vector<size_t> lastBlocks;
  for (CallBlock &block : blocks) {
    if (inBlocks.size() <= block.depth) {
      inBlocks.resize(block.depth + 1, 0);
      lastBlocks.resize(block.depth + 1, none);
    }
    if (block.caller > 0 && inBlocks[block.depth - 1] == block.caller) {
      inBlocks[block.depth] = block.number;
      kept.back().hides = true;
      kept.back().lost |= block.lost;
      continue;
    }
    bool isBlock = block.calls > 1 || block.hides;
    bool isShort =
        block.duration() < shortest_ || (isBlock && block.duration() < longestBlock * shortest_);
    size_t &last = lastBlocks[block.depth];
    if (!isShort) {
      last = none;
      kept.push_back(block);
      continue;
    }
    inBlocks[block.depth] = block.number;
    if (last != none && kept[last].caller == block.caller &&
        block.start - kept[last].end < shortest_ &&
        block.end - kept[last].start <= longestBlock * shortest_) {
      CallBlock &before = kept[last];
      before.end = block.end;
      before.calls = SaturatingAdd(before.calls, block.calls);
      before.spent += block.spent;
      before.self += block.self;
      before.suspended += block.suspended;
      before.hides |= block.hides;
      before.lost |= block.lost;
      if (before.function != block.function)
        before.function = CallBlock::mixed;
      continue;
    }
    last = kept.size();
    kept.push_back(block);
  }
  return kept;
}
