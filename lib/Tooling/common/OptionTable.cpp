//===- OptionTable.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OptionTable.h"
#include <map>

using namespace llvm;
using namespace warpo;

// A function-local static, as options add their values before main, in unspecified order.
static std::map<const cl::Option *, std::vector<KnownValue>> &valueTable() {
  static std::map<const cl::Option *, std::vector<KnownValue>> table;
  return table;
}

void warpo::addKnownValue(const cl::Option &option, KnownValue value) {
  valueTable()[&option].push_back(value);
}

ArrayRef<KnownValue> warpo::knownValues(const cl::Option &option) {
  auto entry = valueTable().find(&option);
  return entry == valueTable().end() ? ArrayRef<KnownValue>() : ArrayRef(entry->second);
}

/// The value like in LLVM's --help.
static std::string valueOf(const cl::Option &option) {
  bool isOptional = option.getValueExpectedFlag() == cl::ValueOptional;
  if (option.getValueExpectedFlag() == cl::ValueDisallowed ||
      (isOptional && option.ValueStr.empty()))
    return "";
  std::string value =
      ("<" + (option.ValueStr.empty() ? StringRef("value") : option.ValueStr) + ">").str();
  if (isOptional)
    return "[=" + value + "]";
  return (option.ArgStr.size() == 1 ? " " : "=") + value;
}

static ShownOption shown(StringRef name, const cl::Option &option) {
  ShownOption result;
  result.name = name;
  result.spelling = ((name.size() == 1 ? "-" : "--") + name).str();
  result.value = valueOf(option);
  // fitHelp() may have inserted line breaks.
  result.description = option.HelpStr.str();
  std::replace(result.description.begin(), result.description.end(), '\n', ' ');
  result.values = knownValues(option);
  return result;
}

std::vector<ShownGroup> warpo::shownOptions() {
  std::map<StringRef, std::map<StringRef, const cl::Option *>> groups;
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.second->getOptionHiddenFlag() == cl::NotHidden)
      for (const cl::OptionCategory *category : entry.second->Categories)
        groups[category->getName()][entry.first()] = entry.second;
  std::vector<ShownGroup> result;
  for (const auto &[name, options] : groups) {
    ShownGroup &group = result.emplace_back();
    group.name = name;
    for (const auto &[optionName, option] : options)
      group.options.push_back(shown(optionName, *option));
  }
  return result;
}

std::string warpo::usageArguments() {
  std::string usage = "[options]";
  const cl::SubCommand &all = cl::SubCommand::getTopLevel();
  for (const cl::Option *option : all.PositionalOpts)
    usage.append(" ").append(option->HelpStr);
  if (all.ConsumeAfterOpt)
    usage.append(" ").append(all.ConsumeAfterOpt->HelpStr);
  return usage;
}
