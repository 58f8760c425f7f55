//===- QuietCall.cpp ------------------------------------------------------===//

#include "QuietCall.h"
#include "warpo/Wasm/TracePoints.h"

using namespace llvm;
using namespace warpo;

QuietCall::QuietCall(ArrayRef<StoppedInstance *> instances) {
  const std::pair<StringRef, uint64_t> meanwhile[] = {
      {wasm::fuelExport, 0},
      {wasm::fuelLimitExport, INT64_MAX},
      {wasm::sampleDueExport, mostFuel},
  };
  for (StoppedInstance *instance : instances)
    for (const auto &[name, bits] : meanwhile)
      if (auto before = instance->global(name)) {
        counters_.push_back({instance, name, *before});
        instance->setGlobal(name, bits);
      }
}

QuietCall::~QuietCall() {
  for (const Counter &counter : counters_)
    counter.instance->setGlobal(counter.name, counter.bits);
}
