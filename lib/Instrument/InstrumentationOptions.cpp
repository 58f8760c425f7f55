//===- InstrumentationOptions.cpp - Checks and sets options ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace warpo;

Error Instrumentation::setOption(StringRef name, StringRef) {
  return makeError("has no option '" + name + "'");
}

static const InstrumentationOption *findOption(const Instrumentation &instrumentation,
                                               StringRef name) {
  for (const InstrumentationOption &option : instrumentation.options())
    if (option.name == name)
      return &option;
  return nullptr;
}

/// Explains why no chosen instrumentation has the option.
static Error refuseOption(StringRef name) {
  auto known = warpo::Registry<Instrumentation>::entries();
  if (!known)
    return known.takeError();
  std::vector<StringRef> owners;
  std::set<StringRef> names;
  for (const RegistryEntryInfo &entry : *known) {
    auto instrumentation = warpo::Registry<Instrumentation>::create(entry.name);
    if (!instrumentation)
      return instrumentation.takeError();
    if (findOption(**instrumentation, name))
      owners.push_back(entry.name);
    for (const InstrumentationOption &option : (*instrumentation)->options())
      names.insert(option.name);
  }
  if (owners.empty())
    return makeError("no instrumentation has an option '" + name +
                     "' (known: " + join(names, ", ") + ")");
  return makeError("the option '" + name + "' needs --instrumentation=" + join(owners, " or "));
}

static Error checkValue(const InstrumentationOption &option, StringRef value) {
  if (option.valueName.empty() && !value.empty())
    return makeError("the option '" + option.name + "' takes no value, not '" + value + "'");
  auto nameOf = [](const InstrumentationOption::Value &each) -> StringRef { return each.name; };
  if (option.values.empty() || is_contained(map_range(option.values, nameOf), value))
    return Error::success();
  return makeError("the option '" + option.name + "' takes " +
                   join(map_range(option.values, nameOf), " or ") + ", not '" + value + "'");
}

Error warpo::setOptions(ArrayRef<std::unique_ptr<Instrumentation>> chosen,
                        ArrayRef<GivenOption> given) {
  for (const auto &[name, value] : given) {
    bool isTaken = false;
    for (const auto &instrumentation : chosen) {
      const InstrumentationOption *option = findOption(*instrumentation, name);
      if (!option)
        continue;
      isTaken = true;
      if (Error error = checkValue(*option, value))
        return error;
      if (Error error = instrumentation->setOption(name, value))
        return error;
    }
    if (!isTaken)
      return refuseOption(name);
  }
  return Error::success();
}
