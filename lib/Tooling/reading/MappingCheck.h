//===- MappingCheck.h - Checks that a mapping fits a record ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_MAPPINGCHECK_H
#define WARPO_LIB_TOOLING_MAPPINGCHECK_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// Observes the batches of a record with a mapping file. Names of another module would look right,
/// but be wrong.
class MappingCheck {
public:
  /// Both must outlive this.
  MappingCheck(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  void add(const RecordBatch &batch);
  /// Fails if the mapping names a module that the record lacks, or has none of the record's ids.
  llvm::Error finish(llvm::StringRef mapping, llvm::StringRef record) const;

private:
  llvm::Error checkModule(llvm::StringRef mapping, llvm::StringRef record) const;

  FunctionTable &functions_;
  const RecordHeader &header_;
  /// The id of a function that the mapping lacks; 0: none.
  int32_t unknown_ = 0;
  bool hasKnown_ = false;
};

} // namespace warpo

#endif
