//===- HostCallsSlicer.cpp - Only the calls that the host makes -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The overview of a huge record: of each stack from empty to empty, the outermost call.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/CallFilter.h"

using namespace warpo;

namespace {

class HostCallsSlicer : public CallFilter {
  bool keeps(StreamIndex, FunctionIndex, size_t depth) override { return depth == 0; }
  // A window's columns begin with what they were at the last call that was kept before it.
  bool needsOpenCallsOnly(const RecordHeader &header) const override {
    return header.hasTime() && header.columns().empty();
  }
};

warpo::Registry<Slicer>::Add<HostCallsSlicer>
    registration("host-calls", "one event for each complete call from the host");

} // namespace
