//===- CallKind.h - How a function was entered, and ids with marks --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module instrumented with `call-kinds` adds marks to the ids that it reports to its host. Marks
// are bits that ids do not otherwise use, because engines limit modules to a million functions.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_CALLKIND_H
#define WARPO_SUPPORT_CALLKIND_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

/// The id of the first instrumented function; the others have the next ids.
inline constexpr int32_t firstFunctionId = 0x1000000;

/// How many functions of a module can have ids with marks.
inline constexpr uint32_t maxMarkedFunctions = 1u << 20;

enum IdMark : int32_t {
  /// The function was entered through a reference, or by the host.
  referenceMark = 0x100000,
  /// The function is imported: its callees are called by the host.
  importMark = 0x200000,
};

/// An id, with its marks, minus the first one: less than maxMarkedFunctions if it has none.
inline constexpr uint32_t idOffset(int32_t id) { return uint32_t(id) - uint32_t(firstFunctionId); }
/// The marks of an id (positive) as a number from 1 to 3; 0 for an id without marks or one not
/// assigned by instrumenting.
inline constexpr uint32_t marksOf(int32_t id) {
  uint32_t marks = idOffset(id) / maxMarkedFunctions;
  return marks <= 3 ? marks : 0;
}
inline constexpr int32_t withoutMarks(int32_t id) {
  return marksOf(id) ? id & ~(referenceMark | importMark) : id;
}

/// `inlined`: not called at all, because its code is part of its caller.
enum class CallKind : uint8_t { direct, reference, host, inlined };

/// The suffix of the name of a function entered this way: ` [reference]`, ` [host]`, ` [inlined]`
/// or empty.
llvm::StringRef suffixOf(CallKind kind);
/// Splits a name into the name without such a suffix, and the suffix.
std::pair<llvm::StringRef, llvm::StringRef> splitCallKind(llvm::StringRef name);

} // namespace warpo

#endif
