//===- Profiler.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profiler/Profiler.h"
#include "SampleCollector.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Profile/Views.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;
using namespace warpo;

Error TakenProfile::write(StringRef format, raw_ostream &os) const {
  auto backend = warpo::Registry<ProfileBackend>::create(format);
  if (!backend)
    return backend.takeError();
  return (*backend)->write(demangle(*this), os);
}

Profiler::Profiler(ProfiledInstance &instance) : instance_(instance) {}
Profiler::~Profiler() = default;

Profiler &Profiler::frequency(uint64_t hertz) {
  request_.frequency = hertz;
  request_.everyFuel = std::nullopt;
  return *this;
}

Profiler &Profiler::everyFuel(uint64_t fuel) {
  request_.everyFuel = fuel;
  return *this;
}

Profiler &Profiler::weightUnit(WeightUnit unit) {
  unit_ = unit;
  return *this;
}

Error Profiler::begin() {
  if (request_.everyFuel && (*request_.everyFuel == 0 || *request_.everyFuel > INT64_MAX))
    return makeError("the fuel between samples is " + Twine(*request_.everyFuel) +
                     ", not a number from 1 to 2^63-1");
  if (request_.frequency == 0 || request_.frequency > SamplingRequest::greatestFrequency)
    return makeError("the frequency of samples is " + Twine(request_.frequency) +
                     ", not a number from 1 to " + Twine(SamplingRequest::greatestFrequency));
  if (instance_.isProfiled())
    return makeError(instance_.name() + " is being profiled already");
  if (!instance_.countsFuel_ && (request_.everyFuel || !instance_.samplePoint_))
    return makeError(instance_.name() + " counts no fuel (--due=time): its samples need a " +
                     (request_.everyFuel ? "frequency" : "sample point"));
  taken_.reset();
  collector_ = std::make_unique<SampleCollector>(instance_, request_);
  return Error::success();
}

static StringRef nameOf(WeightUnit unit) {
  switch (unit) {
  case WeightUnit::Time:
    return "time";
  case WeightUnit::Fuel:
    return "fuel";
  case WeightUnit::Samples:
    return "samples";
  }
  llvm_unreachable("a unit is one of these");
}

void Profiler::close() {
  if (!collector_)
    return;
  taken_.emplace(TakenProfile{collector_->profile()});
  collector_.reset();
}

Expected<TakenProfile> Profiler::end() {
  close();
  if (!taken_)
    return makeError("no profile of " + instance_.name() + " has begun");
  TakenProfile profile = std::move(*taken_);
  taken_.reset();
  // A profile without samples has fewer weights.
  if (auto weight = profile.findWeight(nameOf(unit_)))
    profile.shown = *weight;
  return profile;
}

Expected<TakenProfile> Profiler::profile(function_ref<void()> function) {
  if (Error error = begin())
    return error;
  {
    // After an exception, the instance can be profiled again.
    auto closing = make_scope_exit([this] { close(); });
    function();
  }
  return end();
}
