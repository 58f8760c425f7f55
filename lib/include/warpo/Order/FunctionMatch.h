//===- FunctionMatch.h - Finds recorded functions in their module ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record identifies functions by ids, to which a mapping gives names. The module has indices, and
// names that may repeat. Ids ascend with indices: an id between two ids of known functions belongs
// to a function between these. If a name occurs in that gap as often in the module as in the
// mapping, the occurrences are matched in their order.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_FUNCTIONMATCH_H
#define WARPO_ORDER_FUNCTIONMATCH_H

#include "warpo/Order/OrderModule.h"
#include <map>
#include <optional>

namespace warpo {

/// A function of a mapping; id 0 means none.
struct RecordedFunction {
  llvm::StringRef name;
  int32_t id;
};

/// The module's function for each recorded one. Nothing if no function has that name, or if several
/// have it and the ids do not decide, as in a record that names executed functions only.
std::vector<std::optional<uint32_t>> matchFunctions(const OrderModule &module,
                                                    llvm::ArrayRef<RecordedFunction> functions);

/// Matches one mapping after another. Most runs of a program have the same one.
class FunctionMatcher {
public:
  /// `module` must outlive it.
  explicit FunctionMatcher(const OrderModule &module) : module_(module) {}

  const OrderModule &module() const { return module_; }
  /// Like matchFunctions(); valid until the next call.
  llvm::ArrayRef<std::optional<uint32_t>> match(llvm::ArrayRef<RecordedFunction> functions);

private:
  struct Recorded {
    std::string name;
    int32_t id;
  };
  const OrderModule &module_;
  std::vector<Recorded> last_;
  std::vector<std::optional<uint32_t>> matched_;
};

/// Collects names that were not found in the module, over all inputs, to report each once.
class UnmatchedNames {
public:
  void add(llvm::StringRef name, const OrderModule &module) {
    names_[name.str()] = module.find(name).size();
  }
  bool empty() const { return names_.empty(); }
  /// The reason for each, sorted by name: `no function is called 'main'`.
  std::vector<std::string> messages() const;

private:
  /// How many functions of the module have the name.
  std::map<std::string, size_t> names_;
};

} // namespace warpo

#endif
