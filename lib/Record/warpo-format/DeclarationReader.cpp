//===- DeclarationReader.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DeclarationReader.h"
#include "../PlacesSummary.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace llvm;
using namespace warpo;

std::string DeclarationReader::placeAt(uint64_t offset) const {
  return placeInFile(input_->name(), offset);
}

std::optional<DeclarationReader::Clock> DeclarationReader::parseClock(ByteCursor &cursor) {
  Clock clock;
  warpo_clock_fields &fields = clock.fields;
  for (uint64_t *field : {&fields.number, &fields.nanoseconds, &fields.counts, &fields.origin,
                          &fields.wall, &fields.begin, &fields.end})
    *field = cursor.u64();
  clock.name = cursor.sizedString();
  if (!cursor.ok() || (fields.nanoseconds == 0) != (fields.counts == 0))
    return std::nullopt;
  return clock;
}

bool DeclarationReader::readClock(ByteCursor &cursor, uint64_t blockOffset) {
  std::optional<Clock> clock = parseClock(cursor);
  if (!clock)
    return false;
  const auto &[fields, name] = *clock;
  std::optional<Measure> measure = Measure::ofClock(name);
  if (fields.number != warpo_clock_time) {
    if (furtherClocks_.size() == warpo_max_clocks)
      return false;
    if (!addClock(fields.number, std::move(measure)))
      pending_.push_back({0, NoteKind::clockLeftOut, 1,
                          placeAt(blockOffset) + ": '" + displayShortName(name) + "'"});
    return true;
  }
  Measure time = measure.value_or(Measure());
  // Earlier entries used another clock.
  bool isLate = !header_.streams.empty() && time.name != header_.measures.front().name;
  if (isLate || header_.findColumn(time.name))
    return false;
  if (time.isTime())
    time.scale = fields.counts != 0 ? TimeScale(fields.nanoseconds, fields.counts)
                                    : header_.measures.front().scale;
  header_.measures.front() = std::move(time);
  header_.origin = fields.origin;
  header_.wallClock = fields.wall;
  probe_.begin = fields.begin;
  probe_.end = fields.end;
  return true;
}

bool DeclarationReader::readSteps(ByteCursor &cursor) {
  uint64_t number = cursor.u64();
  uint64_t cost = cursor.u64();
  if (number == warpo_clock_time)
    probe_.step = cost;
  return cursor.ok();
}

bool DeclarationReader::addClock(uint64_t number, std::optional<Measure> measure) {
  std::optional<ColumnIndex> &column = furtherClocks_[number] = std::nullopt;
  if (measure && !measure->isTime())
    column = addColumn(std::move(*measure));
  return column.has_value();
}

bool DeclarationReader::readModule(ByteCursor &cursor, bool ahead) {
  uint64_t number = cursor.uleb64();
  RecordedModule declared;
  declared.id = cursor.uleb64();
  declared.name = cursor.sizedString().str();
  declared.hash = cursor.sizedString().str();
  declared.buildId = cursor.sizedString().str();
  uint64_t count = cursor.uleb64();
  if (!cursor.ok() || count > cursor.remaining())
    return false;
  auto entry = moduleOfNumber_.find(number);
  if (entry == moduleOfNumber_.end()) {
    if (header_.modules.size() == warpo_max_modules)
      return false;
    entry = moduleOfNumber_.emplace(number, addModule(std::move(declared))).first;
  }
  if (ahead)
    return true;
  std::vector<NamedFunction> functions;
  bool isSound = true;
  size_t names = header_.modules[entry->second].names.size();
  while (isSound && functions.size() < count) {
    uint64_t id = cursor.uleb64();
    StringRef name = cursor.sizedString();
    names += name.size();
    isSound = cursor.ok() && id != 0 && id <= INT32_MAX && names <= UINT32_MAX;
    if (isSound)
      functions.push_back({int32_t(id), name});
  }
  // Functions before a damaged one are valid.
  if (!functions.empty())
    addFunctions(entry->second, functions);
  return isSound;
}

bool DeclarationReader::readLinked(ByteCursor &cursor) {
  auto module = moduleOfNumber_.find(cursor.uleb64());
  if (!cursor.ok() || module == moduleOfNumber_.end())
    return false;
  std::vector<int32_t> functions;
  bool isSound = true;
  while (isSound && !cursor.atEnd()) {
    uint32_t code = cursor.uleb32();
    int32_t id = code == 0 || code > WARPO_MAX_FUNCTION_CODE ? 0 : warpo_function_id(code);
    // Instrumented modules have no more functions. Random bytes must not make millions.
    isSound = cursor.ok() && id >= firstFunctionId && id - firstFunctionId < warpo_unknown_ids;
    if (isSound)
      functions.push_back(id);
  }
  addLinkedFunctions(module->second, functions);
  return isSound;
}

bool DeclarationReader::readPhases(ByteCursor &cursor, uint64_t blockOffset) {
  uint64_t count = cursor.uleb64();
  bool isKnown = phasesAhead_.count(blockOffset) > 0;
  if (!cursor.ok() || count > cursor.remaining() ||
      (!isKnown && header_.phases.size() + count > warpo_max_phases))
    return false;
  std::vector<RecordedPhase> phases;
  for (uint64_t i = 0; i < count; ++i) {
    RecordedPhase phase;
    phase.name = cursor.sizedString().str();
    phase.begin = cursor.u64();
    phase.end = cursor.u64();
    phase.unit = cursor.sizedString().str();
    phase.ticks = cursor.u64();
    if (!cursor.ok() || int64_t(phase.duration()) < 0)
      return false;
    phases.push_back(std::move(phase));
  }
  std::string run = cursor.atEnd() ? "" : cursor.sizedString().str();
  if (!cursor.ok())
    return false;
  if (isKnown)
    return true;
  for (RecordedPhase &phase : phases) {
    phase.run = run;
    addPhase(std::move(phase));
  }
  return true;
}

bool DeclarationReader::readStream(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  uint64_t moduleNumber = cursor.uleb64();
  uint64_t thread = cursor.uleb64();
  StringRef name = cursor.sizedString();
  if (!cursor.atEnd())
    cursor.uleb64(); // flags: none has a meaning
  auto module = moduleOfNumber_.find(moduleNumber);
  if (!cursor.ok() || module == moduleOfNumber_.end())
    return false;
  auto [entry, isNew] = streamOfNumber_.try_emplace(number, StreamIndex(header_.streams.size()));
  // If there are too many streams, its events are skipped like those of an undeclared one.
  static_assert(maxStreams == warpo_max_streams);
  if (isNew && !addStream({header_.modules[module->second].id, name.str(), thread})) {
    streamOfNumber_.erase(entry);
    return false;
  }
  return version_ < warpo_version_stacks || readWindows(cursor, entry->second);
}

bool DeclarationReader::readWindows(ByteCursor &cursor, StreamIndex stream) {
  while (!cursor.atEnd()) {
    auto module = moduleOfNumber_.find(cursor.uleb64());
    uint32_t id = cursor.uleb32();
    uint32_t first = cursor.uleb32();
    uint32_t count = cursor.uleb32();
    if (!cursor.ok() || module == moduleOfNumber_.end() || id > WARPO_MAX_FUNCTION_CODE ||
        first > WARPO_MAX_FUNCTION_CODE || id == 0 || first == 0)
      return false;
    if (!addWindow(stream, {header_.modules[module->second].id, warpo_function_id(id),
                            warpo_function_id(first), count}))
      return false;
  }
  return true;
}

uint32_t DeclarationReader::originalOffset(size_t module, AnnouncedOffsets::Place place) {
  if (!place.isInstrumented)
    return uint32_t(place.offset);
  auto map = codeMaps_.find(module);
  return map == codeMaps_.end() ? 0 : map->second.originalOf(place.offset);
}

bool DeclarationReader::readStacks(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  AnnouncedOffsets offsets = std::exchange(offsets_, {});
  for (; !cursor.atEnd(); ++number) {
    std::optional<uint32_t> parent = findStack(cursor.uleb64());
    RecordedStack stack;
    if (uint64_t moduleNumber = cursor.uleb64()) {
      auto module = moduleOfNumber_.find(moduleNumber - 1);
      uint32_t code = cursor.uleb32();
      if (module == moduleOfNumber_.end() || code == 0 || code > WARPO_MAX_FUNCTION_CODE)
        return false;
      stack.moduleId = header_.modules[module->second].id;
      stack.id = warpo_function_id(code);
      if (stack.id == 0)
        return false;
      stack.offset = originalOffset(module->second, offsets.take(number));
    } else {
      stack.text = cursor.sizedString().str();
    }
    if (!cursor.ok() || !parent)
      return false;
    stack.parent = *parent;
    std::optional<uint32_t> added = addStack(std::move(stack));
    if (!added || !stackOfNumber_.try_emplace(number, *added).second)
      return false;
  }
  return cursor.ok();
}

bool DeclarationReader::readCounts(ByteCursor &cursor) {
  uint64_t stream = cursor.uleb64();
  uint64_t base = cursor.u64();
  auto clock = furtherClocks_.find(cursor.uleb64());
  if (!cursor.ok() || clock == furtherClocks_.end())
    return false;
  if (clock->second)
    sampleCounts_.add(stream, base, *clock->second, cursor);
  else
    cursor.skip(cursor.remaining());
  return true;
}

// The limit of unpacked and kept bytes, more than all modules of a process need.
static constexpr uint64_t maxPlaces = 1 << 29;

bool DeclarationReader::readPlaces(ByteCursor &cursor) {
  auto module = moduleOfNumber_.find(cursor.uleb64());
  ArrayRef<uint8_t> contents = cursor.bytes(cursor.remaining());
  if (!cursor.ok() || module == moduleOfNumber_.end())
    return false;
  std::optional<uint32_t> size = placePartsSize(contents);
  // From a later version: skipped like a block of unknown kind.
  if (!size)
    return true;
  placesSize_ += *size;
  if (placesSize_ > maxPlaces)
    return false;
  auto decoded = decodePlaces(contents, "places", PlaceLines::leftOut);
  if (!decoded) {
    consumeError(decoded.takeError());
    return false;
  }
  CodeMap &map = codeMaps_[module->second] = std::move(decoded->map);
  SourcePlaces places = summarize(std::move(*decoded), toStringRef(contents));
  placesSize_ += map.runs.size() * sizeof(CodeMap::Run) + places.size();
  setPlaces(module->second, std::make_shared<const SourcePlaces>(std::move(places)));
  return true;
}

bool DeclarationReader::readSwitches(ByteCursor &cursor) {
  uint64_t base = cursor.u64();
  while (cursor.ok() && !cursor.atEnd()) {
    uint64_t kind = cursor.uleb64();
    std::optional<StreamIndex> stream = findStream(cursor.uleb64());
    uint64_t time = cursor.uleb64();
    std::optional<StreamIndex> from = findStream(cursor.uleb64());
    uint64_t at = cursor.uleb64();
    std::optional<uint32_t> stack = findStack(cursor.uleb64());
    if (!cursor.ok() || kind > warpo_last_switch_kind || !stream || !from || !stack)
      return false;
    if (!addSwitch({.kind = RecordedSwitch::Kind(kind),
                    .stream = *stream,
                    .time = base + time,
                    .from = *from,
                    .at = base + at,
                    .stack = *stack}))
      return false;
  }
  return cursor.ok();
}

bool DeclarationReader::readDeclaration(uint8_t kind, ByteCursor &cursor, uint64_t blockOffset) {
  switch (kind) {
  case warpo_block_clock:
    return readClock(cursor, blockOffset);
  case warpo_block_steps:
    return readSteps(cursor);
  case warpo_block_module:
    return readModule(cursor);
  case warpo_block_linked:
    return readLinked(cursor);
  case warpo_block_stream:
    return readStream(cursor);
  case warpo_block_stacks:
    return readStacks(cursor);
  case warpo_block_phases:
    return readPhases(cursor, blockOffset);
  case warpo_block_places:
    return readPlaces(cursor);
  case warpo_block_offsets:
    return offsets_.read(cursor);
  case warpo_block_counts:
    return readCounts(cursor);
  case warpo_block_switches:
    return readSwitches(cursor);
  default:
    cursor.skip(cursor.remaining());
    return true;
  }
}

void DeclarationReader::readAhead(uint8_t kind, ByteCursor &cursor, uint64_t blockOffset) {
  size_t phases = header_.phases.size();
  if (kind == warpo_block_module)
    readModule(cursor, /*ahead=*/true);
  else if (kind == warpo_block_stream)
    readStream(cursor);
  else if (kind == warpo_block_phases && readPhases(cursor, blockOffset) &&
           header_.phases.size() > phases)
    phasesAhead_.insert(blockOffset);
}

void DeclarationReader::addColumnAhead(uint8_t kind, ByteCursor &cursor) {
  std::optional<Clock> clock;
  if (kind == warpo_block_clock)
    clock = parseClock(cursor);
  if (!clock || clock->fields.number == warpo_clock_time)
    return;
  std::optional<Measure> measure = Measure::ofClock(clock->name);
  if (measure && !measure->isTime())
    addColumn(std::move(*measure));
}
