// SPDX-License-Identifier: Apache-2.0
// A record of the format warpo read back with the tools' own reader.
#ifndef WARPO_UNITTESTS_RECORDER_WARPORECORD_H
#define WARPO_UNITTESTS_RECORDER_WARPORECORD_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/event_stream.h"

#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct WarpoRecord {
  struct Stream {
    uint64_t module = 0;
    uint64_t thread = 0;
    std::vector<uint64_t> times;
    std::vector<int32_t> ids;
    /// By column.
    std::array<std::vector<uint64_t>, warpo::maxColumns> counts;
    /// The first column.
    std::vector<uint64_t> fuel;
    /// The recorder kept the thread: since when, for how long, and after how many of the program's
    /// entries, which are those above.
    struct Wait {
      uint64_t since, took;
      size_t after;
    };
    std::vector<Wait> waits;
  };

  std::string error; ///< why it cannot be read on; empty if it can
  warpo::RecordHeader header;
  warpo::ProbeCost probe;
  std::vector<Stream> streams;
  std::vector<warpo::StackSample> samples;
  std::map<warpo::LossCause, uint64_t> lost;
  uint64_t stepsBack = 0;
  uint64_t fuelStepsBack = 0;
  /// Notes of damage, which a recorder never leaves in a record that it has closed.
  uint64_t damaged = 0;
  bool isClosed = true;

  uint64_t events() const {
    uint64_t sum = 0;
    for (const Stream &stream : streams)
      sum += stream.ids.size();
    return sum;
  }
};

inline WarpoRecord readWarpo(const std::string &file) {
  WarpoRecord record;
  auto input = warpo::InputStream::open(file);
  if (!input) {
    record.error = toString(input.takeError());
    return record;
  }
  auto reader = warpo::openRecord(std::move(*input), "warpo");
  if (!reader) {
    record.error = toString(reader.takeError());
    return record;
  }
  warpo::RecordBatch batch;
  while (true) {
    auto more = (*reader)->next(batch);
    if (!more)
      record.error = toString(more.takeError());
    if (!more || !*more)
      break;
    for (const warpo::RecordNote &note : batch.notes)
      switch (note.kind) {
      case warpo::NoteKind::lostSomewhere:
      case warpo::NoteKind::lost:
        record.lost[note.cause] += note.count;
        break;
      case warpo::NoteKind::timeWentBack:
        ++record.stepsBack;
        break;
      case warpo::NoteKind::countWentBack:
        ++record.fuelStepsBack;
        break;
      case warpo::NoteKind::notClosed:
        record.isClosed = false;
        break;
      default:
        ++record.damaged;
      }
    record.samples.insert(record.samples.end(), batch.beside.samples.begin(),
                          batch.beside.samples.end());
    if (batch.stream >= record.streams.size())
      record.streams.resize(batch.stream + 1);
    WarpoRecord::Stream &stream = record.streams[batch.stream];
    for (size_t i = 0; i < batch.size(); ++i) {
      if (batch.ids[i] == WARPO_RECORDING_ID) {
        stream.waits.push_back({batch.times[i], 0, stream.ids.size()});
        continue;
      }
      if (batch.ids[i] == -WARPO_RECORDING_ID) {
        WarpoRecord::Stream::Wait &wait = stream.waits.at(stream.waits.size() - 1);
        wait.took = batch.times[i] - wait.since;
        record.damaged += wait.after != stream.ids.size();
        continue;
      }
      stream.times.push_back(batch.times[i]);
      stream.ids.push_back(batch.ids[i]);
      for (warpo::ColumnIndex column = 0; column < warpo::maxColumns; ++column)
        if (!batch.counts[column].empty())
          stream.counts[column].push_back(batch.counts[column][i]);
    }
    stream.fuel = stream.counts[0];
  }
  record.header = (*reader)->header();
  record.probe = (*reader)->probe();
  for (size_t i = 0; i < record.streams.size(); ++i) {
    record.streams[i].module = record.header.streams[i].moduleId;
    record.streams[i].thread = record.header.streams[i].thread;
  }
  return record;
}

/// Options that refer to `file`.
inline warpo_recorder_options warpoOptions(const std::string &file,
                                           warpo_recorder_policy policy = WARPO_POLICY_BLOCK) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = file.c_str();
  options.format = WARPO_FORMAT_WARPO;
  options.policy = policy;
  return options;
}

warpo_recorder_options warpoOptions(std::string &&file, warpo_recorder_policy policy) = delete;

/// Calls of function 16777216 + i % 7, one after the other.
inline void recordCalls(warpo_event_stream *stream, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    warpo_trace_event(stream, int32_t(0x1000000 + i % 7));
    warpo_trace_event(stream, -int32_t(0x1000000 + i % 7));
  }
}

#endif
