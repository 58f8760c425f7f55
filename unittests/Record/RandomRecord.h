//===- RandomRecord.h - Records of random calls for tests -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_RECORD_RANDOMRECORD_H
#define WARPO_UNITTESTS_RECORD_RANDOMRECORD_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include <ostream>
#include <random>

namespace warpo::test {

/// A record as this test makes it: entries and losses of some streams, in the order of writing.
struct Written {
  RecordHeader header;
  ProbeCost probe = {};
  struct Piece {
    StreamIndex stream;
    RecordColumns columns;
  };
  std::vector<Piece> pieces;

  std::string write(bool compress = false) const {
    FunctionTable functions;
    header.declareTo(functions);
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    auto format = llvm::cantFail(warpo::Registry<RecordFormat>::create("warpo"));
    auto writer = llvm::cantFail(
        format->create(os, {header, functions, /*scale=*/TimeScale(2, 5), probe, compress}));
    for (const Piece &piece : pieces)
      llvm::cantFail(writer->write(piece.columns.batch(piece.stream)));
    llvm::cantFail(writer->finish());
    return bytes;
  }
};

struct Shape {
  const char *name;
  unsigned streams;
  size_t entries;
  /// In a thousand entries: ends that match nothing or something deeper, losses, long silences.
  unsigned wrongEnds;
  unsigned losses;
  unsigned silences;
  /// Of 16: how often a call begins rather than ends.
  unsigned begins;
  bool oddIds;
  /// The outermost calls never end.
  size_t endless = 0;
  bool hasFuel = false;
};
inline void PrintTo(const Shape &shape, std::ostream *os) { *os << shape.name; }

inline Written randomRecord(const Shape &shape, unsigned seed) {
  std::mt19937_64 random(seed);
  Written record;
  std::vector<std::vector<int32_t>> open(shape.streams);
  std::vector<uint64_t> times(shape.streams, 1000);
  std::vector<uint64_t> fuel(shape.streams, 5000);
  if (shape.hasFuel)
    record.header.measures.push_back({.name = "fuel", .unit = "fuel"});
  for (unsigned i = 0; i < shape.streams; ++i)
    record.header.streams.push_back({i / 2, i % 2 ? "worker" : "", i});
  for (size_t left = shape.entries; left > 0;) {
    auto stream = StreamIndex(random() % shape.streams);
    Written::Piece piece{stream, {}};
    size_t count = std::min<size_t>(left, 1 + random() % 3000);
    left -= count;
    for (size_t i = 0; i < count; ++i) {
      // Many long ones must not pass 2^64 together.
      auto longStep = [&] { return random() >> ((shape.silences < 100 ? 8 : 24) + random() % 40); };
      uint64_t silence = longStep();
      uint64_t step = random() % 1000 < shape.silences ? silence : random() % 200;
      times[stream] += step;
      auto &stack = open[stream];
      if (random() % 1000 < shape.losses)
        piece.columns.notes.push_back(
            {uint32_t(i), NoteKind::lost, random() % 100, "", LossCause(random() % 5)});
      int32_t id;
      if (random() % 1000 < shape.wrongEnds) {
        id = -int32_t(0x1000000 + random() % 50);
      } else if (stack.size() > shape.endless && random() % 16 >= shape.begins) {
        id = -stack.back();
        stack.pop_back();
      } else {
        id = shape.oddIds ? int32_t(1 + random() % INT32_MAX) : int32_t(0x1000000 + random() % 500);
        stack.push_back(id);
      }
      piece.columns.times.push_back(times[stream]);
      if (shape.hasFuel)
        piece.columns.counts[0].push_back(
            fuel[stream] += random() % 1000 < shape.silences ? longStep() : random() % 300);
      piece.columns.ids.push_back(id);
    }
    record.pieces.push_back(std::move(piece));
  }
  return record;
}

} // namespace warpo::test

#endif
