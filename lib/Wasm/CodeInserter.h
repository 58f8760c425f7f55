//===- CodeInserter.h - Code to insert into a body, by place --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_CODEINSERTER_H
#define WARPO_LIB_WASM_CODEINSERTER_H

#include "Additions.h"
#include "warpo/Wasm/StraightRuns.h"
#include "llvm/ADT/DenseMap.h"

namespace warpo::wasm {

/// For one body after another, provides the places and the code to insert: at begins of runs and at
/// places of CodeEdits. A body is read for runs before it is rewritten, since the cost of a run is
/// only known at its end.
class CodeInserter {
public:
  CodeInserter(const ModuleEditor::Additions &additions, const IndexMap &indices,
               EditStatistics &statistics)
      : additions_(additions), indices_(indices), statistics_(statistics) {
    if (additions.runEdits)
      finder_.emplace(additions.runEdits->costs);
  }

  /// Starts the body of a function, whose added variables begin with `addedLocal`. `cursor` is at
  /// its first instruction. If the body cannot be read, the caller has to report why.
  void beginBody(uint32_t function, const ByteRange &body, ByteCursor cursor, uint32_t addedLocal) {
    addedLocal_ = addedLocal;
    runs_ = {};
    if (finder_) {
      runs_ = finder_->find(cursor);
      if (!cursor.ok())
        runs_ = {};
    }
    insertions_.clear();
    if (additions_.codeEdits)
      additions_.codeEdits(function, insertions_);
    insertions_.finish();
    rest_ = insertions_.places();
    body_ = body.bytes.data();
  }
  /// See CodeInsertions; nothing where code for runs is inserted, which depends on the code.
  std::optional<uint8_t> traits() const { return finder_ ? std::nullopt : insertions_.traits(); }
  /// The next place; null if there is none.
  const uint8_t *place() const {
    const uint8_t *insertion = insertionPlace();
    if (runs_.empty() || (insertion && insertion < runs_.front().begin))
      return insertion;
    return runs_.front().begin;
  }
  /// What is inserted at one place.
  struct Insertion {
    llvm::ArrayRef<uint8_t> ofRun;
    llvm::ArrayRef<CodeInsertions::Place> ofPlace;

    bool empty() const {
      return ofRun.empty() &&
             llvm::all_of(ofPlace, [](const CodeInsertions::Place &each) { return each.empty(); });
    }
  };
  /// Returns what to insert there, and moves to the next place.
  Insertion take() {
    const uint8_t *here = place();
    Insertion insertion;
    if (!runs_.empty() && runs_.front().begin == here)
      insertion.ofRun = takeRun();
    insertion.ofPlace = rest_.take_while(
        [&](const CodeInsertions::Place &each) { return body_ + each.offset == here; });
    rest_ = rest_.drop_front(insertion.ofPlace.size());
    return insertion;
  }
  void write(const Insertion &insertion, ByteWriter &writer) const {
    resolve(insertion.ofPlace, /*isBeforeRun=*/true, writer);
    writer.bytes(insertion.ofRun);
    resolve(insertion.ofPlace, /*isBeforeRun=*/false, writer);
  }

private:
  const uint8_t *insertionPlace() const {
    return rest_.empty() ? nullptr : body_ + rest_.front().offset;
  }
  void resolve(llvm::ArrayRef<CodeInsertions::Place> places, bool isBeforeRun,
               ByteWriter &writer) const {
    for (const CodeInsertions::Place &each : places)
      if (each.isBeforeRun != isBeforeRun)
        continue;
      else if (each.shared)
        indices_.resolve(*each.shared, {{}, each.shared->end()}, addedLocal_, writer, each.shift);
      else
        indices_.resolve(insertions_.code(), each.code, addedLocal_, writer);
  }
  llvm::ArrayRef<uint8_t> takeRun() {
    const StraightRun &run = runs_.front();
    runs_ = runs_.drop_front();
    auto [entry, isNew] = codeOfRun_[size_t(run.place)].try_emplace(run.cost);
    if (isNew) {
      CodeSequence sequence;
      additions_.runEdits->edit(RunSite{run.cost, run.place}, sequence);
      ByteWriter writer(entry->second);
      indices_.resolve(sequence, /*addedLocal=*/0, writer);
    }
    statistics_.runs += !entry->second.empty();
    return entry->second;
  }

  const ModuleEditor::Additions &additions_;
  const IndexMap &indices_;
  EditStatistics &statistics_;
  std::optional<StraightRunFinder> finder_;
  llvm::ArrayRef<StraightRun> runs_;
  /// The code by RunPlace and cost.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint8_t, 16>> codeOfRun_[3];
  CodeInsertions insertions_;
  llvm::ArrayRef<CodeInsertions::Place> rest_;
  const uint8_t *body_ = nullptr;
  uint32_t addedLocal_ = 0;
};

} // namespace warpo::wasm

#endif
