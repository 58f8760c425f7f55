//===- KnownValues.h - The values that an option knows --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's command line library keeps the values of an enumeration where only its own --help sees
// them, and knows none of text. Man pages and completion take them from here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_KNOWNVALUES_H
#define WARPO_TOOLING_KNOWNVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include <vector>

namespace warpo {

struct KnownValue {
  llvm::StringRef name;
  /// Empty where the option's own description says it.
  llvm::StringRef description;
};

/// The texts must live as long as the option, as those of cl::desc.
void addKnownValue(const llvm::cl::Option &option, KnownValue value);
/// In the order in which they were added.
llvm::ArrayRef<KnownValue> knownValues(const llvm::cl::Option &option);

/// A modifier of an option that takes text: what it may be.
struct OneOf {
  std::vector<llvm::StringRef> names;

  void apply(llvm::cl::Option &option) const {
    for (llvm::StringRef name : names)
      addKnownValue(option, {name, ""});
  }
};
inline OneOf oneOf(std::vector<llvm::StringRef> names) { return {std::move(names)}; }

/// A modifier of an option that takes an enumeration, in place of cl::values.
struct Choices {
  std::vector<llvm::cl::OptionEnumValue> values;

  template <typename Option> void apply(Option &option) const {
    for (const llvm::cl::OptionEnumValue &value : values) {
      option.getParser().addLiteralOption(value.Name, value.Value, value.Description);
      addKnownValue(option, {value.Name, value.Description});
    }
  }
};
inline Choices choices(std::vector<llvm::cl::OptionEnumValue> values) {
  return {std::move(values)};
}

} // namespace warpo

#endif
