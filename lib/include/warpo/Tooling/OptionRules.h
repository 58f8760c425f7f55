//===- OptionRules.h - Which options go together --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An option states what it needs and what it excludes, by modifiers beside its description. The
// table of these rules decides whether a command line makes sense, and words every refusal.
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

/// What an option can need.
enum class Need : uint8_t {
  // Of the input, and of the options that choose something of it.
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
  // Of the output format.
  compression,
  chunks,
  leftOutTime,
  ratios,
  links,
  labels,
  windows,
  // Of the program that is run.
  fuelLimit,
  fuelTrace,
  sampling,
  heapCalls,
  counts,
};

/// A modifier of an option, as cl::desc is.
class OptionRule {
public:
  enum class Kind : uint8_t { needs, lacks, needsOption, excludes, isAlternative, isSingle };

  OptionRule(Kind kind, Need need) : kind_(kind), need_(need) {}
  OptionRule(Kind kind, std::vector<llvm::StringRef> others)
      : kind_(kind), others_(std::move(others)) {}

  /// Only where the option's value matches this glob.
  OptionRule when(llvm::StringRef value) const;
  /// Ends the refusal by a reason.
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
  /// As it stands on the command line, with the value if that matters.
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
/// With this option, other options do not find what they need.
inline OptionRule lacks(Need need) { return {OptionRule::Kind::lacks, need}; }
/// Options are named without dashes.
inline OptionRule needs(llvm::StringRef option) {
  return {OptionRule::Kind::needsOption, std::vector{option}};
}
inline OptionRule excludes(std::vector<llvm::StringRef> options) {
  return {OptionRule::Kind::excludes, std::move(options)};
}
/// Of all alternatives of a tool one can be given.
inline OptionRule isAlternative() { return {OptionRule::Kind::isAlternative, Need()}; }
/// May be given once, by whatever name.
inline OptionRule isSingle() { return {OptionRule::Kind::isSingle, Need()}; }

/// Fails if options that are given do not go together. toolMain calls it.
llvm::Error checkOptions();

/// Fails if an option that is given needs this, with `fact`, which says that it is not there:
/// `--from needs single calls, but a saved profile has sums only`.
llvm::Error checkNeeds(Need lacking, const llvm::Twine &fact);

/// The same refusal, of an option that the caller knows to be given, as it is spelled.
llvm::Error unmetNeed(const llvm::Twine &option, Need lacking, const llvm::Twine &fact);

} // namespace warpo

#endif
