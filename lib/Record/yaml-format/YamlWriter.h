//===- YamlWriter.h - Writes records in YAML ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLWRITER_H
#define WARPO_LIB_RECORD_YAML_YAMLWRITER_H

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
  std::vector<std::string> omissions() const override { return {}; }

  /// For side entries.
  llvm::raw_ostream &os() const { return os_; }
  const RecordHeader &header() const { return header_; }
  /// Of a stack that is not empty, outermost first, each behind a comma.
  void writeFrames(uint32_t stack, llvm::function_ref<void(const RecordedStack &)> writeFunction);
  /// The same with the modules of functions.
  void writeModuleFrames(uint32_t stack);
  /// Where it is not what was written last.
  void writeHeapInterval(StreamIndex stream);

private:
  void writePhase(const RecordedPhase &phase);
  void writeStream(StreamIndex stream);
  void writePlaces();
  void writeWindows(StreamIndex stream);
  /// Those that have been declared since last time.
  void writeSwitches();
  void writeLosses(llvm::ArrayRef<RecordNote> &notes, size_t position);

  llvm::raw_ostream &os_;
  const RecordHeader &header_;
  std::optional<StreamIndex> current_;
  std::unordered_map<StreamIndex, Counts> lastCounts_;
  /// How many windows of each stream have been written.
  std::unordered_map<StreamIndex, size_t> windows_;
  std::unordered_map<StreamIndex, uint64_t> heapIntervals_;
  size_t switches_ = 0;
  /// Modules whose places have been written.
  std::set<uint64_t> havePlaces_;
};

} // namespace warpo

#endif
