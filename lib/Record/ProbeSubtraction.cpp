//===- ProbeSubtraction.cpp -----------------------------------------------===//

#include "warpo/Record/ProbeSubtraction.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

static constexpr unsigned fractionBits = 10;
static constexpr uint64_t fractionMask = (uint64_t(1) << fractionBits) - 1;
/// Costs beyond this are no costs of a trace point; a record may claim any.
static constexpr uint64_t maxCost = uint64_t(1) << 40;

ProbeSubtraction::ProbeSubtraction(std::unique_ptr<RecordReader> reader)
    : reader_(std::move(reader)) {
  adoptHeader();
}

void ProbeSubtraction::adoptHeader() {
  header_ = reader_->header();
  header_.probe = {};
}

double ProbeSubtraction::subtractedShare() const {
  constexpr double unit = double(fractionMask + 1);
  return charged_ == 0 ? 0 : double(subtracted_) * unit / charged_;
}

Expected<bool> ProbeSubtraction::next(RecordBatch &batch) {
  auto more = reader_->next(batch);
  if (!more || !*more)
    return more;
  const RecordHeader &header = reader_->header();
  // It grows while the record is read; names make it too large to be copied each time.
  if (header.streams.size() != header_.streams.size() ||
      header.modules.size() != header_.modules.size() ||
      header.namedFunctions != header_.namedFunctions)
    adoptHeader();
  uint64_t beginCost = std::min(header.probe.begin, maxCost);
  uint64_t endCost = std::min(header.probe.end, maxCost);
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  times_.resize(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    uint64_t passed = stream.hasEntry ? batch.times[i] - stream.lastTime : 0;
    uint64_t moved = std::min(stream.cost >> fractionBits, passed);
    stream.offset += moved;
    charged_ += double(stream.cost & ~fractionMask);
    stream.cost = (stream.cost & fractionMask) + (batch.ids[i] > 0 ? beginCost : endCost);
    stream.lastTime = batch.times[i];
    stream.hasEntry = true;
    times_[i] = batch.times[i] - stream.offset;
    subtracted_ += moved;
    recorded_ += passed;
  }
  batch.times = times_;
  return true;
}
