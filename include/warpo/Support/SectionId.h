//===- SectionId.h - Ids that instrumenting gives to no function ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SECTIONID_H
#define WARPO_SUPPORT_SECTIONID_H

#include <cstdint>

namespace warpo {

/// The ids that sections get at run time: from here on. Instrumenting gives none of them.
inline constexpr int32_t firstSectionId = 0x7fff0000;

/// A begin of it says that the end which follows is no return: a trap took that call, and all above
/// it. It has no end of its own.
inline constexpr int32_t trapId = 0x7fffffff;
/// Begins where a stack is suspended, and ends where it is resumed.
inline constexpr int32_t suspendedId = 0x7ffffffe;
/// Begins where the recorder keeps the thread from running the program, and ends where the program
/// continues.
inline constexpr int32_t recordingId = 0x7ffffffd;

inline bool isSection(int32_t id) { return id >= firstSectionId && id < recordingId; }
/// Ids that mean the same on every stream, whatever its modules are.
inline bool isReserved(int32_t id) { return id >= recordingId; }

} // namespace warpo

#endif
