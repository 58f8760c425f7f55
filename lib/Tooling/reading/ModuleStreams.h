//===- ModuleStreams.h - What a record says of one module -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_MODULESTREAMS_H
#define WARPO_LIB_TOOLING_MODULESTREAMS_H

#include "warpo/Order/FirstExecutions.h"
#include "warpo/Order/FunctionMatch.h"
#include "warpo/Tooling/ProfileInput.h"
#include <set>
#include <unordered_map>

namespace warpo {

/// Watches a record, and finds which of its streams are of the module and which functions its
/// functions are.
///
/// A stream is of the module if the record says so by the module's hash, or by an identifier that
/// is made of it. Where it says nothing, and all streams are of one module, that is taken to be it.
class ModuleStreams : public RecordWatcher {
public:
  /// `matcher` must outlive it, and may serve several records.
  explicit ModuleStreams(FunctionMatcher &matcher) : module_(matcher.module()), matcher_(matcher) {}

  EventSink &watch(RecordInput &record) override;
  void watched(RecordInput &record, const SlicingResult &result) override;

  /// Whether there was a record; a saved profile has no events to watch.
  bool sawRecord() const { return sawRecord_; }
  /// Why no stream is taken; empty if some are, or if the record has no calls.
  const std::string &problem() const { return problem_; }

  /// The orders of the first executions, in functions of the module: one for each stream, or one of
  /// all. None of those that executed nothing.
  std::vector<std::vector<uint32_t>> executions(bool eachStream) const;
  /// Names of functions that ran and are not found, each once.
  const std::vector<std::string> &unmatched() const { return unmatched_; }

  /// The function of the module that a profile of the record calls so; nothing if it is none.
  std::optional<uint32_t> find(uint32_t profileModule, int32_t id) const;

private:
  enum class Belonging : uint8_t { ours, unknown, others };
  /// `recorded` is what the record says of the module; nothing if it does not.
  Belonging belongingOf(uint64_t moduleId, const RecordedModule *recorded) const;
  std::vector<StreamIndex> chooseStreams(RecordInput &record);
  llvm::ArrayRef<FirstExecutions::Execution> executionsOf(StreamIndex stream) const {
    StreamIndex stack = stackOf_[stream];
    return stack < executions_.streamCount() ? executions_.of(stack)
                                             : llvm::ArrayRef<FirstExecutions::Execution>();
  }
  void match(RecordInput &record);

  const OrderModule &module_;
  FunctionMatcher &matcher_;
  bool sawRecord_ = false;
  std::string problem_;
  FirstExecutions executions_;
  std::vector<StreamIndex> streams_;
  /// What of them is taken for the module.
  std::set<uint64_t> moduleIds_;
  /// Of each stream of the record.
  std::vector<StreamIndex> stackOf_;
  /// By the table's number of the module, and the id.
  std::unordered_map<uint64_t, uint32_t> byId_;
  /// By FunctionIndex.
  std::vector<std::optional<uint32_t>> functions_;
  std::vector<std::string> unmatched_;
};

} // namespace warpo

#endif
