//===- SampleSequence.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampleSequence.h"
#include "Packets.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpo::perfetto {

// PerfEvents.Counter: CPU clock.
static constexpr int32_t processorClock = 1;
static constexpr int32_t userMode = 2;

std::string SampleSequence::start(uint64_t nanoseconds, uint32_t process, uint64_t threadUuid) {
  process_ = process;
  Trace trace;
  PerfSampleDefaults &defaults =
      *addDefaults(trace, number_, isFirst_).mutable_perf_sample_defaults();
  const RecordHeader &header = info_.header;
  // A timebase needs a period; here each sample has its exact counts.
  defaults.mutable_timebase()->set_period(1);
  defaults.mutable_timebase()->set_counter(processorClock);
  defaults.mutable_timebase()->set_name(utf8(header.measures.front().clock()));
  for (const Measure &measure : header.columns()) {
    PerfFollower &follower = *defaults.add_followers();
    follower.set_counter(processorClock);
    follower.set_name(utf8(measure.clock()));
  }
  addClock(trace, number_, nanoseconds);
  TrackDescriptor &track = *addPacket(trace, number_, nanoseconds).mutable_track_descriptor();
  track.set_uuid(threadUuid);
  track.mutable_thread()->set_pid(int32_t(process));
  track.mutable_thread()->set_tid(int32_t(thread()));
  track.mutable_thread()->set_thread_name(utf8(info_.streamName(stream_)));
  callstacks_.clear();
  frames_.clear();
  mappings_.clear();
  paths_.clear();
  lastTime_ = nanoseconds;
  isFirst_ = false;
  return trace.SerializeAsString();
}

static void addName(Name &entry, uint64_t number, StringRef name) {
  entry.set_iid(number);
  entry.set_name(utf8(name));
}

uint64_t SampleSequence::mappingOf(const Function &function, InternedData &added) {
  const MappedModule &module = info_.functions.modules()[function.module];
  // A guest frame, which is not a function of a module, has no mapping; if one mapping names the
  // functions of all modules, the module is unknown.
  if ((function.id == 0 && !function.isInlined) || (module.moduleId == 0 && module.name.empty()))
    return 0;
  auto [entry, isNew] = mappings_.try_emplace(function.module, mappings_.size() + 1);
  uint64_t number = entry->second;
  if (isNew) {
    addName(*added.add_mapping_paths(), number, info_.functions.moduleName(module.moduleId));
    Mapping &mapping = *added.add_mappings();
    mapping.set_iid(number);
    mapping.add_path_string_ids(number);
  }
  return number;
}

uint64_t SampleSequence::frameOf(FunctionIndex index, InternedData &added) {
  auto [entry, isNew] = frames_.try_emplace(index, frames_.size() + 1);
  uint64_t number = entry->second;
  if (!isNew)
    return number;
  if (index == noFunction) {
    addName(*added.add_function_names(), number, "(deeper calls)");
    Frame &frame = *added.add_frames();
    frame.set_iid(number);
    frame.set_function_name_id(number);
    return number;
  }
  const Function &function = info_.functions[index];
  addName(*added.add_function_names(), number, function.name);
  uint64_t mapping = mappingOf(function, added);
  uint64_t path = 0;
  bool hasLine = function.executedLine != 0;
  StringRef file = hasLine ? function.executedFile : function.file;
  if (!file.empty()) {
    auto [entry, isNewPath] = paths_.try_emplace(file, paths_.size() + 1);
    path = entry->second;
    if (isNewPath)
      addName(*added.add_source_paths(), path, file);
  }
  Frame &frame = *added.add_frames();
  frame.set_iid(number);
  frame.set_function_name_id(number);
  if (mapping > 0) {
    frame.set_mapping_id(mapping);
    // Trace processor merges frames with the same name and address.
    frame.set_rel_pc(hasLine ? function.executedOffset : uint64_t(function.id));
  }
  if (path > 0) {
    frame.set_source_path_iid(path);
    frame.set_line_number(hasLine ? function.executedLine : function.line);
  }
  return number;
}

uint64_t SampleSequence::callstackOf(uint32_t stack, InternedData &added) {
  ArrayRef<ResolvedStack> stacks = info_.functions.stacks();
  uint32_t within = limit_.within(stacks, stack);
  bool isCut = within != stack;
  tooDeep_ += isCut;
  auto [entry, isNew] =
      callstacks_.try_emplace(uint64_t(within) << 1 | isCut, callstacks_.size() + 1);
  uint64_t number = entry->second;
  if (!isNew)
    return number;
  SmallVector<uint64_t, 64> frames;
  if (isCut)
    frames.push_back(frameOf(noFunction, added));
  for (uint32_t around = within; around != 0; around = stacks[around].parent)
    for (FunctionIndex function : reverse(info_.functions.framesOf(around)))
      frames.push_back(frameOf(function, added));
  Callstack &callstack = *added.add_callstacks();
  callstack.set_iid(number);
  for (uint64_t frame : reverse(frames))
    callstack.add_frame_ids(frame);
  return number;
}

std::string SampleSequence::write(const StackSample &sample) {
  uint64_t now = std::max(info_.scale.toNanoseconds(sample.time), lastTime_);
  timeSum_ = SaturatingAdd(timeSum_, sample.timeSince);
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    sums_[column] = SaturatingAdd(sums_[column], sample.countsSince[column]);
  Trace trace;
  TracePacket &packet = *trace.add_packet();
  packet.set_trusted_packet_sequence_id(number_);
  packet.set_timestamp(now - lastTime_);
  lastTime_ = now;
  PerfSample &seen = *packet.mutable_perf_sample();
  seen.set_pid(process_);
  seen.set_tid(thread());
  seen.set_cpu_mode(userMode);
  seen.set_timebase_count(info_.scale.toNanoseconds(timeSum_));
  for (ColumnIndex column = 0; column < info_.header.columns().size(); ++column)
    seen.add_follower_counts(sums_[column]);
  InternedData added;
  // Self time of the host has no stack.
  if (sample.stack != 0)
    seen.set_callstack_iid(callstackOf(sample.stack, added));
  hasGrown_ = added.ByteSizeLong() > 0;
  if (hasGrown_)
    *packet.mutable_interned_data() = std::move(added);
  return trace.SerializeAsString();
}

} // namespace warpo::perfetto
