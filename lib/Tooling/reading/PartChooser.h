//===- PartChooser.h - Selects the calls or the samples of a record -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_PARTCHOOSER_H
#define WARPO_LIB_TOOLING_PARTCHOOSER_H

#include "warpo/Slice/Event.h"
#include "warpo/Support/StreamSpool.h"
#include "warpo/Tooling/ReadingTool.h"
#include <functional>

namespace warpo {

/// Forwards the calls or the samples of a record, according to `part`. `any` means samples if there
/// are no calls: they wait in a StreamSpool until the record ends.
class PartChooser : public EventSink {
public:
  /// Does not call finish() of `calls`: `samples` has to forward to it. Calls `onSamples` before
  /// the first sample is forwarded. All referenced objects must outlive this.
  PartChooser(RecordPart part, EventSink &calls, EventSink &samples,
              std::function<void()> onSamples)
      : part_(part), calls_(calls), samples_(samples), onSamples_(std::move(onSamples)) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override;
  bool done() const override { return calls_.done(); }

  /// Whether the record has calls, forwarded or not.
  bool hasCalls() const { return hasCalls_; }

private:
  llvm::Error handOn(const SideBatch &batch);

  RecordPart part_;
  EventSink &calls_;
  EventSink &samples_;
  std::function<void()> onSamples_;
  bool hasCalls_ = false;
  bool saidSamples_ = false;
  StreamSpool<StackSample> waiting_;
  StreamIndex waitingStreams_ = 0;
};

} // namespace warpo

#endif
