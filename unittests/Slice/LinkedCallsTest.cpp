//===- LinkedCallsTest.cpp - Imports that are functions of other modules --===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/LinkedCalls.h"
#include "EventText.h"
#include "warpo/Slice/Slicing.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

// On the stream, ids 100 and up are those of a second module and 200 and up those of a third; in
// their modules both are 50 less.
constexpr int32_t import = 1, f = 2, work = 101, passed = 102, far = 201;
constexpr int32_t lost = 0, trap = 2147483647, recorder = 2147483645;

class LinkedReader : public RecordSource {
public:
  LinkedReader(ArrayRef<int32_t> ids, size_t batchSize) : ids_(ids), batchSize_(batchSize) {
    RecordedModule first, second;
    second.id = 7;
    addLinkedFunctions(addModule(first), {import});
    addStream({0, ""});
    addWindow(0, {7, 51, 101, 10});
    addWindow(0, {8, 151, 201, 10});
    addLinkedFunctions(addModule(second), {passed - 50});
    // Declared again, as by another thread.
    addLinkedFunctions(1, {passed - 50});
  }

  Expected<bool> next(RecordBatch &batch) override {
    if (at_ == ids_.size())
      return false;
    columns_.clear();
    for (size_t end = std::min(at_ + batchSize_, ids_.size()); at_ < end; ++at_) {
      if (ids_[at_] == lost) {
        columns_.notes.push_back({uint32_t(columns_.ids.size()), NoteKind::lost, 2, "here"});
        continue;
      }
      columns_.ids.push_back(ids_[at_]);
      columns_.times.push_back(10 + at_);
    }
    batch = columns_.batch(0);
    return true;
  }
  std::string placeOf(size_t) const override { return ""; }
  uint64_t bytesRead() const override { return 0; }
  std::optional<uint64_t> inputSize() const override { return std::nullopt; }

private:
  ArrayRef<int32_t> ids_;
  size_t batchSize_;
  size_t at_ = 0;
  RecordColumns columns_;
};

/// The events, which must not depend on the size of batches.
std::string eventsOf(ArrayRef<int32_t> ids) {
  std::string text;
  for (size_t batchSize : {1000, 1, 2, 3}) {
    LinkedReader reader(ids, batchSize);
    FunctionTable functions;
    EventText output(functions);
    DamageReport damage;
    auto slicer = cantFail(warpo::Registry<Slicer>::create("calls"));
    cantFail(sliceRecord(reader, functions, *slicer, output, damage,
                         [](const RecordBatch &) { return Error::success(); }));
    if (batchSize == 1000)
      text = output.text();
    EXPECT_EQ(output.text(), text) << batchSize;
  }
  return text;
}

TEST(LinkedCalls, areThoseOfTheFunction) {
  EXPECT_EQ(eventsOf({f, import, work, -work, -import, -f}), "10+2 11+51 14-51 15-2");
  // Functions that pass each other on.
  EXPECT_EQ(eventsOf({import, passed, far, -far, -passed, -import}), "10+151 15-151");
  EXPECT_EQ(eventsOf({import, work, import, work, -work, -import, -work, -import}),
            "10+51 12+51 15-51 17-51");
}

TEST(LinkedCalls, keepOtherCallsOfTheImport) {
  EXPECT_EQ(eventsOf({import, -import}), "10+1 11-1");
  // JavaScript that calls the first module.
  EXPECT_EQ(eventsOf({import, f, -f, work, -work, -import}), "10+1 11+2 12-2 13+51 14-51 15-1");
  EXPECT_EQ(eventsOf({import, passed, -passed, -import}), "10+52 13-52");
  // What follows may be of another call.
  EXPECT_EQ(eventsOf({import, lost, work, -work, -import}), "10+1 {10..12 x2} 12+51 13-51 14-1");
}

TEST(LinkedCalls, endLikeTheFunction) {
  EXPECT_EQ(eventsOf({f, import, work, trap, -f, f, -f}), "10+2 11+51 12-51t 12-2t 15+2 16-2");
  EXPECT_EQ(eventsOf({f, import, work}), "10+2 11+51 12-51o 12-2o");
  EXPECT_EQ(eventsOf({f, import}), "10+2 11+1 11-1o 11-2o");
}

TEST(LinkedCalls, includeTimeOfTheRecorder) {
  EXPECT_EQ(eventsOf({import, recorder, -recorder, work, -work, -import}),
            "10+51 11+2147483645 12-2147483645 15-51");
  // The record may lack its end, or have it late.
  EXPECT_EQ(eventsOf({import, recorder, lost, -recorder, -import}),
            "10+1 11+2147483645 {11..13 x2} 13-2147483645 14-1");
  EXPECT_EQ(eventsOf({import, recorder, work, -work, -recorder, -import}),
            "10+51 11+2147483645 14-2147483645 15-51");
  EXPECT_EQ(eventsOf({f, import, recorder}), "10+2 11+1 12+2147483645 12-2147483645o 12-1o 12-2o");
  EXPECT_EQ(eventsOf({import, recorder, -recorder, f, -f, -import}),
            "10+1 11+2147483645 12-2147483645 13+2 14-2 15-1");
}

} // namespace
