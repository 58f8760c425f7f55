//===- YamlWriter.h - Writes records in YAML ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLWRITER_H
#define WARPO_LIB_RECORD_YAML_YAMLWRITER_H

#include "../WrittenLinked.h"
#include "warpo/Record/LateColumns.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <unordered_map>

namespace warpo {

class YamlWriter : public RecordWriter {
public:
  YamlWriter(llvm::raw_ostream &os, const RecordWriterContext &context);

  llvm::Error write(const RecordBatch &batch) override;
  llvm::Error finish() override;
  std::vector<std::string> omissions() const override;

  /// For side entries.
  llvm::raw_ostream &os() const { return os_; }
  const RecordHeader &header() const { return header_; }
  /// Writes the frames of a non-empty stack, outermost first, each after a comma.
  void writeFrames(uint32_t stack, llvm::function_ref<void(const RecordedStack &)> writeFunction);
  /// The same, including the functions' modules.
  void writeModuleFrames(uint32_t stack);
  /// Writes the interval if it has changed.
  void writeHeapInterval(StreamIndex stream);

private:
  void writePhase(const RecordedPhase &phase);
  void writeStream(StreamIndex stream);
  void writePlaces();
  /// Writes linked functions declared since the last call.
  void writeLinked();
  void writeWindows(StreamIndex stream);
  /// Writes switches declared since the last call.
  void writeSwitches();
  void writeLosses(llvm::ArrayRef<RecordNote> &notes, size_t position);

  llvm::raw_ostream &os_;
  const RecordHeader &header_;
  LateColumns columns_;
  std::optional<StreamIndex> current_;
  std::unordered_map<StreamIndex, Counts> lastCounts_;
  /// The number of windows written for each stream.
  std::unordered_map<StreamIndex, size_t> windows_;
  WrittenLinked linked_;
  std::unordered_map<StreamIndex, uint64_t> heapIntervals_;
  size_t switches_ = 0;
  /// Modules whose source locations have been written.
  std::set<uint64_t> havePlaces_;
};

} // namespace warpo

#endif
