//===- PartChooser.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PartChooser.h"

using namespace llvm;
using namespace warpo;

Error PartChooser::events(const EventBatch &batch) {
  hasCalls_ |= !batch.events.empty();
  return part_ != RecordPart::samples ? calls_.events(batch) : Error::success();
}

Error PartChooser::handOn(const SideBatch &batch) {
  if (!std::exchange(saidSamples_, true))
    onSamples_();
  return samples_.beside(batch);
}

Error PartChooser::beside(const SideBatch &batch) {
  SideEntries others = batch.entries.withSamples({});
  if (!others.empty())
    if (Error error = calls_.beside({batch.stream, others}))
      return error;
  ArrayRef<StackSample> samples = batch.entries.samples;
  if (samples.empty() || part_ == RecordPart::calls)
    return Error::success();
  if (part_ == RecordPart::samples)
    return handOn({batch.stream, {samples}});
  if (hasCalls_)
    return Error::success();
  waitingStreams_ = std::max(waitingStreams_, batch.stream + 1);
  return waiting_.append(batch.stream, samples);
}

Error PartChooser::finish() {
  for (StreamIndex stream = 0; stream < waitingStreams_ && !hasCalls_; ++stream) {
    std::vector<StackSample> batch;
    Error handingOn = Error::success();
    auto flush = [&] {
      if (!handingOn && !batch.empty())
        handingOn = handOn({stream, {batch}});
      batch.clear();
    };
    Error reading = waiting_.read(stream, [&](const StackSample &sample) {
      batch.push_back(sample);
      if (batch.size() == RecordColumns::capacity)
        flush();
    });
    flush();
    if (Error error = joinErrors(std::move(reading), std::move(handingOn)))
      return error;
  }
  return samples_.finish();
}
