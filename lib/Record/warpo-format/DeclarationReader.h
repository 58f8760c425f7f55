//===- DeclarationReader.h - What a `warpo` record says of itself ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Clocks, modules, streams, stacks, phases and switches. Their numbers in the record become places
// in the header, and what makes no sense stops here.
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

  /// For the decoders of side entries: what is called `number` in the record. Nothing if it was not
  /// declared.
  std::optional<StreamIndex> findStream(uint64_t number) const {
    auto known = streamOfNumber_.find(number);
    return known == streamOfNumber_.end() ? std::nullopt : std::optional(known->second);
  }
  std::optional<uint32_t> findStack(uint64_t number) const {
    auto known = stackOfNumber_.find(number);
    return known == stackOfNumber_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Its streams have the numbers that they have in the record.
  AnnouncedCounts &sampleCounts() { return sampleCounts_; }
  using RecordSource::addColumn;
  using RecordSource::setHeapInterval;
  using RecordSource::setSampling;

protected:
  explicit DeclarationReader(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  std::string placeAt(uint64_t offset) const;
  /// Reads a block that declares; true for one of another kind. False if it makes no sense from the
  /// cursor on; what stands before is declared.
  bool readDeclaration(uint8_t kind, ByteCursor &cursor, uint64_t blockOffset);
  /// The same before it is the block's turn. Damage is reported at its turn.
  void readAhead(uint8_t kind, ByteCursor &cursor, uint64_t blockOffset);

  std::unique_ptr<InputStream> input_;
  /// The record's, up to where it has been read.
  uint8_t version_ = warpo_version_plain;
  /// By number; nothing for those that are passed over.
  std::unordered_map<uint64_t, std::optional<ColumnIndex>> furtherClocks_;
  /// Notes that wait for a batch: they are of no stream.
  std::vector<RecordNote> pending_;

private:
  bool readClock(ByteCursor &cursor, uint64_t blockOffset);
  /// False if no column was made for it.
  bool addClock(uint64_t number, std::optional<Measure> measure);
  /// Without its functions where it is `ahead` of its turn.
  bool readModule(ByteCursor &cursor, bool ahead = false);
  bool readStream(ByteCursor &cursor);
  bool readWindows(ByteCursor &cursor, StreamIndex stream);
  bool readStacks(ByteCursor &cursor);
  bool readCounts(ByteCursor &cursor);
  bool readPhases(ByteCursor &cursor, uint64_t blockOffset);
  bool readPlaces(ByteCursor &cursor);
  bool readSwitches(ByteCursor &cursor);
  /// Where in the original a frame of this module is.
  uint32_t originalOffset(size_t module, AnnouncedOffsets::Place place);

  ProbeCost probe_;
  std::unordered_map<uint64_t, size_t> moduleOfNumber_;
  std::unordered_map<uint64_t, StreamIndex> streamOfNumber_;
  std::unordered_map<uint64_t, uint32_t> stackOfNumber_{{0, 0}};
  AnnouncedCounts sampleCounts_;
  /// Offsets of the blocks of phases that were read ahead.
  std::set<uint64_t> phasesAhead_;
  /// Bytes of all blocks of places so far, and of what is made of them.
  uint64_t placesSize_ = 0;
  AnnouncedOffsets offsets_;
  /// By module: from the instrumented code to the original's, as its latest places have it. Whether
  /// an offset is in the function that a frame is of, FunctionTable checks.
  std::unordered_map<size_t, CodeMap> codeMaps_;
};

} // namespace warpo

#endif
