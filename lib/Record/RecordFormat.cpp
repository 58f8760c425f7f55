//===- RecordFormat.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/CountSignature.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/ShellWord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(RecordFormat)

RecordReader::~RecordReader() = default;
RecordWriter::~RecordWriter() = default;
RecordFormat::~RecordFormat() = default;

Expected<std::optional<uint64_t>> RecordReader::keepOnly(uint64_t, uint64_t) {
  return std::nullopt;
}

DeclarationObserver::~DeclarationObserver() = default;

void RecordHeader::declareTo(DeclarationObserver &observer) const {
  for (const auto &[index, module] : enumerate(modules)) {
    observer.declareModule(index, module, module.functions);
    if (!module.linked.empty())
      observer.declareLinkedFunctions(index, module, module.linked);
    if (module.places)
      observer.declarePlaces(index, module);
  }
  for (const auto &[index, stream] : enumerate(streams))
    observer.declareStream(StreamIndex(index), stream);
  for (const auto &[index, stack] : enumerate(stacks))
    if (index != 0)
      observer.declareStack(uint32_t(index), stack);
  for (const RecordedPhase &phase : phases)
    observer.declarePhase(phase);
  for (const RecordedSwitch &change : switches)
    observer.declareSwitch(change);
}

void RecordSource::observe(DeclarationObserver &observer) {
  if (is_contained(observers_, &observer))
    return;
  observers_.push_back(&observer);
  header_.declareTo(observer);
}

size_t RecordSource::addModule(RecordedModule module) {
  size_t index = header_.modules.size();
  header_.modules.push_back(std::move(module));
  const RecordedModule &added = header_.modules.back();
  for (DeclarationObserver *observer : observers_)
    observer->declareModule(index, added, added.functions);
  return index;
}

void RecordSource::addFunctions(size_t index, ArrayRef<NamedFunction> functions) {
  RecordedModule &module = header_.modules[index];
  for (const NamedFunction &function : functions)
    module.addFunction(function.id, function.name);
  for (DeclarationObserver *observer : observers_)
    observer->declareModule(index, module, ArrayRef(module.functions).take_back(functions.size()));
}

void RecordSource::addLinkedFunctions(size_t index, ArrayRef<int32_t> functions) {
  RecordedModule &module = header_.modules[index];
  const size_t known = module.linked.size();
  for (int32_t function : functions)
    if (linked_.insert({index, function}).second)
      module.linked.push_back(function);
  ArrayRef<int32_t> added = ArrayRef(module.linked).drop_front(known);
  if (added.empty())
    return;
  for (DeclarationObserver *observer : observers_)
    observer->declareLinkedFunctions(index, module, added);
}

void RecordSource::setPlaces(size_t index, std::shared_ptr<const SourcePlaces> places) {
  RecordedModule &module = header_.modules[index];
  module.places = std::move(places);
  for (DeclarationObserver *observer : observers_)
    observer->declarePlaces(index, module);
}

std::optional<StreamIndex> RecordSource::addStream(StreamInfo stream) {
  if (header_.streams.size() == maxStreams)
    return std::nullopt;
  header_.streams.push_back(std::move(stream));
  auto index = StreamIndex(header_.streams.size() - 1);
  if (sharesStacks_)
    joinStack(index);
  for (DeclarationObserver *observer : observers_)
    observer->declareStream(index, header_.streams[index]);
  return index;
}

void RecordSource::setSampling(StreamIndex index, StringRef by, uint64_t interval) {
  StreamInfo &stream = header_.streams[index];
  if (stream.sampledBy == by && stream.sampleInterval == interval)
    return;
  stream.sampledBy = by.str();
  stream.sampleInterval = interval;
  for (DeclarationObserver *observer : observers_)
    observer->declareStream(index, stream);
}

void RecordSource::setHeapInterval(StreamIndex index, uint64_t interval) {
  StreamInfo &stream = header_.streams[index];
  if (stream.heapInterval == interval)
    return;
  stream.heapInterval = interval;
  for (DeclarationObserver *observer : observers_)
    observer->declareStream(index, stream);
}

bool RecordSource::addWindow(StreamIndex index, const ModuleWindow &window) {
  StreamInfo &stream = header_.streams[index];
  StackWindows::Added added = stream.windows.add(window);
  if (added == StackWindows::Added::isNew)
    for (DeclarationObserver *observer : observers_)
      observer->declareStream(index, stream);
  return added != StackWindows::Added::isRefused;
}

void RecordSource::joinStack(StreamIndex index) {
  StreamInfo &stream = header_.streams[index];
  stream.stack = stackOfThread_.try_emplace(stream.thread, index).first->second;
  if (*stream.stack != index)
    ++header_.streams[*stream.stack].sharers;
}

void RecordSource::shareStacks() {
  sharesStacks_ = true;
  for (StreamIndex stream = 0; stream < header_.streams.size(); ++stream)
    joinStack(stream);
}

std::optional<uint32_t> RecordSource::addStack(RecordedStack stack) {
  if (header_.stacks.size() == maxStacks)
    return std::nullopt;
  auto index = uint32_t(header_.stacks.size());
  header_.stacks.push_back(std::move(stack));
  for (DeclarationObserver *observer : observers_)
    observer->declareStack(index, header_.stacks.back());
  return index;
}

void RecordSource::addPhase(RecordedPhase phase) {
  header_.phases.push_back(std::move(phase));
  for (DeclarationObserver *observer : observers_)
    observer->declarePhase(header_.phases.back());
}

void RecordSource::moveSwitch(size_t index) {
  if (index >= movedSwitches_.size())
    return;
  header_.switches[index].time = movedSwitches_[index].time;
  header_.switches[index].at = movedSwitches_[index].at;
}

void RecordSource::moveSwitches(std::vector<RecordedSwitch> moved) {
  movedSwitches_ = std::move(moved);
  for (size_t index = 0; index < header_.switches.size(); ++index)
    moveSwitch(index);
}

bool RecordSource::addSwitch(const RecordedSwitch &change) {
  size_t index = header_.switches.size();
  if (index == maxSwitches)
    return false;
  lastSwitch_.resize(header_.streams.size());
  uint64_t &from = lastSwitch_[change.from];
  if (change.at < from)
    return false;
  from = change.at;
  uint64_t &to = lastSwitch_[change.stream];
  if (change.time < to)
    return false;
  to = change.time;
  header_.switches.push_back(change);
  moveSwitch(index);
  for (DeclarationObserver *observer : observers_)
    observer->declareSwitch(header_.switches.back());
  return true;
}

std::optional<ColumnIndex> RecordSource::addColumn(Measure measure) {
  if (std::optional<ColumnIndex> known = header_.findColumn(measure.name)) {
    header_.measures[*known + 1] = std::move(measure);
    return known;
  }
  if (measure.name == header_.measures.front().name || header_.columns().size() == maxColumns)
    return std::nullopt;
  header_.measures.push_back(std::move(measure));
  return ColumnIndex(header_.columns().size() - 1);
}

const Measure *RecordHeader::findMeasure(StringRef name) const {
  auto found = find_if(measures, [&](const Measure &measure) { return measure.name == name; });
  return found == measures.end() ? nullptr : &*found;
}

std::optional<ColumnIndex> RecordHeader::findColumn(StringRef name) const {
  for (auto [index, measure] : enumerate(columns()))
    if (measure.name == name)
      return ColumnIndex(index);
  return std::nullopt;
}

std::string RecordHeader::silenceCaveat() const {
  if (clockBits >= 64)
    return "";
  return ("its clock has " + Twine(clockBits) + " bits: a silence of more than 2^" +
          Twine(clockBits) + " counts cannot be seen")
      .str();
}

Error CallWriter::write(const RecordBatch &batch) {
  beside_.add(batch.beside);
  return writeCalls(batch);
}

std::vector<std::string> CallWriter::omissions() const {
  std::vector<std::string> result = beside_.words();
  if (size_t phases = context_.header.phases.size())
    result.push_back(countOf(phases, "phase of the host", "phases of the host"));
  if (size_t switches = context_.header.switches.size())
    result.push_back(countOf(switches, "switch between stacks", "switches between stacks"));
  return result;
}

bool RecordFormat::sniff(ArrayRef<uint8_t>) const { return false; }

Expected<std::unique_ptr<RecordReader>>
RecordFormat::open(std::unique_ptr<InputStream> input) const {
  return fileError(input->name(), "records of this format can only be written, not read");
}

Expected<std::unique_ptr<RecordWriter>> RecordFormat::create(raw_ostream &,
                                                             const RecordWriterContext &) const {
  return makeError("records of this format can only be read, not written");
}

char UnknownRecordFormat::ID;

void UnknownRecordFormat::log(raw_ostream &os) const {
  if (isModule_)
    os << input_ << ": a WebAssembly module, not a record of one; `warpo record "
       << shellWord(input_) << "` runs it and writes one";
  else
    os << input_ << ": not a record of a known format (known: " << known_ << ')';
}

Error warpo::alsoKnown(Error error, StringRef others) {
  return handleErrors(std::move(error), [&](std::unique_ptr<UnknownRecordFormat> unknown) {
    unknown->addKnown(others);
    return Error(std::move(unknown));
  });
}

/// The format that recognises the input; if none does, null and the names of readable formats.
static Expected<std::pair<std::unique_ptr<RecordFormat>, std::string>>
findFormat(ArrayRef<uint8_t> start) {
  auto known = warpo::Registry<RecordFormat>::entries();
  if (!known)
    return known.takeError();
  std::string names;
  for (const RegistryEntryInfo &entry : *known) {
    auto format = warpo::Registry<RecordFormat>::create(entry.name);
    if (!format)
      return format.takeError();
    if ((*format)->sniff(start.take_front(RecordFormat::sniffSize)))
      return std::pair(std::move(*format), std::string());
    if ((*format)->canRead())
      names += (names.empty() ? "" : ", ") + entry.name.str();
  }
  return std::pair(nullptr, std::move(names));
}

Expected<bool> warpo::isRecord(ArrayRef<uint8_t> start) {
  auto found = findFormat(start);
  if (!found)
    return found.takeError();
  return found->first != nullptr;
}

Expected<std::unique_ptr<RecordReader>> warpo::openRecord(std::unique_ptr<InputStream> input,
                                                          StringRef formatName) {
  if (!formatName.empty()) {
    auto format = warpo::Registry<RecordFormat>::create(formatName);
    if (!format)
      return format.takeError();
    return (*format)->open(std::move(input));
  }
  auto start = input->window(RecordFormat::sniffSize);
  if (!start)
    return start.takeError();
  if (start->empty())
    return fileError(input->name(), "the record is empty");
  auto found = findFormat(*start);
  if (!found)
    return found.takeError();
  if (found->first)
    return found->first->open(std::move(input));
  if (toStringRef(*start).starts_with(countSignature))
    return fileError(input->name(),
                     "counts, not a record; `warpo annotate --module-file=app.wasm " +
                         shellWord(input->name()) +
                         "` shows them, with --format=folded for other tools");
  bool isModule = toStringRef(*start).starts_with(StringRef("\0asm", 4));
  return make_error<UnknownRecordFormat>(input->name(), std::move(found->second), isModule);
}
