//===- SourceColumn.h - Where functions come from, in tables --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_SOURCECOLUMN_H
#define WARPO_LIB_REPORT_SOURCECOLUMN_H

#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"

namespace warpo {

/// Inserts, in front of the last column, which module the function of each row is of, if that is
/// not the same for all, where it is defined, and what was inlined into it; no column of what is
/// known of none. `functions`: of the table's rows, functions of the profile; null for a row of
/// none.
void insertSource(Table &table, const Profile &profile,
                  llvm::ArrayRef<const ProfileFunction *> functions);

/// Inserts a column of texts, of the table's rows, in front of the last one, unless all are empty.
void insertTexts(Table &table, Column column, llvm::ArrayRef<std::string> texts);

} // namespace warpo

#endif
