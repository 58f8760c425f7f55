//===- WarpoWriter.h - Writes records in warpo's own format ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_WARPOWRITER_H
#define WARPO_LIB_RECORD_WARPO_WARPOWRITER_H

#include "../WrittenLinked.h"
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

  /// For the blocks of side entries. The number of a measure is also its clock's.
  static uint64_t clockOf(ColumnIndex column) { return column + 1; }
  const RecordHeader &header() const { return context_.header; }
  /// Writes the clocks of those columns of the record that have not been written.
  void declareColumns();
  /// The same for stacks and their modules.
  void writeStacks();
  /// Writes a block filled by `put`, which is called again if there was too little space. Drops a
  /// block that exceeds the maximum size and returns false.
  bool writeBlock(llvm::function_ref<void(warpo_block *)> put);
  /// A buffer for a block to be passed to writeEntries().
  llvm::MutableArrayRef<uint8_t> room(size_t size) {
    block_.resize(size);
    return block_;
  }
  /// Writes a complete block, compressed if requested.
  void writeEntries(llvm::ArrayRef<uint8_t> block, uint8_t kind);

private:
  struct Stream {
    warpo_event_encoder encoder{};
    /// In the order of the encoder's columns.
    ColumnSet columns;
    bool isOpen = false;
    /// The number of declared windows.
    size_t windows = 0;
  };

  /// Writes the beginning of a record, once. Must not be called before the first batch is known, as
  /// streams may get further modules with it.
  void begin();
  void writeSignature(uint8_t version);
  llvm::Error openStream(StreamIndex index);
  void declareStream(StreamIndex index);
  void writeClock(uint64_t number);
  /// From now on the stream's events have the column. Returns its index in the encoder.
  uint32_t addColumn(StreamIndex index, ColumnIndex column);
  void writeOffsets(llvm::ArrayRef<RecordedStack> stacks);
  void writePhases();
  /// Writes switches declared since the last call, before the entries that they refer to.
  llvm::Error writeSwitches();
  uint64_t declareModule(uint64_t moduleId);
  /// The declared modules' ids and numbers, in the order of the numbers.
  std::vector<std::pair<uint64_t, uint64_t>> modulesByNumber() const;
  /// Writes functions of the record named since the last call, before the entries that refer to
  /// them.
  void writeLateFunctions();
  void writeFunctions(uint64_t number, uint64_t moduleId,
                      llvm::ArrayRef<const Function *> functions);
  void writePlaces(uint64_t number, uint64_t moduleId);
  /// Writes linked functions declared since the last call, before the entries that they concern.
  void writeLinked();
  void ensureBlock(StreamIndex index, uint64_t time);
  void writeNote(StreamIndex index, const RecordNote &note, uint64_t time);
  void finishBlock(StreamIndex index);
  void writeBytes(llvm::ArrayRef<uint8_t> bytes);

  llvm::raw_ostream &os_;
  RecordWriterContext context_;
  uint64_t offset_ = 0;
  /// 0 before the record has begun.
  uint8_t version_ = 0;
  std::vector<Stream> streams_;
  ColumnIndex declaredColumns_ = 0;
  size_t stacks_ = 1;
  size_t switches_ = 0;
  /// Numbers by id; in no order.
  std::unordered_map<uint64_t, uint64_t> modules_;
  /// Functions of the table below this index are in the record if their modules are.
  size_t functions_ = 0;
  WrittenLinked linked_;
  /// Numbers of the modules whose source locations have been written.
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
