//===- SectionId.h - The ids of sections ----------------------------------===//

#ifndef WARPO_SUPPORT_SECTIONID_H
#define WARPO_SUPPORT_SECTIONID_H

#include <cstdint>

namespace warpo {

/// The ids that sections get at run time: from here on. Instrumenting gives none of them.
inline constexpr int32_t firstSectionId = 0x7fff0000;
inline bool isSection(int32_t id) { return id >= firstSectionId; }

} // namespace warpo

#endif
