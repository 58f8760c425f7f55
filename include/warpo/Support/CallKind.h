//===- CallKind.h - How a function was entered, and ids that tell ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module that is instrumented with `call-kinds` puts marks into the ids that it tells its host:
// bits that no id has of its own, as engines let a module have a million functions.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_CALLKIND_H
#define WARPO_SUPPORT_CALLKIND_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

/// The first function that is instrumented gets this id, the next ones count up.
inline constexpr int32_t firstFunctionId = 0x1000000;

/// How many functions of a module can be distinguished beside the marks.
inline constexpr uint32_t maxMarkedFunctions = 1u << 20;

enum IdMark : int32_t {
  /// The function was entered through a reference, or by the host.
  referenceMark = 0x100000,
  /// The function is an imported one: what it calls is called by the host.
  importMark = 0x200000,
};

/// How far an id is from the first one, with its marks: below maxMarkedFunctions if it has none.
inline constexpr uint32_t idOffset(int32_t id) { return uint32_t(id) - uint32_t(firstFunctionId); }
/// The marks of an id (positive), as a number from 1 to 3; 0 for an id without marks, and for one
/// that is not of instrumenting.
inline constexpr uint32_t marksOf(int32_t id) {
  uint32_t marks = idOffset(id) / maxMarkedFunctions;
  return marks <= 3 ? marks : 0;
}
inline constexpr int32_t withoutMarks(int32_t id) {
  return marksOf(id) ? id & ~(referenceMark | importMark) : id;
}

/// `inlined` is entered by no call at all: its code stands in that of its caller.
enum class CallKind : uint8_t { direct, reference, host, inlined };

/// What is shown behind the name of a function that was entered so: ` [reference]`, ` [host]`,
/// ` [inlined]`, or nothing.
llvm::StringRef suffixOf(CallKind kind);
/// A name without such a suffix, and the suffix.
std::pair<llvm::StringRef, llvm::StringRef> splitCallKind(llvm::StringRef name);

} // namespace warpo

#endif
