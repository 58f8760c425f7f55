//===- SourceColumn.h - Where functions come from, in tables --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_SOURCECOLUMN_H
#define WARPO_LIB_REPORT_SOURCECOLUMN_H

#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"

namespace warpo {

/// Inserts, in front of the last column, where the function of each row is defined, and what was
/// inlined into it; no column of what is known of none. `functions`: of the table's rows; null for
/// a row of none.
void insertSource(Table &table, llvm::ArrayRef<const ProfileFunction *> functions);

} // namespace warpo

#endif
