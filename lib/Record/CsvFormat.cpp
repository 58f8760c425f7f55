//===- CsvFormat.cpp - The record as a table, for spreadsheets and scripts -===//
//
// RFC 4180, with LF. One line an entry:
//
//   module,time,event,id,function,lost
//   16,1000,begin,16777216,main,
//   16,,lost,,,3
//
// `time` in counts since the record's origin; `lost` is how many events are missing, 0 if nobody
// knows.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"

using namespace llvm;
using namespace warpo;

namespace {

void writeField(StringRef text, raw_ostream &os) {
  if (text.find_first_of(",\"\r\n") == StringRef::npos) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text) {
    if (c == '"')
      os << '"';
    os << c;
  }
  os << '"';
}

class CsvWriter : public RecordWriter {
public:
  CsvWriter(raw_ostream &os, const RecordWriterContext &context) : os_(os), context_(context) {
    os_ << "module,time,event,id,function,lost\n";
  }

  Error write(const RecordBatch &batch) override;
  Error finish() override { return Error::success(); }

private:
  raw_ostream &os_;
  RecordWriterContext context_;
};

Error CsvWriter::write(const RecordBatch &batch) {
  uint64_t moduleId = context_.header.streams[batch.stream].moduleId;
  FunctionIds &ids = context_.functions.idsOf(moduleId);
  ArrayRef<RecordNote> notes = batch.notes;
  auto writeLosses = [&](size_t position) {
    for (; !notes.empty() && notes.front().position <= position; notes = notes.drop_front())
      if (notes.front().kind == NoteKind::lost)
        os_ << moduleId << ",,lost,,," << notes.front().count << '\n';
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    writeLosses(i);
    int32_t id = batch.ids[i];
    int32_t function = id > 0 ? id : -id;
    os_ << moduleId << ',' << int64_t(batch.times[i] - context_.header.origin)
        << (id > 0 ? ",begin," : ",end,") << function << ',';
    writeField(context_.functions[ids.find(function)].name, os_);
    os_ << ",\n";
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
