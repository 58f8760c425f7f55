//===- WarpoWriter.h - Writes records in warpo's own format ---------------===//

#ifndef WARPO_LIB_RECORD_WARPO_WARPOWRITER_H
#define WARPO_LIB_RECORD_WARPO_WARPOWRITER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/record_encoding.h"
#include <unordered_map>

namespace warpo {

class WarpoWriter : public RecordWriter {
public:
  WarpoWriter(llvm::raw_ostream &os, const RecordWriterContext &context);
  ~WarpoWriter() override;

  llvm::Error write(const RecordBatch &batch) override;
  llvm::Error finish() override;
  bool takesSamples() const override { return true; }
  bool takesPhases() const override { return true; }

private:
  struct Stream {
    warpo_event_encoder encoder{};
    bool isOpen = false;
  };
  struct IndexEntry {
    uint64_t offset;
    StreamIndex stream;
    uint64_t first;
    uint64_t last;
  };

  llvm::Error openStream(StreamIndex index);
  void writeClock(uint64_t number);
  /// From now on the stream's events have fuel.
  void addFuel(StreamIndex index);
  void declareFuel();
  void writeSamples(StreamIndex index, llvm::ArrayRef<StackSample> samples);
  /// Writes the record's stacks that have not been written, and their modules.
  void writeStacks();
  void writePhases();
  uint64_t declareModule(uint64_t moduleId);
  void writeFunctions(uint64_t number, uint64_t moduleId);
  void ensureBlock(StreamIndex index, uint64_t time);
  void writeNote(StreamIndex index, const RecordNote &note, uint64_t time);
  void finishBlock(StreamIndex index);
  /// Frames the payload that stands behind room for a header in `block`, and writes both.
  void writeBlock(warpo_block_kind kind, llvm::MutableArrayRef<uint8_t> block);

  llvm::raw_ostream &os_;
  RecordWriterContext context_;
  uint64_t offset_ = 0;
  std::vector<Stream> streams_;
  bool hasFuelClock_ = false;
  size_t stacks_ = 1;
  std::unordered_map<uint64_t, uint64_t> modules_;
  std::vector<IndexEntry> index_;
  uint64_t events_ = 0;
  uint64_t lost_ = 0;
  llvm::SmallVector<uint8_t, 0> compressed_;
};

} // namespace warpo

#endif
