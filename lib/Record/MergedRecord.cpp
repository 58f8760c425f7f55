//===- MergedRecord.cpp ---------------------------------------------------===//

#include "warpo/Record/MergedRecord.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

Expected<std::unique_ptr<MergedRecord>> MergedRecord::create(std::vector<Part> parts) {
  std::unique_ptr<MergedRecord> merged(new MergedRecord);
  merged->header_.scale = TimeScale();
  for (Part &part : parts)
    if (Error error = merged->add(std::move(part)))
      return error;
  for (Input &input : merged->parts_) {
    merged->place(input);
    merged->adoptModules(input);
  }
  return merged;
}

Error MergedRecord::add(Part part) {
  const RecordHeader &header = part.reader->header();
  if (header.timeIsFuel)
    return makeError(part.name + " has fuel for its only clock: no moment of it is known to be one "
                                 "of another record's");
  if (!header_.fuelClock.empty() && !header.fuelClock.empty() &&
      header_.fuelClock != header.fuelClock)
    return makeError(part.name + " counts " + header.fuelClock + ", others " + header_.fuelClock);
  if (header_.fuelClock.empty())
    header_.fuelClock = header.fuelClock;
  if (header.wallClock != 0 && (header_.wallClock == 0 || header.wallClock < header_.wallClock))
    header_.wallClock = header.wallClock;
  parts_.emplace_back();
  static_cast<Part &>(parts_.back()) = std::move(part);
  return Error::success();
}

void MergedRecord::place(Input &input) {
  const RecordHeader &header = input.reader->header();
  if (header.wallClock == 0)
    return;
  input.origin = header.origin;
  input.offset = header.wallClock - header_.wallClock;
  input.isPlaced = true;
}

std::vector<std::string> MergedRecord::unaligned() const {
  std::vector<std::string> names;
  for (const Input &input : parts_)
    if (input.reader->header().wallClock == 0)
      names.push_back(input.name);
  return names;
}

uint64_t MergedRecord::timeOf(const Input &input, uint64_t time) const {
  if (time >= input.origin)
    return SaturatingAdd(input.offset, input.scale.toNanoseconds(time - input.origin));
  uint64_t before = input.scale.toNanoseconds(input.origin - time);
  return input.offset - std::min(before, input.offset);
}

/// The module's id, or one that no other module has.
uint64_t MergedRecord::idFor(const RecordedModule &module) const {
  auto isTaken = [&](uint64_t id) {
    return any_of(header_.modules, [&](const RecordedModule &other) { return other.id == id; });
  };
  uint64_t id = module.id;
  while (isTaken(id))
    ++id;
  return id;
}

void MergedRecord::adoptModules(Input &input) {
  const RecordHeader &header = input.reader->header();
  while (input.modules.size() < header.modules.size()) {
    const RecordedModule &module = header.modules[input.modules.size()];
    auto known = find_if(header_.modules, [&](const RecordedModule &other) {
      return other.id == module.id && other.name == module.name && other.hash == module.hash;
    });
    bool isNew = known == header_.modules.end();
    input.modules.push_back({size_t(known - header_.modules.begin()), isNew});
    if (isNew) {
      RecordedModule added;
      added.id = idFor(module);
      added.name = module.name;
      added.hash = module.hash;
      added.buildId = module.buildId;
      header_.modules.push_back(std::move(added));
    }
  }
  for (auto [place, module] : zip_equal(input.modules, header.modules)) {
    RecordedModule &ours = header_.modules[place.index];
    if (!place.isOwner)
      continue;
    for (const RecordedModule::Function &function :
         drop_begin(module.functions, ours.functions.size())) {
      ours.functions.push_back({function.id, uint32_t(ours.names.size()), function.size});
      ours.names += module.nameOf(function);
      ++header_.namedFunctions;
    }
  }
}

/// What the module that its record calls `id` is called here.
uint64_t MergedRecord::moduleIdOf(const Input &input, uint64_t id) const {
  for (auto [place, module] : zip_equal(input.modules, input.reader->header().modules))
    if (module.id == id)
      return header_.modules[place.index].id;
  return id;
}

Error MergedRecord::adoptStacks(Input &input) {
  const RecordHeader &header = input.reader->header();
  for (const RecordedStack &theirs : drop_begin(header.stacks, input.stacks.size())) {
    RecordedStack stack = theirs;
    if (input.stacks.empty()) {
      input.stacks.push_back(0);
      continue;
    }
    stack.parent = input.stacks[theirs.parent];
    stack.moduleId = moduleIdOf(input, theirs.moduleId);
    std::optional<uint32_t> added = addStack(std::move(stack));
    if (!added)
      return makeError("the records have more than " + Twine(maxStacks) + " stacks together");
    input.stacks.push_back(*added);
  }
  return Error::success();
}

Error MergedRecord::adoptHeader(Input &input) {
  adoptModules(input);
  if (Error error = adoptStacks(input))
    return error;
  const RecordHeader &header = input.reader->header();
  while (input.streams.size() < header.streams.size()) {
    StreamInfo stream = header.streams[input.streams.size()];
    stream.name = stream.name.empty() ? input.name : input.name + ": " + stream.name;
    stream.moduleId = moduleIdOf(input, stream.moduleId);
    std::optional<StreamIndex> added = addStream(std::move(stream));
    if (!added)
      return makeError("the records have more than " + Twine(maxStreams) + " streams together");
    input.streams.push_back(*added);
  }
  return Error::success();
}

/// Once the whole of the input has been read.
void MergedRecord::adoptPhases(const Input &input) {
  auto momentOf = [&](uint64_t time) {
    auto sinceOrigin = int64_t(time - input.origin);
    return sinceOrigin < 0 ? input.offset - input.scale.toNanoseconds(-uint64_t(sinceOrigin))
                           : input.offset + input.scale.toNanoseconds(uint64_t(sinceOrigin));
  };
  for (RecordedPhase phase : input.reader->header().phases) {
    uint64_t duration = input.scale.toNanoseconds(phase.duration());
    phase.begin = momentOf(phase.begin);
    phase.end = phase.begin + duration;
    phase.run = phase.run.empty() ? input.name : input.name + ": " + phase.run;
    header_.phases.push_back(std::move(phase));
  }
}

Error MergedRecord::readAhead(Input &input) {
  auto more = input.reader->next(input.batch);
  if (!more)
    return more.takeError();
  input.isWaiting = *more;
  input.atEnd = !*more;
  if (!*more) {
    adoptPhases(input);
    return Error::success();
  }
  if (!input.batch.times.empty() || !input.batch.samples.empty()) {
    uint64_t first =
        input.batch.times.empty() ? input.batch.samples.front().time : input.batch.times.front();
    if (!input.isPlaced)
      input.origin = first;
    input.isPlaced = true;
    input.lastTime = timeOf(input, first);
  }
  return adoptHeader(input);
}

// Of the batches that wait, the one that begins first: near enough to the order of time for who
// shows streams side by side, and exact on each stream.
Expected<bool> MergedRecord::next(RecordBatch &batch) {
  Input *first = nullptr;
  for (Input &input : parts_) {
    if (!input.isWaiting && !input.atEnd)
      if (Error error = readAhead(input))
        return error;
    if (input.isWaiting && (!first || input.lastTime < first->lastTime))
      first = &input;
  }
  if (!first)
    return false;
  first->isWaiting = false;
  current_ = size_t(first - parts_.data());
  batch = first->batch;
  batch.stream = first->streams[batch.stream];
  times_.clear();
  for (uint64_t time : batch.times)
    times_.push_back(timeOf(*first, time));
  batch.times = times_;
  samples_.clear();
  for (const StackSample &sample : batch.samples)
    samples_.push_back({timeOf(*first, sample.time), first->scale.toNanoseconds(sample.timeSince),
                        sample.fuelSince, first->stacks[sample.stack]});
  batch.samples = samples_;
  return true;
}

uint64_t MergedRecord::bytesRead() const {
  uint64_t sum = 0;
  for (const Input &input : parts_)
    sum += input.reader->bytesRead();
  return sum;
}

std::optional<uint64_t> MergedRecord::inputSize() const {
  uint64_t sum = 0;
  for (const Input &input : parts_) {
    std::optional<uint64_t> size = input.reader->inputSize();
    if (!size)
      return std::nullopt;
    sum += *size;
  }
  return sum;
}
