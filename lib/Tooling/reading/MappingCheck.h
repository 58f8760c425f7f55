//===- MappingCheck.h - Whether a mapping is of a record ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_MAPPINGCHECK_H
#define WARPO_LIB_TOOLING_MAPPINGCHECK_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// Sees all that is read of a record with a mapping file. Names of another module would be wrong
/// ones, and look right.
class MappingCheck {
public:
  /// Keeps references to both.
  MappingCheck(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  void add(const RecordBatch &batch);
  /// Fails if the mapping says that it is of a module that the record does not have, or has none of
  /// the ids that the record has.
  llvm::Error finish(llvm::StringRef mapping, llvm::StringRef record) const;

private:
  llvm::Error checkModule(llvm::StringRef mapping, llvm::StringRef record) const;

  FunctionTable &functions_;
  const RecordHeader &header_;
  /// Of a function that the mapping does not have; 0: none.
  int32_t unknown_ = 0;
  bool hasKnown_ = false;
};

} // namespace warpo

#endif
