//===- HostCallsSlicer.cpp - Only calls by the host -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An overview of a huge record: the outermost call of each stack from empty to empty.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/CallFilter.h"

using namespace warpo;

namespace {

class HostCallsSlicer : public CallFilter {
  bool keeps(StreamIndex, FunctionIndex, size_t depth) override { return depth == 0; }
  // A window's columns begin with their values at the last kept call before it.
  bool needsOpenCallsOnly(const RecordHeader &header) const override {
    return header.hasTime() && header.columns().empty();
  }
};

warpo::Registry<Slicer>::Add<HostCallsSlicer>
    registration("host-calls", "one event for each complete call from the host");

} // namespace
