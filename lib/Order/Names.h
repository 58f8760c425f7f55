//===- Names.h - Requirements of files for names --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_NAMES_H
#define WARPO_LIB_ORDER_NAMES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace warpo {

/// Whether readers that do not trim lines read back the name, on a separate line, unchanged.
inline bool fitsLine(llvm::StringRef name) {
  return !name.empty() && name.find_first_of("\r\n") == llvm::StringRef::npos;
}

/// The same for readers that trim lines.
inline bool fitsTrimmedLine(llvm::StringRef name) { return fitsLine(name) && name == name.trim(); }

/// Makes repeated names unique: `f`, `f.1`, `f.2`, ….
class UniqueNames {
public:
  /// The name if it is unused, otherwise the name with `separator` and the first number from
  /// `first` on that makes it unused. `first` must only depend on the separator.
  std::string take(llvm::StringRef name, llvm::StringRef separator, unsigned first);

private:
  llvm::StringSet<> taken_;
  /// The next number, by name and separator: a million equal names must not take quadratic time.
  llvm::StringMap<unsigned> next_;
};

} // namespace warpo

#endif
