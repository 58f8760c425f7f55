//===- SampleCollector.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampleCollector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using std::chrono::nanoseconds;

/// The number of outermost frames of a stack that the tree uses: one more than it shows, for
/// `(deeper)`.
static constexpr size_t greatestDepth = CallTreeOptions().maxDepth + 1;

void SampleCollector::declareNames() {
  size_t known = module_.functions.size();
  for (const FunctionName &function : drop_begin(instance_.functions_, known))
    module_.addFunction(function.id, function.name);
  functions_.declareModule(0, module_, ArrayRef(module_.functions).drop_front(known));
}

SampleCollector::SampleCollector(ProfiledInstance &instance, const SamplingRequest &request)
    : instance_(instance), request_(request), begin_(std::chrono::steady_clock::now()),
      times_(begin_, nanoseconds(request.periodNanoseconds())), clock_(request, times_),
      tree_(functions_, header_, CallTreeOptions()), lastTime_(begin_) {
  module_.id = instance.moduleId_;
  module_.name = instance.name_;
  header_.measures.front().scale = TimeScale();
  header_.measures.push_back({.name = "fuel", .unit = instance.fuelClock_});
  declareNames();
  std::swap(callsBefore_, instance_.calls_);
  instance_.collector_ = this;
  uint64_t *point = instance_.samplePoint_;
  if (!point)
    return;
  __atomic_store_n(point, 0, __ATOMIC_RELAXED);
  if (!request.everyFuel)
    timer_.emplace(begin_, nanoseconds(request.periodNanoseconds()), point);
}

SampleCollector::~SampleCollector() {
  instance_.collector_ = nullptr;
  std::swap(callsBefore_, instance_.calls_);
}

uint32_t SampleCollector::childOf(uint32_t parent, int32_t id) {
  auto [entry, isNew] = stacks_.try_emplace(uint64_t(parent) << 32 | uint32_t(id), 0);
  if (isNew) {
    // 0 is the stack without frames.
    entry->second = uint32_t(stacks_.size());
    functions_.declareStack(entry->second, {parent, id, instance_.moduleId_});
  }
  return entry->second;
}

uint32_t SampleCollector::stackOf(ArrayRef<OpenCall> innermostFirst) {
  declareNames();
  uint32_t stack = 0;
  for (const OpenCall &call : reverse(innermostFirst.take_back(greatestDepth)))
    stack = childOf(stack, call.id);
  return stack;
}

uint64_t SampleCollector::sample(uint64_t fuel) {
  Time now = std::chrono::steady_clock::now();
  if (!fuelBefore_)
    fuelBefore_ = fuel;
  fuel -= *fuelBefore_;
  if (clock_.isDue(fuel, now)) {
    StackSample sample;
    sample.timeSince = uint64_t(nanoseconds(now - lastTime_).count());
    sample.countsSince[fuelColumn] = fuel - lastFuel_;
    sample.stack = stackOf(instance_.calls_.innermostFirst());
    // A sample without frames belongs to the embedder; its amounts are not added to the next one.
    if (sample.stack != 0)
      tree_.add(sample);
    lastTime_ = now;
    lastFuel_ = fuel;
  }
  return *fuelBefore_ + clock_.next();
}

Profile SampleCollector::profile() const {
  Profile profile = makeProfile(tree_.tree(), functions_, header_.measures, instance_.name_);
  const Measure &fuel = header_.columns()[fuelColumn];
  profile.samplePeriod = request_.everyFuel
                             ? SamplePeriod{fuel.name, fuel.unit, *request_.everyFuel}
                             : SamplePeriod{"time", "ns", request_.periodNanoseconds()};
  return profile;
}
