//===- RunInserter.h - What to insert where straight runs begin -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_RUNINSERTER_H
#define WARPO_LIB_WASM_RUNINSERTER_H

#include "Additions.h"
#include "warpo/Wasm/StraightRuns.h"
#include "llvm/ADT/DenseMap.h"

namespace warpo::wasm {

/// Says for one body after another where runs begin, and what to insert there. A body is read for
/// it before it is rewritten, since the cost of a run is known only at its end.
class RunInserter {
public:
  RunInserter(const ModuleEditor::Additions::RunEdits &edits, const IndexMap &indices)
      : edits_(edits), indices_(indices), finder_(edits.costs) {}

  /// Turns to a body. The cursor stands at its first instruction; a copy of it reads the body, and
  /// leaves it to the caller to say why it cannot be read.
  void beginBody(ByteCursor cursor) {
    next_ = finder_.find(cursor);
    if (!cursor.ok())
      next_ = {};
  }
  /// Where the next run begins; null if there is none.
  const uint8_t *place() const { return next_.empty() ? nullptr : next_.front().begin; }
  /// What to insert there; turns to the run behind it.
  llvm::ArrayRef<uint8_t> take() {
    const StraightRun &run = next_.front();
    next_ = next_.drop_front();
    auto [entry, isNew] = code_[size_t(run.place)].try_emplace(run.cost);
    if (isNew)
      fill(run, entry->second);
    return entry->second;
  }

private:
  void fill(const StraightRun &run, llvm::SmallVectorImpl<uint8_t> &code) const {
    CodeSequence sequence;
    edits_.edit(RunSite{run.cost, run.place}, sequence);
    indices_.resolve(sequence, /*addedLocal=*/0, code);
  }

  const ModuleEditor::Additions::RunEdits &edits_;
  const IndexMap &indices_;
  StraightRunFinder finder_;
  llvm::ArrayRef<StraightRun> next_;
  /// By place and cost: what has been asked for already.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint8_t, 16>> code_[3];
};

} // namespace warpo::wasm

#endif
