//===- JsonFormat.cpp - The record with names, for scripts ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   {
//     "nanosecondsPerCount": 0.4,                      (if known)
//     "clockBits": 32,                                 (if fewer than 64 were recorded)
//     "entries": [
//       {"module": "16", "time": 1000, "event": "begin", "id": 16777216, "function": "main"},
//       {"module": "16", "event": "lost", "count": 3}
//     ]
//   }
//
// `time` in counts since the record's origin; the `count` of lost events is 0 if it is unknown.
// What is counted beside the time stands behind it, as `"fuel": 55`, or in place of it where the
// record has no time.
// An entry of a stream that has a name has it too, as `"stream": "worker"`, after its module.
// Modules are strings: as numbers, most would lose digits in the many readers that keep doubles.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

namespace {

class JsonWriter : public CallWriter {
public:
  JsonWriter(raw_ostream &os, const RecordWriterContext &context) : CallWriter(context), os_(os) {
    os_ << '{';
    if (context.scale)
      writeField("nanosecondsPerCount", context.scale->nanosecondsPerCount());
    if (context.header.clockBits != 64)
      writeField("clockBits", context.header.clockBits);
    os_ << "\n  \"entries\": [";
  }

  Error writeCalls(const RecordBatch &batch) override;
  Error finish() override {
    os_ << (isFirst_ ? "]\n}\n" : "\n  ]\n}\n");
    return Error::success();
  }

private:
  static json::Value text(StringRef name) {
    return json::isUTF8(name) ? json::Value(name) : json::Value(json::fixUTF8(name));
  }
  // One entry per line is more readable than the output of a single writer.
  void writeField(StringRef key, json::Value value) {
    os_ << "\n  \"" << key << "\": " << value << ',';
  }
  void writeEntry(const StreamInfo &stream, uint64_t moduleId,
                  function_ref<void(json::OStream &)> writeFields) {
    os_ << (isFirst_ ? "\n    " : ",\n    ");
    isFirst_ = false;
    json::OStream entry(os_);
    entry.object([&] {
      entry.attribute("module", std::to_string(moduleId));
      if (!stream.name.empty())
        entry.attribute("stream", text(stream.name));
      writeFields(entry);
    });
  }

  raw_ostream &os_;
  bool isFirst_ = true;
};

Error JsonWriter::writeCalls(const RecordBatch &batch) {
  const StreamInfo &stream = context_.header.streams[batch.stream];
  FunctionIds &ids = context_.functions.idsOf(batch.stream, stream);
  ArrayRef<RecordNote> notes = batch.notes;
  auto writeLosses = [&](size_t position) {
    for (const RecordNote &note : takeUpTo(notes, position))
      if (note.kind == NoteKind::lost)
        writeEntry(stream, stream.moduleId, [&](json::OStream &entry) {
          entry.attribute("event", "lost");
          entry.attribute("count", note.count);
        });
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    writeLosses(i);
    int32_t id = batch.ids[i];
    int32_t function = id > 0 ? id : -id;
    FunctionRef own = stream.functionOf(function);
    writeEntry(stream, own.moduleId, [&](json::OStream &entry) {
      const std::vector<Measure> &measures = context_.header.measures;
      entry.attribute(measures.front().name, int64_t(batch.times[i] - context_.header.origin));
      for (const CountColumns::Column &column : batch.counts)
        entry.attribute(measures[column.index + 1].name, column.values[i]);
      entry.attribute("event", id > 0 ? "begin" : "end");
      entry.attribute("id", own.id);
      entry.attribute("function", text(context_.functions[ids.find(function)].name));
    });
  }
  writeLosses(batch.size());
  return Error::success();
}

class JsonFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".json"; }
  bool isBinary() const override { return false; }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return std::make_unique<JsonWriter>(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<JsonFormat>
    registration("json", "entries with names, for scripts (can only be written)");

} // namespace
