//===- OptionRules.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/OptionRules.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace llvm;
using namespace warpo;

/// `lack` describes an option that makes the condition false.
static constexpr struct {
  Need need;
  StringLiteral name, lack;
} words[] = {
    {Need::calls, "calls", "shows samples only"},
    {Need::samples, "samples", "shows calls only"},
    {Need::heap, "heap events", "shows none"},
    {Need::singleCalls, "single calls", "shows sums only"},
    {Need::sums, "sums", "shows single calls only"},
    {Need::wholeRecord, "the whole record", "takes a part of it"},
    {Need::weights, "weights to choose from", "shows none"},
    {Need::clock, "a clock of time", ""},
    {Need::recordingCost, "the cost of recording", ""},
    {Need::utc, "the time of day", ""},
    {Need::oneRecord, "a single record", ""},
    {Need::compression, "a format that can be compressed", ""},
    {Need::chunks, "a format that can be cut", ""},
    {Need::leftOutTime, "a format that can leave out time", ""},
    {Need::ratios, "a format that can show ratios", ""},
    {Need::links, "a format that can link", ""},
    {Need::labels, "a format with a place for labels", ""},
    {Need::windows, "a format with a place for windows of time", ""},
    {Need::fuelLimit, "a module instrumented with --instrumentation=fuel,fuel-limit", ""},
    {Need::fuelTrace, "modules instrumented with --instrumentation=trace,fuel", ""},
    {Need::sampling, "a module instrumented with --instrumentation=sample", ""},
    {Need::heapCalls, "a module instrumented with --instrumentation=heap", ""},
    {Need::counts, "a module instrumented with --instrumentation=counts", ""},
};

static const auto &wordsOf(Need need) {
  return *find_if(words, [&](const auto &its) { return its.need == need; });
}

static std::vector<OptionRule> &rules() {
  static std::vector<OptionRule> all;
  return all;
}

static std::string dashed(StringRef name) { return (name.size() == 1 ? "-" : "--") + name.str(); }

OptionRule OptionRule::when(StringRef value) const {
  OptionRule rule = *this;
  rule.when_ = value;
  return rule;
}

OptionRule OptionRule::because(StringRef reason) const {
  OptionRule rule = *this;
  rule.reason_ = reason;
  return rule;
}

void OptionRule::enter() const { rules().push_back(*this); }

bool OptionRule::applies() const {
  if (option_->getNumOccurrences() == 0)
    return false;
  std::string value = value_(*option_);
  if (!when_)
    return value != "false";
  return value == *when_ ||
         cantFail(GlobPattern::create(*when_, /*MaxSubPatterns=*/16)).match(value);
}

std::string OptionRule::spelling() const {
  return dashed(option_->ArgStr) + (when_ && !when_->empty() ? "=" + value_(*option_) : "");
}

Error OptionRule::excluding(StringRef other, const Twine &reason) const {
  return makeError(spelling() + " and " + other + " exclude each other" + reason);
}

Error OptionRule::check() const {
  std::string reason = reason_.empty() ? "" : (": " + reason_).str();
  auto isGiven = [](StringRef name) {
    auto option = cl::getRegisteredOptions().find(name);
    return option != cl::getRegisteredOptions().end() && option->second->getNumOccurrences() > 0;
  };
  switch (kind_) {
  case Kind::needs:
    for (const OptionRule &other : rules())
      if (other.kind_ == Kind::lacks && other.need_ == need_ && other.applies())
        return excluding(other.spelling(), ": " + spelling() + " needs " + wordsOf(need_).name +
                                               ", but " + other.spelling() + " " +
                                               wordsOf(need_).lack);
    return Error::success();
  case Kind::lacks:
    return Error::success();
  case Kind::needsOption:
    for (StringRef other : others_)
      if (!isGiven(other))
        return makeError(spelling() + " needs " + dashed(other) + reason);
    return Error::success();
  case Kind::excludes:
    for (StringRef other : others_)
      if (isGiven(other))
        return excluding(dashed(other), reason);
    return Error::success();
  case Kind::isAlternative:
    for (const OptionRule &other : rules())
      if (other.kind_ == kind_ && other.option_ != option_ && other.applies())
        return excluding(other.spelling(), reason);
    return Error::success();
  case Kind::isSingle:
    if (option_->getNumOccurrences() > 1)
      return makeError(spelling() + " can be given only once" + reason);
    return Error::success();
  }
  llvm_unreachable("unknown kind of rule");
}

Error warpo::checkOptions() {
  for (const OptionRule &rule : rules())
    if (rule.applies())
      if (Error error = rule.check())
        return error;
  return Error::success();
}

Error warpo::unmetNeed(const Twine &option, Need lacking, const Twine &fact) {
  return makeError(option + " needs " + wordsOf(lacking).name + ", but " + fact);
}

Error warpo::checkNeeds(Need lacking, const Twine &fact) {
  for (const OptionRule &rule : rules())
    if (rule.kind_ == OptionRule::Kind::needs && rule.need_ == lacking && rule.applies())
      return unmetNeed(rule.spelling(), lacking, fact);
  return Error::success();
}
