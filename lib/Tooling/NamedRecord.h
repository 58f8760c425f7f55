//===- NamedRecord.h - A record with the names of other files ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_NAMEDRECORD_H
#define WARPO_LIB_TOOLING_NAMEDRECORD_H

#include "SymbolSet.h"
#include "warpo/Record/RecordFormat.h"
#include <memory>

namespace warpo {

/// A reader around another one: its modules are declared with the names that files of symbols have
/// for their functions. The header is the other's, with the names that it recorded.
class NamedRecord : public RecordReader {
public:
  /// `symbols` has been joined with the record's modules.
  NamedRecord(std::unique_ptr<RecordReader> reader, SymbolSet symbols);
  ~NamedRecord() override;

  const RecordHeader &header() const override { return reader_->header(); }
  void observe(DeclarationObserver &observer) override;
  void shareStacks() override { reader_->shareStacks(); }
  ProbeCost probe() const override { return reader_->probe(); }
  llvm::Expected<bool> declareAhead() override { return reader_->declareAhead(); }
  llvm::Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to) override {
    return reader_->keepOnly(from, to);
  }
  llvm::Expected<bool> next(RecordBatch &batch) override { return reader_->next(batch); }
  std::string placeOf(size_t index) const override { return reader_->placeOf(index); }
  uint64_t bytesRead() const override { return reader_->bytesRead(); }
  std::optional<uint64_t> inputSize() const override { return reader_->inputSize(); }

private:
  class Renamer;

  std::unique_ptr<RecordReader> reader_;
  SymbolSet symbols_;
  std::vector<std::unique_ptr<Renamer>> renamers_;
};

} // namespace warpo

#endif
