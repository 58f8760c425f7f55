//===- ProfiledInstance.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profiler/ProfiledInstance.h"
#include "SampleCollector.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Support/Utf8.h"
#include "warpo/Wasm/Counters.h"
#include "warpo/Wasm/FuelCosts.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Wasm/TracePoints.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

/// Maximum length in bytes and number of sections' names, as in records.
static constexpr size_t longestName = 1024;
static constexpr size_t mostSections = 65000;

/// Fuel until the next check of an instance that is not being profiled and whose sample point
/// cannot be lowered: a fraction of a millisecond.
static constexpr int64_t idleStep = 100000;

Expected<std::unique_ptr<ProfiledInstance>> ProfiledInstance::create(ArrayRef<uint8_t> bytes,
                                                                     StringRef name) {
  auto module = wasm::readModule(bytes, name);
  if (!module)
    return module.takeError();
  auto asksFor = [&](wasm::HostCall call) {
    return any_of(module->imports, [&](const wasm::Import &import) {
      const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
      return info && info->call == call;
    });
  };
  if (asksFor(wasm::HostCall::sampleCaller))
    return fileError(name, "it leaves the stack to the engine, but a profiler needs the module to "
                           "keep it: instrument it with --stack=shadow");
  if (!asksFor(wasm::HostCall::sample) || !asksFor(wasm::HostCall::enterFrame))
    return fileError(name, "it cannot be sampled: instrument it with --instrumentation=sample");
  auto identity = wasm::readModuleIdentity(bytes, name);
  if (!identity)
    return identity.takeError();
  auto costs = wasm::readFuelCostsName(bytes, name);
  if (!costs)
    return costs.takeError();
  std::unique_ptr<ProfiledInstance> instance(new ProfiledInstance());
  instance->moduleId_ = *identity ? (*identity)->moduleId : 1;
  instance->name_ = name.str();
  instance->functions_ = tracedNames(bytes);
  instance->countsFuel_ =
      findCounter(*module, wasm::Counter::fuel) || !findCounter(*module, wasm::Counter::sampleDue);
  std::string costsName = costs->value_or("1");
  instance->fuelClock_ = costsName == "1" ? "fuel" : "fuel:" + costsName;
  return instance;
}

ProfiledInstance::~ProfiledInstance() = default;

int32_t ProfiledInstance::sectionId(StringRef name) {
  name = name.empty() ? "(unnamed section)" : takeCharacters(name, longestName);
  if (sections_.size() >= mostSections && !sections_.contains(name))
    name = "(further sections)";
  auto [entry, isNew] = sections_.try_emplace(name, firstSectionId + int32_t(sections_.size()));
  if (isNew)
    functions_.push_back({entry->second, name.str()});
  return entry->second;
}

int64_t ProfiledInstance::sample(int64_t fuel) {
  if (collector_)
    return int64_t(std::min(collector_->sample(uint64_t(fuel)), uint64_t(INT64_MAX)));
  return samplePoint_ ? INT64_MAX : fuel + idleStep;
}
