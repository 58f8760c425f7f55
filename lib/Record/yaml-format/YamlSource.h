//===- YamlSource.h - Streams and stacks of a record in YAML --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLSOURCE_H
#define WARPO_LIB_RECORD_YAML_YAMLSOURCE_H

#include "LineCursor.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/LineReader.h"
#include <map>

namespace warpo {

/// What the readers of all kinds of entries need: the place in the input, the stream that entries
/// are of, and their stacks.
class YamlSource : public RecordSource {
public:
  /// What times in the text count from: as in a record of a 32-bit clock, so that converting from
  /// one keeps every count.
  static constexpr uint64_t origin = uint64_t(1) << 32;
  static constexpr int64_t earliestTime = -int64_t(origin);

  /// The error that the line makes no sense.
  llvm::Error problem(const llvm::Twine &message) const;
  /// Module 0's, where entries come before the first module.
  StreamIndex currentStream();
  /// `stack` becomes that of the frame and its parent: one for each path of frames.
  llvm::Error enterFrame(RecordedStack frame, uint32_t &stack);
  /// Frames of functions, each with its module, up to the end of the list.
  llvm::Error readFrames(LineCursor &line, uint32_t &stack);
  using RecordSource::addColumn;

protected:
  explicit YamlSource(std::unique_ptr<InputStream> input) : lines_(std::move(input)) {
    header_.origin = origin;
  }

  std::string placeOfLine(uint64_t line) const;
  /// Nothing where the record has too many streams.
  std::optional<StreamIndex> streamOf(uint64_t moduleId, llvm::StringRef name);

  LineReader lines_;
  std::optional<StreamIndex> current_;

private:
  std::map<std::pair<uint64_t, std::string>, StreamIndex> streamOfName_;
  std::map<std::tuple<uint32_t, uint64_t, int32_t, std::string, uint32_t>, uint32_t> stacks_;
};

} // namespace warpo

#endif
