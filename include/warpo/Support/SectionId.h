//===- SectionId.h - Ids that instrumenting gives to no function ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SECTIONID_H
#define WARPO_SUPPORT_SECTIONID_H

#include <cstdint>

namespace warpo {

/// Sections get ids from here on at run time; instrumenting does not use them.
inline constexpr int32_t firstSectionId = 0x7fff0000;

/// A begin of it, which has no end, says that the call whose end follows ended by a trap, with all
/// calls within it.
inline constexpr int32_t trapId = 0x7fffffff;
/// Begins when a stack is suspended and ends when it is resumed.
inline constexpr int32_t suspendedId = 0x7ffffffe;
/// Begins when the recorder keeps the thread from running the program, and ends when the program
/// continues.
inline constexpr int32_t recordingId = 0x7ffffffd;

inline bool isSection(int32_t id) { return id >= firstSectionId && id < recordingId; }
/// Whether an id has the same meaning in every stream.
inline bool isReserved(int32_t id) { return id >= recordingId; }

} // namespace warpo

#endif
