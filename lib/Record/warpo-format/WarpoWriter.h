//===- WarpoWriter.h - Writes records in warpo's own format ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_WARPOWRITER_H
#define WARPO_LIB_RECORD_WARPO_WARPOWRITER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/event_encoder.h"
#include "warpo/Recorder/record_blocks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <unordered_map>

namespace warpo {

struct Function;

class WarpoWriter : public RecordWriter {
public:
  WarpoWriter(llvm::raw_ostream &os, const RecordWriterContext &context);
  ~WarpoWriter() override;

  llvm::Error write(const RecordBatch &batch) override;
  llvm::Error finish() override;
  std::vector<std::string> omissions() const override;

  /// For the blocks of side entries. Measures have their own numbers as clocks.
  static uint64_t clockOf(ColumnIndex column) { return column + 1; }
  const RecordHeader &header() const { return context_.header; }
  /// Writes the clocks of the record's columns that have not been written.
  void declareColumns();
  /// The same for its stacks, and their modules.
  void writeStacks();
  /// Writes what `put` puts into a block, for which it is called again where there was too little
  /// room. A block that is larger than any may be is left out; false then.
  bool writeBlock(llvm::function_ref<void(warpo_block *)> put);
  /// Room to make a block in, for writeEntries().
  llvm::MutableArrayRef<uint8_t> room(size_t size) {
    block_.resize(size);
    return block_;
  }
  /// Writes a whole block, compressed if that is asked for.
  void writeEntries(llvm::ArrayRef<uint8_t> block, uint8_t kind);

private:
  struct Stream {
    warpo_event_encoder encoder{};
    /// In the order of the encoder's.
    ColumnSet columns;
    bool isOpen = false;
    /// That have been declared.
    size_t windows = 0;
  };

  /// Writes what a record starts with, if that has not been done: not before the first batch is
  /// known, with which streams may get further modules.
  void begin();
  void writeSignature(uint8_t version);
  llvm::Error openStream(StreamIndex index);
  void declareStream(StreamIndex index);
  void writeClock(uint64_t number);
  /// From now on the stream's events have the column; returns its place among the encoder's.
  uint32_t addColumn(StreamIndex index, ColumnIndex column);
  void writeOffsets(llvm::ArrayRef<RecordedStack> stacks);
  void writePhases();
  /// Those that have been declared since last time, before the entries that they are about.
  llvm::Error writeSwitches();
  uint64_t declareModule(uint64_t moduleId);
  /// Those of the record that were named since last time, before the entries that they are about.
  void writeLateFunctions();
  void writeFunctions(uint64_t number, uint64_t moduleId,
                      llvm::ArrayRef<const Function *> functions);
  void writePlaces(uint64_t number, uint64_t moduleId);
  void ensureBlock(StreamIndex index, uint64_t time);
  void writeNote(StreamIndex index, const RecordNote &note, uint64_t time);
  void finishBlock(StreamIndex index);
  void writeBytes(llvm::ArrayRef<uint8_t> bytes);

  llvm::raw_ostream &os_;
  RecordWriterContext context_;
  uint64_t offset_ = 0;
  /// 0 before the record is begun.
  uint8_t version_ = 0;
  std::vector<Stream> streams_;
  ColumnIndex declaredColumns_ = 0;
  size_t stacks_ = 1;
  size_t switches_ = 0;
  std::unordered_map<uint64_t, uint64_t> modules_;
  /// Of the table's functions: those before it are in the record, if their module is.
  size_t functions_ = 0;
  /// Numbers of the modules whose places have been written.
  std::set<uint64_t> havePlaces_;
  std::vector<warpo_index_entry> index_;
  uint64_t events_ = 0;
  uint64_t lost_ = 0;
  std::vector<uint8_t> block_;
  bool isTooLarge_ = false; /// A block was left out.
  uint64_t placesLeftOut_ = 0;
};

} // namespace warpo

#endif
