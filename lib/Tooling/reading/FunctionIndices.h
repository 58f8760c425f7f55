//===- FunctionIndices.h - Which function of its module an id is ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_FUNCTIONINDICES_H
#define WARPO_LIB_TOOLING_FUNCTIONINDICES_H

#include "warpo/Record/Declarations.h"
#include <optional>
#include <utility>
#include <vector>

namespace warpo {

/// Whether instrumenting gave the id to a function: it is neither a section nor marked.
bool isIndexed(const RecordedModule::Function &function);

/// Which functions of their module ids are. Instrumenting gives ids in the order of functions, to
/// those that it takes: from some that are known by their names follows which the others are.
class FunctionIndices {
public:
  /// By names such as `func[<index>]`, which functions without a name have.
  static FunctionIndices byNumber(const RecordedModule &module,
                                  llvm::ArrayRef<RecordedModule::Function> functions);
  /// By names that only one of all functions of the module has; `names` are those, by index.
  static FunctionIndices byName(const RecordedModule &module, llvm::ArrayRef<std::string> names);

  /// Nothing where functions in front of it may have been left out.
  std::optional<uint32_t> of(int32_t id) const;

private:
  /// `known` are offsets of ids, and indices.
  explicit FunctionIndices(std::vector<std::pair<uint32_t, uint32_t>> known);

  std::vector<std::pair<uint32_t, uint32_t>> known_;
};

} // namespace warpo

#endif
