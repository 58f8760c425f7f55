//===- InstrumentationFlags.cpp -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "InstrumentationFlags.h"
#include "warpo/Tooling/KnownValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

/// An option with one of several values, any value, or none.
class InstrumentationFlags::Flag {
public:
  Flag(const InstrumentationOption &option, cl::OptionCategory &category) : option_(option) {
    if (option.valueName.empty()) {
      flag_.emplace(StringRef(option.name), cl::desc(option.description), cl::cat(category));
      return;
    }
    if (option.values.empty()) {
      text_.emplace(StringRef(option.name), cl::desc(option.description),
                    cl::value_desc(option.valueName), cl::cat(category));
      return;
    }
    choice_.emplace(StringRef(option.name), cl::desc(option.description), cl::cat(category));
    for (const auto &[i, value] : enumerate(option.values)) {
      choice_->getParser().addLiteralOption(value.name, Choice(i), value.description);
      addKnownValue(*choice_, {value.name, value.description});
    }
  }

  bool isGiven() const {
    if (flag_)
      return flag_->getValue();
    return text_ ? text_->getNumOccurrences() != 0 : choice_->getNumOccurrences() != 0;
  }
  GivenOption given() const {
    if (flag_)
      return {option_.name.str(), ""};
    return {option_.name.str(),
            text_ ? text_->getValue() : option_.values[size_t(choice_->getValue())].name.str()};
  }

private:
  /// An index into the option's values.
  enum class Choice : size_t {};

  const InstrumentationOption &option_;
  std::optional<cl::opt<bool>> flag_;
  std::optional<cl::opt<std::string>> text_;
  std::optional<cl::opt<Choice>> choice_;
};

InstrumentationFlags::InstrumentationFlags(cl::OptionCategory &category) {
  auto known = warpo::Registry<Instrumentation>::entries();
  if (!known) {
    // Reported when an instrumentation is created.
    consumeError(known.takeError());
    return;
  }
  for (const RegistryEntryInfo &entry : *known)
    // The declarations outlive the instrumentation.
    for (const InstrumentationOption &option :
         cantFail(warpo::Registry<Instrumentation>::create(entry.name))->options())
      flags_.push_back(std::make_unique<Flag>(option, category));
}

InstrumentationFlags::~InstrumentationFlags() = default;

std::vector<GivenOption> InstrumentationFlags::given() const {
  std::vector<GivenOption> options;
  for (const auto &flag : flags_)
    if (flag->isGiven())
      options.push_back(flag->given());
  return options;
}
