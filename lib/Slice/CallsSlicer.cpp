//===- CallsSlicer.cpp - Every call of every function ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/Slicer.h"

using namespace warpo;

namespace {

class CallsSlicer : public Slicer {
public:
  void process(const RecordBatch &batch, EventBuilder &calls) override { calls.replay(batch); }
  bool needsOpenCallsOnly(const RecordHeader &) const override { return true; }
};

warpo::Registry<Slicer>::Add<CallsSlicer> registration("calls", "every call of every function");

} // namespace
