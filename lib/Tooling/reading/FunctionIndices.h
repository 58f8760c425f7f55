//===- FunctionIndices.h - Maps ids to functions of a module --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_FUNCTIONINDICES_H
#define WARPO_LIB_TOOLING_FUNCTIONINDICES_H

#include "warpo/Record/Declarations.h"
#include <optional>
#include <utility>
#include <vector>

namespace warpo {

/// Whether instrumenting gave the id to a function: it is neither a section nor has it marks.
bool isIndexed(const RecordedModule::Function &function);

/// Maps ids to indices of functions. Instrumenting numbers the selected functions in order:
/// functions recognised by name determine others between them.
class FunctionIndices {
public:
  /// Uses names such as `func[<index>]`, which functions without a name have.
  static FunctionIndices byNumber(const RecordedModule &module,
                                  llvm::ArrayRef<RecordedModule::Function> functions);
  /// Uses unique names. `names` has the names of all functions of the module, by index.
  static FunctionIndices byName(const RecordedModule &module, llvm::ArrayRef<std::string> names);

  /// Nothing if functions before it may have been left out.
  std::optional<uint32_t> of(int32_t id) const;

private:
  /// `known` are pairs of an id's offset and an index.
  explicit FunctionIndices(std::vector<std::pair<uint32_t, uint32_t>> known);

  std::vector<std::pair<uint32_t, uint32_t>> known_;
};

} // namespace warpo

#endif
