//===- CsvFormat.cpp - The record as a table, for spreadsheets and scripts -===//
//
// RFC 4180, with LF. One line an entry:
//
//   module,time,event,id,function,lost,stream
//   16,1000,begin,16777216,main,,worker
//   16,,lost,,,3,worker
//
// `time` in counts since the record's origin; `lost` is how many events are missing, 0 if nobody
// knows; `stream` tells the streams of a module apart, where they have names. A record with fuel
// has it in a column behind them; one whose only clock is fuel has `fuel` in place of `time`.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/CsvText.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

namespace {

void writeField(StringRef bytes, raw_ostream &os) {
  // Readers of tables take them for text as a whole: one bad byte would spoil it all.
  std::string repaired = json::isUTF8(bytes) ? "" : json::fixUTF8(bytes);
  writeCsvField(repaired.empty() ? bytes : StringRef(repaired), os);
}

class CsvWriter : public RecordWriter {
public:
  CsvWriter(raw_ostream &os, const RecordWriterContext &context)
      : os_(os), context_(context),
        hasFuel_(!context.header.fuelClock.empty() && !context.header.timeIsFuel) {
    os_ << "module," << (context.header.timeIsFuel ? "fuel" : "time")
        << ",event,id,function,lost,stream" << (hasFuel_ ? ",fuel\n" : "\n");
  }

  Error write(const RecordBatch &batch) override;
  Error finish() override { return Error::success(); }

private:
  raw_ostream &os_;
  RecordWriterContext context_;
  bool hasFuel_;
};

Error CsvWriter::write(const RecordBatch &batch) {
  uint64_t moduleId = context_.header.streams[batch.stream].moduleId;
  FunctionIds &ids = context_.functions.idsOf(moduleId);
  std::string stream;
  raw_string_ostream end(stream);
  end << ',';
  writeField(context_.header.streams[batch.stream].name, end);
  std::string lineEnd = stream + (hasFuel_ ? ",\n" : "\n");
  ArrayRef<RecordNote> notes = batch.notes;
  auto writeLosses = [&](size_t position) {
    for (const RecordNote &note : takeUpTo(notes, position))
      if (note.kind == NoteKind::lost)
        os_ << moduleId << ",,lost,,," << note.count << lineEnd;
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    writeLosses(i);
    int32_t id = batch.ids[i];
    int32_t function = id > 0 ? id : -id;
    os_ << moduleId << ',' << int64_t(batch.times[i] - context_.header.origin)
        << (id > 0 ? ",begin," : ",end,") << function << ',';
    writeField(context_.functions[ids.find(function)].name, os_);
    if (hasFuel_ && !batch.fuel.empty())
      os_ << ',' << stream << ',' << batch.fuel[i] << '\n';
    else
      os_ << ',' << lineEnd;
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
