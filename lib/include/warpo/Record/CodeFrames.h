//===- CodeFrames.h - The frames at an offset in the code -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_CODEFRAMES_H
#define WARPO_RECORD_CODEFRAMES_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/SourcePlaces.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>

namespace warpo {

/// Unpacks the source locations of modules in a record, each module once. Includes lines only up to
/// a limit of memory: a small record could have many modules with many lines.
class CodeFrames {
public:
  /// The frames at an offset in the function with this id, innermost first; empty if nothing is
  /// known of the code there; nothing if the code belongs to another function. `places` must
  /// outlive this, which the frames refer to.
  std::optional<llvm::SmallVector<SourceFrame, 4>> find(const SourcePlaces &places, int32_t id,
                                                        uint32_t offset);

  /// All known locations of the module; valid as long as this. Empty if they are invalid.
  const ModulePlaces &unpack(const SourcePlaces &places);

private:
  llvm::DenseMap<const SourcePlaces *, std::unique_ptr<ModulePlaces>> unpacked_;
  uint64_t unpackedSize_ = 0;
};

} // namespace warpo

#endif
