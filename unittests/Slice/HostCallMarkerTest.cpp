//===- HostCallMarkerTest.cpp - Calls from the host, and by reference -----===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/HostCallMarker.h"
#include "warpo/Slice/EventBuilder.h"
#include "warpo/Slice/Slicing.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr int32_t import = firstFunctionId, f = firstFunctionId + 1, g = firstFunctionId + 2;

/// Writes events as `(f [host] …)`.
class TextSink : public CallSink {
public:
  explicit TextSink(const FunctionTable &functions) : functions_(functions) {}
  Error events(const EventBatch &batch) override {
    for (const Event &event : batch.events) {
      std::string name = functions_[event.function].name.str();
      text += isEnd(event.kind) ? "end " + name + "\n" : "begin " + name + "\n";
    }
    return Error::success();
  }
  Error finish() override { return Error::success(); }

  std::string text;

private:
  const FunctionTable &functions_;
};

/// The same entries through the quick path of the builder, in batches of `size`.
std::string mark(ArrayRef<int32_t> ids, size_t size) {
  FunctionTable functions;
  functions.showCallKinds();
  TextSink sink(functions);
  HostCallMarker marker(functions, sink);
  RepairCounts repairs;
  EventBuilder builder(0, 0, functions.idsOf(0), repairs);
  std::vector<uint64_t> times(ids.size());
  for (size_t i = 0; i < ids.size(); i += size) {
    RecordBatch batch;
    batch.ids = ids.slice(i, std::min(size, ids.size() - i));
    batch.times = ArrayRef(times).slice(i, batch.ids.size());
    builder.replay(batch);
    cantFail(marker.events(builder.batch()));
    builder.clear();
  }
  return sink.text;
}

TEST(HostCallMarker, distinguishesTheHostsCalls) {
  const int32_t ids[] = {f | referenceMark,
                         g,
                         -g,
                         g | referenceMark,
                         -(g | referenceMark),
                         import | importMark,
                         g | referenceMark,
                         -(g | referenceMark),
                         g,
                         -g,
                         -(import | importMark),
                         -(f | referenceMark),
                         g,
                         -g};
  const char *expected = "begin function 16777217 [host]\n"
                         "begin function 16777218\n"
                         "end function 16777218\n"
                         "begin function 16777218 [reference]\n"
                         "end function 16777218 [reference]\n"
                         "begin function 16777216\n"
                         "begin function 16777218 [host]\n"
                         "end function 16777218 [host]\n"
                         "begin function 16777218 [host]\n"
                         "end function 16777218 [host]\n"
                         "end function 16777216\n"
                         "end function 16777217 [host]\n"
                         "begin function 16777218 [host]\n"
                         "end function 16777218 [host]\n";
  for (size_t size : {size_t(1), size_t(2), std::size(ids)})
    EXPECT_EQ(mark(ids, size), expected) << size;
}

} // namespace
