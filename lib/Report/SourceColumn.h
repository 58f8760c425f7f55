//===- SourceColumn.h - Where functions come from, in tables --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_SOURCECOLUMN_H
#define WARPO_LIB_REPORT_SOURCECOLUMN_H

#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"

namespace warpo {

/// Inserts columns in front of the last one: the module of each row's function, if it is not the
/// same for all, where the function is defined, and what was inlined into it. Columns without any
/// value are left out. `functions`: those of the table's rows, functions of the profile; null for a
/// row without one.
void insertSource(Table &table, const Profile &profile,
                  llvm::ArrayRef<const ProfileFunction *> functions);

/// Inserts a column of texts, one for each of the table's rows, in front of the last column, unless
/// all are empty.
void insertTexts(Table &table, Column column, llvm::ArrayRef<std::string> texts);

} // namespace warpo

#endif
