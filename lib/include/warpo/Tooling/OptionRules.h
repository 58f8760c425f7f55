//===- OptionRules.h - Checks combinations of options ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Modifiers beside an option's description state what it needs and what it excludes. The table of
// these rules decides whether a command line is valid, and provides all error messages.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_OPTIONRULES_H
#define WARPO_TOOLING_OPTIONRULES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace warpo {

/// A condition that an option can need.
enum class Need : uint8_t {
  // Conditions on the input, and on options that select a part of it.
  calls,
  samples,
  heap,
  singleCalls,
  sums,
  wholeRecord,
  weights,
  clock,
  recordingCost,
  utc,
  oneRecord,
  // Conditions on the output format.
  compression,
  chunks,
  leftOutTime,
  ratios,
  links,
  labels,
  windows,
  // Conditions on the program to run.
  fuelLimit,
  fuelTrace,
  sampling,
  heapCalls,
  counts,
};

/// A modifier for an option, like cl::desc.
class OptionRule {
public:
  enum class Kind : uint8_t { needs, lacks, needsOption, excludes, isAlternative, isSingle };

  OptionRule(Kind kind, Need need) : kind_(kind), need_(need) {}
  OptionRule(Kind kind, std::vector<llvm::StringRef> others)
      : kind_(kind), others_(std::move(others)) {}

  /// Applies only if the option's value matches this glob.
  OptionRule when(llvm::StringRef value) const;
  /// Adds a reason to the error message.
  OptionRule because(llvm::StringRef reason) const;

  template <typename Option> void apply(Option &option) const {
    OptionRule rule = *this;
    rule.option_ = std::addressof(option);
    rule.value_ = [](const llvm::cl::Option &given) -> std::string {
      if constexpr (std::is_same_v<Option, llvm::cl::opt<std::string>>)
        return static_cast<const Option &>(given);
      if constexpr (std::is_same_v<Option, llvm::cl::opt<bool>>)
        return static_cast<const Option &>(given) ? "" : "false";
      return "";
    };
    rule.enter();
  }

private:
  friend llvm::Error checkOptions();
  friend llvm::Error checkNeeds(Need lacking, const llvm::Twine &fact);

  void enter() const;
  bool applies() const;
  llvm::Error check() const;
  llvm::Error excluding(llvm::StringRef other, const llvm::Twine &reason = "") const;
  /// The option as written on the command line, with its value if that matters.
  std::string spelling() const;

  Kind kind_;
  Need need_ = {};
  std::vector<llvm::StringRef> others_;
  std::optional<llvm::StringRef> when_;
  llvm::StringRef reason_;
  const llvm::cl::Option *option_ = nullptr;
  std::string (*value_)(const llvm::cl::Option &) = nullptr;
};

inline OptionRule needs(Need need) { return {OptionRule::Kind::needs, need}; }
/// This option makes a condition false that other options need.
inline OptionRule lacks(Need need) { return {OptionRule::Kind::lacks, need}; }
/// `option` is a name without dashes.
inline OptionRule needs(llvm::StringRef option) {
  return {OptionRule::Kind::needsOption, std::vector{option}};
}
inline OptionRule excludes(std::vector<llvm::StringRef> options) {
  return {OptionRule::Kind::excludes, std::move(options)};
}
/// Only one of a tool's alternatives can be given.
inline OptionRule isAlternative() { return {OptionRule::Kind::isAlternative, Need()}; }
/// May be given only once, under any of its names.
inline OptionRule isSingle() { return {OptionRule::Kind::isSingle, Need()}; }

/// Fails if the given options cannot be combined. Called by toolMain.
llvm::Error checkOptions();

/// Fails if a given option needs `lacking`; `fact` says why it is not fulfilled: `--from needs
/// single calls, but a saved profile has sums only`.
llvm::Error checkNeeds(Need lacking, const llvm::Twine &fact);

/// The same error for an option that is known to be given, with its spelling.
llvm::Error unmetNeed(const llvm::Twine &option, Need lacking, const llvm::Twine &fact);

} // namespace warpo

#endif
