//===- YamlSource.h - Streams and stacks in YAML --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLSOURCE_H
#define WARPO_LIB_RECORD_YAML_YAMLSOURCE_H

#include "LineCursor.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/LineReader.h"
#include <map>

namespace warpo {

/// Shared by the readers of all kinds of entries: the position in the input, the current stream,
/// and stacks.
class YamlSource : public RecordSource {
public:
  /// The base of times in the text: as in a record with a 32-bit clock, so that a conversion from
  /// one keeps all counts.
  static constexpr uint64_t origin = uint64_t(1) << 32;
  static constexpr int64_t earliestTime = -int64_t(origin);

  /// The error for an invalid line.
  llvm::Error problem(const llvm::Twine &message) const;
  /// Module 0's stream if entries precede the first module.
  StreamIndex currentStream();
  /// Sets `stack` to the stack of the frame and its parent; equal paths share a stack.
  llvm::Error enterFrame(RecordedStack frame, uint32_t &stack);
  /// Reads frames of functions with their modules up to the end of the list.
  llvm::Error readFrames(LineCursor &line, uint32_t &stack);
  using RecordSource::addColumn;

protected:
  explicit YamlSource(std::unique_ptr<InputStream> input) : lines_(std::move(input)) {
    header_.origin = origin;
  }

  std::string placeOfLine(uint64_t line) const;
  /// Nothing if the record has too many streams.
  std::optional<StreamIndex> streamOf(uint64_t moduleId, llvm::StringRef name);

  LineReader lines_;
  std::optional<StreamIndex> current_;

private:
  std::map<std::pair<uint64_t, std::string>, StreamIndex> streamOfName_;
  std::map<std::tuple<uint32_t, uint64_t, int32_t, std::string, uint32_t>, uint32_t> stacks_;
};

} // namespace warpo

#endif
