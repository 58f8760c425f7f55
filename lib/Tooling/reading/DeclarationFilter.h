//===- DeclarationFilter.h - Modifies the declarations of a record --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_DECLARATIONFILTER_H
#define WARPO_LIB_TOOLING_DECLARATIONFILTER_H

#include "warpo/Record/RecordFormat.h"
#include <functional>
#include <memory>
#include <vector>

namespace warpo {

/// Forwards all declarations to another observer.
class ForwardingObserver : public DeclarationObserver {
public:
  explicit ForwardingObserver(DeclarationObserver &observer) : observer_(observer) {}

  DeclarationObserver &observer() const { return observer_; }

  void declareModule(size_t index, const RecordedModule &module,
                     llvm::ArrayRef<RecordedModule::Function> added) override {
    observer_.declareModule(index, module, added);
  }
  void declareLinkedFunctions(size_t index, const RecordedModule &module,
                              llvm::ArrayRef<int32_t> added) override {
    observer_.declareLinkedFunctions(index, module, added);
  }
  void declarePlaces(size_t index, const RecordedModule &module) override {
    observer_.declarePlaces(index, module);
  }
  void declareStream(StreamIndex index, const StreamInfo &stream) override {
    observer_.declareStream(index, stream);
  }
  void declareStack(uint32_t index, const RecordedStack &stack) override {
    observer_.declareStack(index, stack);
  }
  void declarePhase(const RecordedPhase &phase) override { observer_.declarePhase(phase); }
  void declareSwitch(const RecordedSwitch &change) override { observer_.declareSwitch(change); }
  /// Called at the end of the record, when everything has been declared and is in its header.
  virtual void finish(const RecordHeader &) {}

private:
  DeclarationObserver &observer_;
};

/// Wraps a reader and modifies its declarations. The header stays unmodified.
class DeclarationFilter final : public RecordFilter {
public:
  /// Creates a wrapper for an observer.
  using Around = std::function<std::unique_ptr<ForwardingObserver>(DeclarationObserver &)>;

  DeclarationFilter(std::unique_ptr<RecordReader> record, Around around)
      : RecordFilter(std::move(record)), around_(std::move(around)) {}

  void observe(DeclarationObserver &observer) override {
    for (const auto &known : observers_)
      if (&known->observer() == &observer)
        return;
    observers_.push_back(around_(observer));
    reader().observe(*observers_.back());
  }
  llvm::Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to) override {
    return reader().keepOnly(from, to);
  }
  llvm::Expected<bool> next(RecordBatch &batch) override {
    auto more = reader().next(batch);
    if (more && !*more)
      for (const auto &observer : observers_)
        observer->finish(header());
    return more;
  }

private:
  Around around_;
  std::vector<std::unique_ptr<ForwardingObserver>> observers_;
};

} // namespace warpo

#endif
