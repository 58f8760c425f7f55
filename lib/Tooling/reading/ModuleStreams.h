//===- ModuleStreams.h - Finds the streams of a module --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_MODULESTREAMS_H
#define WARPO_LIB_TOOLING_MODULESTREAMS_H

#include "warpo/Order/FirstExecutions.h"
#include "warpo/Order/FunctionMatch.h"
#include "warpo/Tooling/ProfileInput.h"
#include <set>
#include <unordered_map>

namespace warpo {

/// Watches a record, and finds the streams that belong to the module and the functions that match
/// functions of the module.
///
/// A stream belongs to the module if the record has the module's hash for it, or an identifier made
/// from the hash. If the record has neither, and all streams belong to one module, that is assumed
/// to be the module.
class ModuleStreams : public RecordWatcher {
public:
  /// `matcher` must outlive this, and may be used for several records.
  explicit ModuleStreams(FunctionMatcher &matcher) : module_(matcher.module()), matcher_(matcher) {}

  EventSink &watch(RecordInput &record) override;
  void watched(RecordInput &record, const SlicingResult &result) override;

  /// Whether there was a record; a saved profile has no events to watch.
  bool sawRecord() const { return sawRecord_; }
  /// Why no stream was selected; empty if there is one, or if the record has no calls.
  const std::string &problem() const { return problem_; }

  /// The orders of first executions, as functions of the module: one per stream, or one for all.
  /// Omits streams that executed nothing.
  std::vector<std::vector<uint32_t>> executions(bool eachStream) const;
  /// Unique names of executed functions that were not found.
  const std::vector<std::string> &unmatched() const { return unmatched_; }

  /// The function of the module for a function in a profile of the record; nothing if there is
  /// none.
  std::optional<uint32_t> find(uint32_t profileModule, int32_t id) const;

private:
  enum class Belonging : uint8_t { ours, unknown, others };
  /// `recorded` is the record's description of the module, or null.
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
  /// The module ids in them that are assumed to be the module.
  std::set<uint64_t> moduleIds_;
  /// By stream of the record.
  std::vector<StreamIndex> stackOf_;
  /// By the module's number in the table, and the id.
  std::unordered_map<uint64_t, uint32_t> byId_;
  /// By FunctionIndex.
  std::vector<std::optional<uint32_t>> functions_;
  std::vector<std::string> unmatched_;
};

} // namespace warpo

#endif
