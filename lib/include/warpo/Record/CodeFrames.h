//===- CodeFrames.h - What the code at an offset consists of --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_CODEFRAMES_H
#define WARPO_RECORD_CODEFRAMES_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/SourcePlaces.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>

namespace warpo {

/// Unpacks the places of modules as a record has them, each once, and with lines as far as memory
/// for that is spent reasonably: a small record could name many modules of many lines.
class CodeFrames {
public:
  /// The frames of an offset in the function with this id, innermost first; none if nothing is
  /// known of the code there; nothing if it is that of another function. `places` must outlive
  /// this, to which the frames refer.
  std::optional<llvm::SmallVector<SourceFrame, 4>> find(const SourcePlaces &places, int32_t id,
                                                        uint32_t offset);

  /// All that is known of the module; valid as long as this. Nothing where it makes no sense.
  const ModulePlaces &unpack(const SourcePlaces &places);

private:
  llvm::DenseMap<const SourcePlaces *, std::unique_ptr<ModulePlaces>> unpacked_;
  uint64_t unpackedSize_ = 0;
};

} // namespace warpo

#endif
