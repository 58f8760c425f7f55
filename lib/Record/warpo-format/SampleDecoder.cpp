//===- SampleDecoder.cpp --------------------------------------------------===//

#include "SampleDecoder.h"

using namespace llvm;
using namespace warpo;

bool SampleDecoder::decode(RecordColumns &columns) {
  ByteCursor cursor(ArrayRef<uint8_t>(at_, end_));
  while (columns.samples.size() < RecordColumns::capacity && !cursor.atEnd()) {
    uint64_t time = cursor.uleb64();
    uint64_t fuel = cursor.uleb64();
    std::optional<uint32_t> stack = find(cursor.uleb64());
    // What the first one speaks of may have begun before the clock's 0.
    if (!cursor.ok() || !stack || time > INT64_MAX || int64_t(time_ + time) < int64_t(time_))
      return false;
    time_ += time;
    columns.samples.push_back({time_, time, fuel, *stack});
    at_ = cursor.position();
  }
  return true;
}
