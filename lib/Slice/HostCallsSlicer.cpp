//===- HostCallsSlicer.cpp - Only the calls that the host makes -----------===//
//
// The overview of a huge record: of each stack from empty to empty, the outermost call.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/CallFilter.h"

using namespace warpo;

namespace {

class HostCallsSlicer : public CallFilter {
  bool keeps(StreamIndex, FunctionIndex, size_t depth) override { return depth == 0; }
  // A window's first fuel is that of the last call that was kept before it.
  bool needsOpenCallsOnly(const RecordHeader &header) const override {
    return header.fuelClock.empty();
  }
};

warpo::Registry<Slicer>::Add<HostCallsSlicer>
    registration("host-calls", "one event for each complete call from the host");

} // namespace
