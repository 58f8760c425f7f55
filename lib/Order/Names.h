//===- Names.h - What files of names ask of names -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_NAMES_H
#define WARPO_LIB_ORDER_NAMES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace warpo {

/// Whether the name can stand on a line of its own and is read back unchanged, by readers that take
/// lines as they are.
inline bool fitsLine(llvm::StringRef name) {
  return !name.empty() && name.find_first_of("\r\n") == llvm::StringRef::npos;
}

/// The same for readers that trim lines.
inline bool fitsTrimmedLine(llvm::StringRef name) { return fitsLine(name) && name == name.trim(); }

/// Makes repeated names differ: `f`, `f.1`, `f.2`, ….
class UniqueNames {
public:
  /// The name if it is free, else the name with `separator` and the first number from `first` on
  /// that makes it free. `first` depends on the separator alone.
  std::string take(llvm::StringRef name, llvm::StringRef separator, unsigned first);

private:
  llvm::StringSet<> taken_;
  /// Where to go on counting, by name and separator: a million equal names must not be quadratic.
  llvm::StringMap<unsigned> next_;
};

} // namespace warpo

#endif
