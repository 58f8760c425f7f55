//===- CallFilter.h - Slicers that keep some of the calls -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_CALLFILTER_H
#define WARPO_SLICE_CALLFILTER_H

#include "warpo/Slice/Slicer.h"
#include <memory>
#include <vector>

namespace warpo {

/// A slicer that is asked of every call, nested and repaired, whether it is to be kept. What a call
/// that is left out calls is asked for all the same, and moves up to the call around it.
class CallFilter : public Slicer {
public:
  void process(const RecordBatch &batch, EventBuilder &calls) final;
  void finish(EventBuilder &calls) final;

protected:
  /// A call of `function` begins within `depth` others, kept or not; 0: it is the host's.
  virtual bool keeps(StreamIndex stream, FunctionIndex function, size_t depth) = 0;
  /// The call of the stream that was begun last, and has not ended yet, ends.
  virtual void ends(StreamIndex stream, FunctionIndex function) {}

private:
  struct Stream {
    /// Of all calls.
    std::unique_ptr<EventBuilder> all;
    /// Of each open call, whether it is kept.
    std::vector<bool> kept;
  };
  Stream &streamOf(EventBuilder &calls);
  void forward(Stream &stream, EventBuilder &calls);
  void forward(Stream &stream, const Event &event, const Counts &counts, EventBuilder &calls);

  std::vector<Stream> streams_;
};

} // namespace warpo

#endif
