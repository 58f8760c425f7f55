//===- MergedRecord.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/MergedRecord.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

Expected<std::unique_ptr<MergedRecord>> MergedRecord::create(std::vector<Part> parts) {
  std::unique_ptr<MergedRecord> merged(new MergedRecord);
  merged->header_.measures.front().scale = TimeScale();
  for (Part &part : parts)
    if (Error error = merged->add(std::move(part)))
      return error;
  // From here on, parts do not move in memory.
  for (Input &input : merged->parts_) {
    merged->place(input);
    input.reader->observe(input);
  }
  return merged;
}

Error MergedRecord::add(Part part) {
  const RecordHeader &header = part.reader->header();
  if (!header.hasTime())
    return makeError(part.name + " has " + header.measures.front().name +
                     " for its only clock: its times cannot be aligned with another record's");
  if (header.wallClock != 0 && (header_.wallClock == 0 || header.wallClock < header_.wallClock))
    header_.wallClock = header.wallClock;
  parts_.emplace_back(std::move(part), *this);
  return takeOverColumns(parts_.back());
}

Error MergedRecord::takeOverColumns(Input &input) {
  for (const Measure &measure : input.reader->header().columns().drop_front(input.columns.size())) {
    const Measure *ours = header_.findMeasure(measure.name);
    if (ours && ours->unit != measure.unit)
      return makeError(input.name + " counts " + measure.unit + ", others " + ours->unit);
    std::optional<ColumnIndex> column = addColumn(measure);
    if (!column)
      return makeError("the records count more than " + Twine(maxColumns) +
                       " measures beside time together");
    input.columns.push_back(*column);
  }
  return Error::success();
}

Expected<bool> MergedRecord::addColumnsAhead() {
  bool areAllKnown = true;
  for (Input &input : parts_) {
    auto areKnown = input.reader->addColumnsAhead();
    if (!areKnown)
      return areKnown;
    areAllKnown &= *areKnown;
    if (Error error = takeOverColumns(input))
      return error;
  }
  return areAllKnown;
}

void MergedRecord::place(Input &input) {
  const RecordHeader &header = input.reader->header();
  if (header.wallClock == 0 && !input.earliest)
    return;
  bool isAligned = header.wallClock != 0;
  input.origin = isAligned ? header.origin : *input.earliest;
  input.offset = isAligned ? header.wallClock - header_.wallClock : 0;
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

uint64_t MergedRecord::timeSince(const Input &input, const StackSample &sample) const {
  auto nanoseconds = [&](uint64_t counts) { return input.scale.toNanoseconds(counts); };
  uint64_t begin = sample.time - sample.timeSince;
  bool beginsBeforeOrigin = sample.timeSince > sample.time || begin < input.origin;
  if (!beginsBeforeOrigin)
    return nanoseconds(sample.time - input.origin) - nanoseconds(begin - input.origin);
  if (sample.time >= input.origin)
    return SaturatingAdd(nanoseconds(sample.time - input.origin),
                         nanoseconds(input.origin - begin));
  return nanoseconds(input.origin - begin) - nanoseconds(input.origin - sample.time);
}

/// The module's id, or an unused one.
uint64_t MergedRecord::idFor(const RecordedModule &module) const {
  auto isTaken = [&](uint64_t id) {
    return any_of(header_.modules, [&](const RecordedModule &other) { return other.id == id; });
  };
  uint64_t id = module.id;
  while (isTaken(id))
    ++id;
  return id;
}

MergedRecord::Module MergedRecord::moduleFor(const RecordedModule &theirs) {
  auto known = find_if(header_.modules, [&](const RecordedModule &ours) {
    return ours.id == theirs.id && ours.name == theirs.name && ours.hash == theirs.hash;
  });
  if (known != header_.modules.end())
    return {size_t(known - header_.modules.begin()), false};
  RecordedModule added;
  added.id = idFor(theirs);
  added.name = theirs.name;
  added.hash = theirs.hash;
  added.buildId = theirs.buildId;
  return {addModule(std::move(added)), true};
}

void MergedRecord::Input::declareModule(size_t index, const RecordedModule &module,
                                        ArrayRef<RecordedModule::Function> added) {
  if (index == modules.size()) {
    modules.push_back(merged.moduleFor(module));
    moduleIds.try_emplace(module.id, merged.header_.modules[modules.back().index].id);
  }
  const Module &ours = modules[index];
  std::vector<NamedFunction> functions;
  for (const RecordedModule::Function &function : added) {
    StringRef name = module.nameOf(function);
    if (!isSection(function.id)) {
      if (ours.isOwner)
        functions.push_back({function.id, name});
      continue;
    }
    int32_t section = merged.sectionFor(ours.index, name, function.id);
    if (section != function.id)
      sections[{module.id, function.id}] = section;
  }
  if (!functions.empty())
    merged.addFunctions(ours.index, functions);
}

int32_t MergedRecord::sectionFor(size_t module, StringRef name, int32_t preferred) {
  auto [known, isNew] = sections_.try_emplace({module, name.str()}, preferred);
  int32_t &id = known->second;
  if (!isNew)
    return id;
  while (!sectionIds_.insert(id).second) {
    hasTooManySections_ = !isSection(nextSectionId_);
    if (hasTooManySections_)
      return id;
    id = nextSectionId_++;
  }
  addFunctions(module, NamedFunction{id, name});
  return id;
}

void MergedRecord::Input::declareLinkedFunctions(size_t index, const RecordedModule &,
                                                 ArrayRef<int32_t> added) {
  merged.addLinkedFunctions(modules[index].index, added);
}

void MergedRecord::Input::declarePlaces(size_t index, const RecordedModule &module) {
  const Module &ours = modules[index];
  // If another part owns the module, only missing locations are added.
  if (ours.isOwner || !merged.header_.modules[ours.index].places)
    merged.setPlaces(ours.index, module.places);
}

void MergedRecord::Input::declareStream(StreamIndex index, const StreamInfo &stream) {
  if (index < streams.size()) {
    merged.setSampling(streams[index], stream.sampledBy, stream.sampleInterval);
    merged.setHeapInterval(streams[index], stream.heapInterval);
    const StackWindows &known = merged.header_.streams[streams[index]].windows;
    for (const ModuleWindow &window : stream.windows.declared().drop_front(known.declared().size()))
      merged.addWindow(streams[index], windowOf(window));
  } else if (index < streams.size() + newStreams.size())
    newStreams[index - streams.size()] = stream;
  else
    newStreams.push_back(stream);
}

ModuleWindow MergedRecord::Input::windowOf(ModuleWindow theirs) const {
  theirs.moduleId = moduleIdOf(theirs.moduleId);
  return theirs;
}

int32_t MergedRecord::Input::functionIdOf(uint64_t moduleId, int32_t id) const {
  auto known = isSection(id) ? sections.find({moduleId, id}) : sections.end();
  return known == sections.end() ? id : known->second;
}

uint64_t MergedRecord::Input::moduleIdOf(uint64_t id) const {
  auto known = moduleIds.find(id);
  return known == moduleIds.end() ? id : known->second;
}

Error MergedRecord::takeOverStacks(Input &input) {
  for (RecordedStack &stack : input.newStacks) {
    stack.parent = input.stacks[stack.parent];
    stack.id = input.functionIdOf(stack.moduleId, stack.id);
    stack.moduleId = input.moduleIdOf(stack.moduleId);
    std::optional<uint32_t> added = addStack(std::move(stack));
    if (!added)
      return makeError("the records have more than " + Twine(maxStacks) + " stacks together");
    input.stacks.push_back(*added);
  }
  input.newStacks.clear();
  return Error::success();
}

Error MergedRecord::takeOverStreams(Input &input) {
  for (StreamInfo &stream : input.newStreams) {
    stream.name = stream.name.empty() ? input.name : input.name + ": " + stream.name;
    stream.moduleId = input.moduleIdOf(stream.moduleId);
    StackWindows theirs = std::exchange(stream.windows, {});
    for (const ModuleWindow &window : theirs.declared())
      stream.windows.add(input.windowOf(window));
    stream.record = uint32_t(&input - parts_.data());
    stream.sharers = 0;
    if (stream.stack && *stream.stack == input.streams.size()) {
      stream.stack = StreamIndex(header_.streams.size());
    } else if (stream.stack) {
      stream.stack = input.streams[*stream.stack];
      ++header_.streams[*stream.stack].sharers;
    }
    std::optional<StreamIndex> added = addStream(std::move(stream));
    if (!added)
      return makeError("the records have more than " + Twine(maxStreams) + " streams together");
    input.streams.push_back(*added);
  }
  input.newStreams.clear();
  return Error::success();
}

Error MergedRecord::takeOver(Input &input) {
  if (hasTooManySections_)
    return makeError("the records have more than " + Twine(recordingId - firstSectionId) +
                     " sections together");
  if (Error error = takeOverColumns(input))
    return error;
  if (Error error = takeOverStacks(input))
    return error;
  if (Error error = takeOverStreams(input))
    return error;
  return takeOverSwitches(input);
}

/// Requires the part's offset to our clock. Called before its first entry with a time.
Error MergedRecord::takeOverSwitches(Input &input) {
  if (!input.isPlaced)
    return Error::success();
  for (RecordedSwitch change : input.newSwitches) {
    change.stream = input.streams[change.stream];
    change.from = input.streams[change.from];
    change.time = timeOf(input, change.time);
    change.at = timeOf(input, change.at);
    change.stack = input.stacks[change.stack];
    if (!addSwitch(change))
      return fileError(input.name, "the times of a stream go back from one switch to the next, or "
                                   "the records have more than " +
                                       Twine(maxSwitches) + " switches together");
  }
  input.newSwitches.clear();
  return Error::success();
}

/// Called when the input has been read completely.
void MergedRecord::takeOverPhases(Input &input) {
  auto momentOf = [&](uint64_t time) {
    auto sinceOrigin = int64_t(time - input.origin);
    return sinceOrigin < 0 ? input.offset - input.scale.toNanoseconds(-uint64_t(sinceOrigin))
                           : input.offset + input.scale.toNanoseconds(uint64_t(sinceOrigin));
  };
  for (RecordedPhase &phase : input.phases) {
    uint64_t duration = input.scale.toNanoseconds(phase.duration());
    phase.begin = momentOf(phase.begin);
    phase.end = phase.begin + duration;
    phase.run = phase.run.empty() ? input.name : input.name + ": " + phase.run;
    addPhase(std::move(phase));
  }
}

Error MergedRecord::readAhead(Input &input) {
  auto more = input.reader->next(input.batch);
  if (!more)
    return more.takeError();
  input.isWaiting = *more;
  input.atEnd = !*more;
  if (!*more) {
    takeOverPhases(input);
    if (!input.isPlaced && !input.newSwitches.empty()) {
      input.origin = input.newSwitches.front().time;
      input.isPlaced = true;
    }
    return takeOver(input);
  }
  std::optional<uint64_t> first = input.batch.beside.firstTime();
  if (!input.batch.times.empty())
    first = input.batch.times.front();
  if (first) {
    if (!input.isPlaced)
      input.origin = *first;
    input.isPlaced = true;
    input.lastTime = timeOf(input, *first);
  }
  return takeOver(input);
}

// Returns the waiting batch that begins first. This is sufficiently sorted to show streams side by
// side, and exact on each stream.
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
  renumberSections(*first, batch);
  batch.stream = first->streams[batch.stream];
  times_.clear();
  for (uint64_t time : batch.times)
    times_.push_back(timeOf(*first, time));
  batch.times = times_;
  // Converts members of side entries other than times and stacks.
  auto takeOverOwn = makeVisitor(
      [&](StackSample &sample) {
        sample.timeSince = timeSince(*first, sample);
        Counts theirs = std::exchange(sample.countsSince, noCounts);
        for (auto [index, column] : enumerate(first->columns))
          sample.countsSince[column] = theirs[index];
      },
      [&](HeapEvent &event) {
        auto [memory, isNew] = first->memories.try_emplace(event.memory, memories_);
        memories_ += isNew;
        event.memory = memory->second;
      },
      [](auto &) {});
  auto takeOver = [&](auto &entry) {
    takeOverOwn(entry);
    entry.time = timeOf(*first, entry.time);
    if constexpr (requires { entry.stack; })
      entry.stack = first->stacks[entry.stack];
    return true;
  };
  beside_.assign(batch.beside, takeOver);
  batch.beside = beside_;
  placeColumns(*first, batch);
  return true;
}

/// Those of a stream are of its first module.
void MergedRecord::renumberSections(const Input &input, RecordBatch &batch) {
  if (input.sections.empty())
    return;
  uint64_t module = input.reader->header().streams[batch.stream].moduleId;
  ids_.clear();
  for (int32_t id : batch.ids)
    ids_.push_back(id > 0 ? input.functionIdOf(module, id) : -input.functionIdOf(module, -id));
  batch.ids = ids_;
}

/// Maps the columns of a part's batch to ours.
void MergedRecord::placeColumns(const Input &input, RecordBatch &batch) {
  CountColumns placed;
  for (ColumnIndex ours = 0; ours < header_.columns().size(); ++ours)
    for (auto [theirs, column] : enumerate(input.columns))
      if (column == ours)
        placed.add(ours, batch.counts[ColumnIndex(theirs)]);
  batch.counts = placed;
  notes_.assign(batch.notes.begin(), batch.notes.end());
  for (RecordNote &note : notes_)
    if (note.kind == NoteKind::countWentBack && note.column < input.columns.size())
      note.column = input.columns[note.column];
  batch.notes = notes_;
}

ProbeCost MergedRecord::probe() const {
  double begin = 0;
  double end = 0;
  double step = 0;
  double stated = 0;
  for (const Input &part : parts_) {
    ProbeCost cost = part.reader->probe();
    if (cost.begin == 0 && cost.end == 0)
      continue;
    ++stated;
    double nanoseconds = part.scale.nanosecondsPerCount();
    begin += double(cost.begin) * nanoseconds;
    end += double(cost.end) * nanoseconds;
    step += double(cost.step) * nanoseconds;
  }
  constexpr double most = 1e18;
  auto mean = [&](double sum) { return stated == 0 ? 0 : uint64_t(std::min(sum / stated, most)); };
  // The steps of a part that states none of their cost take nothing beyond its entries, of which
  // nearly each may be a step: they count as 0.
  return {mean(begin), mean(end), mean(step)};
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
