//===- SourceColumn.h - Columns with functions' source locations ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_REPORT_SOURCECOLUMN_H
#define WARPO_LIB_REPORT_SOURCECOLUMN_H

#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"

namespace warpo {

/// Inserts columns before the last one: the module of each row's function, unless all are the same,
/// the function's definition, and the functions inlined into it. Columns without any value are
/// omitted. `functions` are the functions of the table's rows; null for a row without one.
void insertSource(Table &table, const Profile &profile,
                  llvm::ArrayRef<const ProfileFunction *> functions);

/// Inserts a column of texts, one per row, before the last column, unless all are empty.
void insertTexts(Table &table, Column column, llvm::ArrayRef<std::string> texts);

} // namespace warpo

#endif
