//===- RecordText.h - Records as short text, for tables of tests ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_RECORD_RECORDTEXT_H
#define WARPO_UNITTESTS_RECORD_RECORDTEXT_H

#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/StringExtras.h"
#include <string>
#include <utility>

namespace warpo::test {

inline llvm::Expected<std::unique_ptr<RecordReader>> openBytes(llvm::StringRef bytes,
                                                               llvm::StringRef format = "") {
  return openRecord(InputStream::fromBytes(llvm::arrayRefFromStringRef(bytes), "in"), format);
}

/// All of a record: of each batch its module, then `time:id`, or `time:id/fuel`, for each entry,
/// times as differences from the record's origin, notes in braces with their place. Batches of one
/// stream are joined. An error comes last.
inline std::string readAll(llvm::StringRef bytes, llvm::StringRef format = "",
                           bool withPlaces = false) {
  auto reader = openBytes(bytes, format);
  if (!reader)
    return "error: " + llvm::toString(reader.takeError());
  std::string text;
  llvm::raw_string_ostream os(text);
  std::optional<StreamIndex> stream;
  RecordBatch batch;
  while (true) {
    auto more = (*reader)->next(batch);
    if (!more) {
      os << " error: " << llvm::toString(more.takeError());
      break;
    }
    if (!*more)
      break;
    const RecordHeader &header = (*reader)->header();
    if (stream != batch.stream) {
      const StreamInfo &info = header.streams[batch.stream];
      os << (stream ? " " : "") << info.moduleId << (info.name.empty() ? "" : "=") << info.name
         << '>';
    }
    stream = batch.stream;
    auto notes = batch.notes;
    auto notesUpTo = [&](size_t position) {
      for (; !notes.empty() && notes.front().position <= position; notes = notes.drop_front()) {
        static constexpr const char *names[] = {"lost",     "truncated", "invalid",  "back",
                                                "fuelBack", "skipped",   "notClosed"};
        os << " {" << names[size_t(notes.front().kind)] << ' ' << notes.front().count << " at "
           << notes.front().place << '}';
      }
    };
    for (size_t i = 0; i < batch.size(); ++i) {
      notesUpTo(i);
      os << ' ' << int64_t(batch.times[i] - header.origin) << ':' << batch.ids[i];
      for (const CountColumns::Column &column : batch.counts)
        os << '/' << column.values[i];
      if (withPlaces)
        os << '@' << (*reader)->placeOf(i);
    }
    notesUpTo(batch.size());
  }
  return text;
}

/// The record `bytes` written in `format`, or the error.
inline std::string convert(llvm::StringRef bytes, llvm::StringRef format, FunctionTable &functions,
                           std::vector<std::string> *omissions = nullptr) {
  auto reader = openBytes(bytes);
  if (!reader)
    return "error: " + llvm::toString(reader.takeError());
  std::string result;
  llvm::raw_string_ostream os(result);
  auto made = Registry<RecordFormat>::create(format);
  if (!made)
    return "error: " + llvm::toString(made.takeError());
  auto writer =
      (*made)->create(os, {(*reader)->header(), functions, (*reader)->header().measures[0].scale});
  if (!writer)
    return "error: " + llvm::toString(writer.takeError());
  RecordBatch batch;
  while (true) {
    auto more = (*reader)->next(batch);
    if (!more)
      return "error: " + llvm::toString(more.takeError());
    if (!*more)
      break;
    if (llvm::Error error = (*writer)->write(batch))
      return "error: " + llvm::toString(std::move(error));
  }
  if (llvm::Error error = (*writer)->finish())
    return "error: " + llvm::toString(std::move(error));
  if (omissions)
    *omissions = (*writer)->omissions();
  return result;
}

} // namespace warpo::test

#endif
