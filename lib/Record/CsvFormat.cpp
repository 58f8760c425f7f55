//===- CsvFormat.cpp - The record as a table, for scripts -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// RFC 4180, with LF. One line an entry:
//
//   module,time,event,id,function,lost,stream
//   16,1000,begin,16777216,main,,worker
//   16,,lost,,,3,worker
//
// `time` is in counts since the record's origin; `lost` is the number of missing events, 0 if
// unknown; `stream` distinguishes the streams of a module if they have names. Further measures of a
// record, such as fuel, are columns behind these; a record without time has its only clock in place
// of `time`.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/LateColumns.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/CsvText.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

namespace {

void writeField(StringRef bytes, raw_ostream &os) {
  // Readers decode a table as a whole: one invalid byte would make it unreadable.
  std::string repaired = json::isUTF8(bytes) ? "" : json::fixUTF8(bytes);
  writeCsvField(repaired.empty() ? bytes : StringRef(repaired), os);
}

class CsvWriter : public CallWriter {
public:
  CsvWriter(raw_ostream &os, const RecordWriterContext &context)
      : CallWriter(context), os_(os), columns_(context.header) {
    os_ << "module," << context.header.measures.front().name << ",event,id,function,lost,stream";
    for (const Measure &measure : context.header.columns())
      os_ << ',' << measure.name;
    os_ << '\n';
  }

  Error writeCalls(const RecordBatch &batch) override;
  Error finish() override { return Error::success(); }
  std::vector<std::string> omissions() const override;

private:
  raw_ostream &os_;
  LateColumns columns_;
};

std::vector<std::string> CsvWriter::omissions() const {
  std::vector<std::string> result = CallWriter::omissions();
  if (std::string late = columns_.words(); !late.empty())
    result.push_back(std::move(late));
  return result;
}

Error CsvWriter::writeCalls(const RecordBatch &batch) {
  const StreamInfo &info = context_.header.streams[batch.stream];
  FunctionIds &ids = context_.functions.idsOf(batch.stream, info);
  std::string stream;
  raw_string_ostream end(stream);
  end << ',';
  writeField(info.name, end);
  std::string lineEnd = stream + std::string(columns_.known(), ',') + '\n';
  columns_.add(batch.counts, batch.size());
  ArrayRef<RecordNote> notes = batch.notes;
  auto writeLosses = [&](size_t position) {
    for (const RecordNote &note : takeUpTo(notes, position))
      if (note.kind == NoteKind::lost)
        os_ << info.moduleId << ",,lost,,," << note.count << lineEnd;
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    writeLosses(i);
    int32_t id = batch.ids[i];
    FunctionIndex function = ids.find(id > 0 ? id : -id);
    auto [moduleId, ownId] = info.functionOf(id > 0 ? id : -id);
    os_ << moduleId << ',' << int64_t(batch.times[i] - context_.header.origin)
        << (id > 0 ? ",begin," : ",end,") << ownId << ',';
    writeField(context_.functions[function].name, os_);
    if (batch.counts.empty()) {
      os_ << ',' << lineEnd;
      continue;
    }
    os_ << ',' << stream;
    for (ColumnIndex column = 0; column < columns_.known(); ++column) {
      os_ << ',';
      if (ArrayRef<uint64_t> counts = batch.counts[column]; !counts.empty())
        os_ << counts[i];
    }
    os_ << '\n';
  }
  writeLosses(batch.size());
  return Error::success();
}

class CsvFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".csv"; }
  bool isBinary() const override { return false; }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return std::make_unique<CsvWriter>(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<CsvFormat>
    registration("csv", "a table with names, for spreadsheets and scripts (can only be written)");

} // namespace
