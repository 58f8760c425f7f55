//===- DeclarationReader.h - The declarations of a `warpo` record ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Clocks, modules, streams, stacks, phases and switches. Converts their numbers in the record to
// indices in the header, and rejects invalid ones.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_WARPO_DECLARATIONREADER_H
#define WARPO_LIB_RECORD_WARPO_DECLARATIONREADER_H

#include "AnnouncedCounts.h"
#include "FrameOffsets.h"
#include "warpo/Places/CodeMap.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Support/ByteCursor.h"
#include <set>
#include <unordered_map>

namespace warpo {

class DeclarationReader : public RecordSource {
public:
  ProbeCost probe() const override { return probe_; }
  std::optional<uint64_t> inputSize() const override { return input_->size(); }

  /// For the decoders of side entries: the stream or stack with this number in the record. Nothing
  /// if it was not declared.
  std::optional<StreamIndex> findStream(uint64_t number) const {
    auto known = streamOfNumber_.find(number);
    return known == streamOfNumber_.end() ? std::nullopt : std::optional(known->second);
  }
  std::optional<uint32_t> findStack(uint64_t number) const {
    auto known = stackOfNumber_.find(number);
    return known == stackOfNumber_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Streams have their numbers in the record here.
  AnnouncedCounts &sampleCounts() { return sampleCounts_; }
  using RecordSource::addColumn;
  using RecordSource::setHeapInterval;
  using RecordSource::setSampling;

protected:
  explicit DeclarationReader(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  std::string placeAt(uint64_t offset) const;
  /// Reads a block with declarations; true for one of another kind. False if it is invalid from the
  /// cursor on; declarations before that are kept.
  bool readDeclaration(uint8_t kind, ByteCursor &cursor, uint64_t blockOffset);
  /// The same, before the block is reached. Damage is reported when it is reached.
  void readAhead(uint8_t kind, ByteCursor &cursor, uint64_t blockOffset);
  /// The same for the columns of clocks.
  void addColumnAhead(uint8_t kind, ByteCursor &cursor);

  std::unique_ptr<InputStream> input_;
  /// The record's version, as far as it has been read.
  uint8_t version_ = warpo_version_plain;
  /// By number; nothing for ignored clocks.
  std::unordered_map<uint64_t, std::optional<ColumnIndex>> furtherClocks_;
  /// Notes that belong to no stream, and wait for a batch.
  std::vector<RecordNote> pending_;

private:
  struct Clock {
    warpo_clock_fields fields;
    llvm::StringRef name;
  };
  /// Nothing if it is invalid.
  static std::optional<Clock> parseClock(ByteCursor &cursor);
  bool readClock(ByteCursor &cursor, uint64_t blockOffset);
  bool readSteps(ByteCursor &cursor);
  /// False if no column was made for it.
  bool addClock(uint64_t number, std::optional<Measure> measure);
  /// If `ahead`, without the module's functions.
  bool readModule(ByteCursor &cursor, bool ahead = false);
  bool readLinked(ByteCursor &cursor);
  bool readStream(ByteCursor &cursor);
  bool readWindows(ByteCursor &cursor, StreamIndex stream);
  bool readStacks(ByteCursor &cursor);
  bool readCounts(ByteCursor &cursor);
  bool readPhases(ByteCursor &cursor, uint64_t blockOffset);
  bool readPlaces(ByteCursor &cursor);
  bool readSwitches(ByteCursor &cursor);
  /// The offset in the original of a frame of this module.
  uint32_t originalOffset(size_t module, AnnouncedOffsets::Place place);

  ProbeCost probe_;
  std::unordered_map<uint64_t, size_t> moduleOfNumber_;
  std::unordered_map<uint64_t, StreamIndex> streamOfNumber_;
  std::unordered_map<uint64_t, uint32_t> stackOfNumber_{{0, 0}};
  AnnouncedCounts sampleCounts_;
  /// Offsets of the blocks of phases that were read ahead.
  std::set<uint64_t> phasesAhead_;
  /// Bytes of all blocks of source locations so far, and of their unpacked contents.
  uint64_t placesSize_ = 0;
  AnnouncedOffsets offsets_;
  /// By module: maps instrumented code to the original's, by the latest source locations.
  /// FunctionTable checks whether an offset is in the frame's function.
  std::unordered_map<size_t, CodeMap> codeMaps_;
};

} // namespace warpo

#endif
