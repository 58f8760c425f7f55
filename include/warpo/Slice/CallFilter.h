//===- CallFilter.h - Slicers that keep some of the calls -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_CALLFILTER_H
#define WARPO_SLICE_CALLFILTER_H

#include "warpo/Slice/Slicer.h"
#include <memory>
#include <vector>

namespace warpo {

/// A slicer that decides for each call, nested and repaired, whether to keep it. The callees of a
/// call that is left out are decided separately; they become callees of the call around it.
class CallFilter : public Slicer {
public:
  void process(const RecordBatch &batch, EventBuilder &calls) final;
  void finish(EventBuilder &calls) final;

protected:
  /// Whether to keep a call of `function` within `depth` other calls, kept or not; 0: the host's.
  virtual bool keeps(StreamIndex stream, FunctionIndex function, size_t depth) = 0;
  /// The most recently begun open call of the stream ends.
  virtual void ends(StreamIndex stream, FunctionIndex function) {}

private:
  struct Stream {
    /// All calls.
    std::unique_ptr<EventBuilder> all;
    /// By open call: whether it is kept.
    std::vector<bool> kept;
  };
  Stream &streamOf(EventBuilder &calls);
  void forward(Stream &stream, EventBuilder &calls);
  void forward(Stream &stream, const Event &event, const Counts &counts, EventBuilder &calls);

  std::vector<Stream> streams_;
};

} // namespace warpo

#endif
