//===- KnownValues.h - Known values of options ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's command line library keeps the values of an enumeration to itself, for --help, and has
// none for options with text. Man pages and completion get them from here.
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
  /// Empty if the option's description explains it.
  llvm::StringRef description;
};

/// Texts must live as long as the option, like those of cl::desc.
void addKnownValue(const llvm::cl::Option &option, KnownValue value);
/// In the order of addition.
llvm::ArrayRef<KnownValue> knownValues(const llvm::cl::Option &option);

/// A modifier for an option with text: its possible values.
struct OneOf {
  std::vector<llvm::StringRef> names;

  void apply(llvm::cl::Option &option) const {
    for (llvm::StringRef name : names)
      addKnownValue(option, {name, ""});
  }
};
inline OneOf oneOf(std::vector<llvm::StringRef> names) { return {std::move(names)}; }

/// A modifier for an option with an enumeration, instead of cl::values.
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
