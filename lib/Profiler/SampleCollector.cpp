//===- SampleCollector.cpp ------------------------------------------------===//

#include "SampleCollector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using std::chrono::nanoseconds;

/// Frames of a stack that the tree has a use for, from the outermost: one more than it shows is its
/// `(deeper)`.
static constexpr size_t greatestDepth = CallTreeOptions().maxDepth + 1;

void SampleCollector::adoptNames() {
  RecordedModule &module = header_.modules.front();
  for (const FunctionName &function : drop_begin(instance_.functions_, module.functions.size())) {
    module.functions.push_back(
        {function.id, uint32_t(module.names.size()), uint32_t(function.name.size())});
    module.names += function.name;
  }
  header_.namedFunctions = module.functions.size();
  functions_.adopt(header_);
}

SampleCollector::SampleCollector(ProfiledInstance &instance, const SamplingRequest &request)
    : instance_(instance), begin_(std::chrono::steady_clock::now()),
      times_(begin_, nanoseconds(request.periodNanoseconds())), clock_(request, times_),
      tree_(functions_, CallTreeOptions()), lastTime_(begin_) {
  RecordedModule &module = header_.modules.emplace_back();
  module.id = instance.moduleId_;
  module.name = instance.name_;
  header_.fuelClock = instance.fuelClock_;
  adoptNames();
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
    entry->second = uint32_t(header_.stacks.size());
    header_.stacks.push_back({parent, id, instance_.moduleId_});
  }
  return entry->second;
}

uint32_t SampleCollector::stackOf(ArrayRef<OpenCall> innermostFirst) {
  uint32_t stack = 0;
  for (const OpenCall &call : reverse(innermostFirst.take_back(greatestDepth)))
    stack = childOf(stack, call.id);
  adoptNames();
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
    sample.fuelSince = fuel - lastFuel_;
    sample.stack = stackOf(instance_.calls_.innermostFirst());
    // Without frames it is the embedder's own: the next one does not have it.
    if (sample.stack != 0)
      tree_.add(sample);
    lastTime_ = now;
    lastFuel_ = fuel;
  }
  return *fuelBefore_ + clock_.next();
}

Profile SampleCollector::profile() const {
  ProfileClocks clocks{.scale = TimeScale(), .fuel = header_.fuelClock};
  return makeProfile(tree_.tree(), functions_, clocks, instance_.name_);
}
