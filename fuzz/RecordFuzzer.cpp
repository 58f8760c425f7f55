//===- RecordFuzzer.cpp - Any bytes as a record ---------------------------===//
//
// Every reader takes whatever comes, and the events nest.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/CallTree.h"
#include "warpo/Slice/Slicing.h"
#include <cstdlib>

using namespace llvm;
using namespace warpo;

namespace {

/// Ends the program where events do not nest.
class Judge : public EventSink {
public:
  Error events(const EventBatch &batch) override {
    open_.resize(std::max<size_t>(open_.size(), batch.stream + 1));
    std::vector<FunctionIndex> &open = open_[batch.stream];
    for (const Event &event : batch.events) {
      if (event.kind == EventKind::begin) {
        open.push_back(event.function);
        continue;
      }
      if (open.empty() || open.back() != event.function)
        std::abort();
      open.pop_back();
    }
    return Error::success();
  }
  Error finish() override { return Error::success(); }

private:
  std::vector<std::vector<FunctionIndex>> open_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  auto reader = openRecord(InputStream::fromBytes(ArrayRef(bytes, size), "record"));
  if (!reader) {
    consumeError(reader.takeError());
    return 0;
  }
  FunctionTable functions;
  DamageReport damage;
  auto slicer = cantFail(warpo::Registry<Slicer>::create("calls"));
  Judge judge;
  auto result = sliceRecord(**reader, functions, *slicer, judge, damage,
                            [](const RecordBatch &) { return Error::success(); });
  if (!result)
    consumeError(result.takeError());
  return 0;
}
