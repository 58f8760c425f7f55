//===- YamlReader.cpp - Reads the form that YamlFormat.cpp describes ------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlPhase.h"
#include "YamlPlaces.h"
#include "YamlRecord.h"
#include "YamlSides.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class YamlReader : public YamlSource {
public:
  explicit YamlReader(std::unique_ptr<InputStream> input) : YamlSource(std::move(input)) {}

  /// Reads up to the line `entries:`.
  Error readHeader();
  Expected<bool> declareAhead() override;
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t index) const override { return placeOfLine(lineOfEntry_[index]); }
  uint64_t bytesRead() const override { return lines_.input().offset(); }
  std::optional<uint64_t> inputSize() const override { return lines_.input().size(); }

private:
  Expected<std::optional<StringRef>> nextLine();
  Error readField(LineCursor &line);
  Error readItem(LineCursor &line);
  Error readEntry(LineCursor &line);
  /// Takes the key of a kind of side entry.
  bool takeSideKey(LineCursor &line);
  /// Nothing for a line of another kind.
  std::optional<Error> readSide(LineCursor &line);
  Error readPhase(LineCursor &line);
  Error readWindow(LineCursor &line);
  Error readSwitch(LineCursor &line);
  Error readPlace(LineCursor &line);
  Error readLinked(LineCursor &line);
  /// Declares the module if that has not been done.
  size_t moduleWithId(uint64_t id);
  /// Declares the locations read last.
  void finishPlaces();
  Error readClocks(StringRef text);
  Error readModule(LineCursor &line, bool inBraces);
  Expected<StreamIndex> readStream(LineCursor &line, bool inBraces);
  Error readAhead(LineCursor &line);
  void addEntry(uint64_t time, int32_t id, ArrayRef<uint64_t> counts);
  void addNote(NoteKind kind, uint64_t count, ColumnIndex column = 0) {
    columns_.notes.push_back({.position = uint32_t(columns_.ids.size()),
                              .kind = kind,
                              .count = count,
                              .place = placeOfLine(lines_.lineNumber()),
                              .column = column});
  }

  std::optional<TimeScale> rate_;
  /// The columns of entries: samples may add one.
  ColumnIndex entryColumns_ = 0;
  bool inEntries_ = false;
  bool hasEntries_ = true;
  /// declareAhead() has read the phases.
  bool phasesAreKnown_ = false;
  std::optional<size_t> indent_;

  /// The time of each stream's last entry.
  struct Clocks {
    uint64_t time = 0;
    Counts counts = {};
  };
  std::vector<Clocks> lastClocks_;
  /// The same for side entries.
  BySideKind<std::vector<std::optional<uint64_t>>> lastTimes_;
  /// Set by a change of the stream, which ends the batch.
  std::optional<StreamIndex> following_;
  RecordColumns columns_;
  std::vector<uint64_t> lineOfEntry_;
  /// Locations of the module that the last lines belong to, if any.
  std::optional<YamlPlaces> places_;
};

/// The next line with more than a comment.
Expected<std::optional<StringRef>> YamlReader::nextLine() {
  while (true) {
    auto line = lines_.next();
    if (!line || !*line || !LineCursor(**line).atEnd())
      return line;
  }
}

Error YamlReader::readHeader() {
  bool isFirst = true;
  while (!inEntries_) {
    auto line = nextLine();
    if (!line)
      return line.takeError();
    if (!*line)
      return fileError(lines_.input().name(), "the record ends before its entries");
    LineCursor cursor(**line);
    if (isFirst && **line == "---")
      continue;
    if (cursor.indent() != 0)
      return problem("a field of the record is not indented");
    if (isFirst) {
      uint32_t version;
      if (!cursor.takeKey(yamlVersionKey) || !cursor.takeNumber(version) || !cursor.atEnd())
        return problem("a record starts with '" + yamlVersionKey + ": 1'");
      if (version != 1)
        return problem("version " + Twine(version) + " of the format is not known (known: 1)");
      isFirst = false;
    } else if (Error error = readField(cursor)) {
      return error;
    }
  }
  if (rate_ && !header_.hasTime())
    return fileError(lines_.input().name(), "the record has a rate and no time");
  header_.measures.front().scale = rate_;
  entryColumns_ = ColumnIndex(header_.columns().size());
  return Error::success();
}

Error YamlReader::readField(LineCursor &line) {
  std::string text;
  if (line.takeKey("rate") && line.takeText(text, "#") && line.atEnd()) {
    auto scale = TimeScale::parse(text);
    if (!scale)
      return problem("rate: " + toString(scale.takeError()));
    rate_ = *scale;
  } else if (line.takeKey("clock-bits") && line.takeNumber(header_.clockBits) && line.atEnd()) {
    if (header_.clockBits < 1 || header_.clockBits > 64)
      return problem("a clock has 1 to 64 bits");
  } else if (line.takeKey("clocks") && line.takeText(text, "#") && line.atEnd()) {
    return readClocks(text);
  } else if (line.takeKey("entries")) {
    inEntries_ = true;
    hasEntries_ = !line.take("[]");
    if (!line.atEnd())
      return problem("entries follow on lines of their own");
  } else {
    return problem("expected 'rate: <ns>', 'clock-bits: <n>', 'clocks: <names>' or 'entries:'");
  }
  return Error::success();
}

Error YamlReader::readClocks(StringRef text) {
  header_.measures.clear();
  for (StringRef clock : split(text, ',')) {
    std::optional<Measure> measure = Measure::ofClock(clock.trim());
    if (!measure)
      return problem("'" + clock.trim() + "' is not a clock: names are 'time', 'fuel', ...");
    if (header_.findMeasure(measure->name))
      return problem("the record has two clocks '" + measure->name + "'");
    if (measure->isTime() && !header_.measures.empty())
      return problem("the clock 'time' comes first, or there is none");
    if (header_.measures.size() > maxColumns)
      return problem("a record has at most " + Twine(maxColumns) + " clocks beside its first");
    header_.measures.push_back(std::move(*measure));
  }
  return Error::success();
}

Expected<bool> YamlReader::next(RecordBatch &batch) {
  columns_.clear();
  lineOfEntry_.clear();
  if (following_)
    current_ = std::exchange(following_, std::nullopt);
  while (!following_ && columns_.ids.size() < RecordColumns::capacity &&
         columns_.beside.size() < RecordColumns::capacity) {
    auto line = nextLine();
    if (!line)
      return line.takeError();
    if (!*line)
      break;
    LineCursor cursor(**line);
    if (places_ && !LineCursor(cursor).takeItem("place"))
      finishPlaces();
    if (Error error = readItem(cursor)) {
      if (!lines_.lacksEnd())
        return error;
      // The writer was stopped in the middle of a line.
      consumeError(std::move(error));
      addNote(NoteKind::truncatedEntry, (*line)->size());
    }
  }
  if (columns_.empty() && !following_) {
    finishPlaces();
    return false;
  }
  batch = columns_.batch(currentStream());
  return true;
}

Error YamlReader::readAhead(LineCursor &line) {
  if (!line.take("-"))
    return Error::success();
  if (line.takeKey("phase"))
    return readPhase(line);
  bool inBraces = line.take("{");
  bool isEntry =
      !inBraces && (line.take("[") || takeSideKey(line) || line.takeKey("lost") ||
                    line.takeKey("window") || line.takeKey("switch") || line.takeKey("place") ||
                    line.takeKey("linked") || line.takeKey("heap-interval"));
  if (!isEntry)
    return readStream(line, inBraces).takeError();
  // The stream of module 0, for entries before the first module.
  if (header_.streams.empty())
    streamOf(/*moduleId=*/0, "");
  return Error::success();
}

// Invalid lines are reported when they are reached.
Expected<bool> YamlReader::declareAhead() {
  if (!lines_.input().canSeek())
    return false;
  LineReader::Place start = lines_.nextPlace();
  while (true) {
    auto line = nextLine();
    if (!line) {
      consumeError(line.takeError());
      break;
    }
    if (!*line)
      break;
    LineCursor cursor(**line);
    consumeError(readAhead(cursor));
  }
  phasesAreKnown_ = true;
  if (Error error = lines_.goTo(start))
    return error;
  return true;
}

bool YamlReader::takeSideKey(LineCursor &line) {
  bool isTaken = false;
  auto take = [&]<typename Entry>(const char *, const char *, const std::vector<Entry> &) {
    isTaken = isTaken || line.takeKey(yamlKeyOf<Entry>());
  };
  forEachSideKind(take, columns_.beside);
  return isTaken;
}

std::optional<Error> YamlReader::readSide(LineCursor &line) {
  std::optional<Error> result;
  auto read = [&]<typename Entry>(const char *, const char *, std::vector<Entry> &column,
                                  std::vector<std::optional<uint64_t>> &lastTimes) {
    if (result || !line.takeKey(yamlKeyOf<Entry>()))
      return;
    StreamIndex stream = currentStream();
    if (lastTimes.size() <= stream)
      lastTimes.resize(stream + 1);
    Entry entry;
    result = readYamlEntry(*this, line, lastTimes[stream], entry);
    if (!*result)
      column.push_back(entry);
  };
  forEachSideKind(read, columns_.beside, lastTimes_);
  return result;
}

Error YamlReader::readItem(LineCursor &line) {
  if (!indent_)
    indent_ = line.indent();
  if (line.indent() != *indent_)
    return problem("all entries are indented alike");
  if (!hasEntries_)
    return problem("'entries: []' has no entries");
  if (line.take("-")) {
    if (line.take("["))
      return readEntry(line);
    if (line.take("{"))
      return readModule(line, /*inBraces=*/true);
    if (std::optional<Error> side = readSide(line))
      return std::move(*side);
    if (line.takeKey("phase"))
      return readPhase(line);
    if (line.takeKey("window"))
      return readWindow(line);
    if (line.takeKey("switch"))
      return readSwitch(line);
    if (line.takeKey("place"))
      return readPlace(line);
    if (line.takeKey("linked"))
      return readLinked(line);
    uint64_t count;
    if (line.takeKey("heap-interval")) {
      if (!line.takeNumber(count) || !line.atEnd())
        return problem("expected '- heap-interval: <bytes>'");
      setHeapInterval(currentStream(), count);
      return Error::success();
    }
    if (line.takeKey("lost")) {
      if (!line.takeNumber(count) || !line.atEnd())
        return problem("expected '- lost: <count>'");
      addNote(NoteKind::lost, count);
      return Error::success();
    }
    return readModule(line, /*inBraces=*/false);
  }
  return problem("expected '- [<time>, <id>]', '- module: <id>' or '- lost: <count>'");
}

Error YamlReader::readEntry(LineCursor &line) {
  int64_t time;
  int32_t id;
  if (!line.takeNumber(time) || time < earliestTime)
    return problem("expected a time between -2^32 and 2^63");
  if (!line.take(",") || !line.takeNumber(id))
    return problem("expected the id of a function between -2^31 and 2^31 - 1");
  SmallVector<uint64_t, maxColumns> counts;
  while (line.take(",")) {
    if (entryColumns_ == 0)
      return problem("an entry has fuel, but the record does not say 'clocks: time, fuel'");
    if (counts.size() == entryColumns_)
      return problem("expected '- [<time>, <id>]'");
    if (!line.takeNumber(counts.emplace_back()))
      return problem("expected " + header_.columns()[counts.size() - 1].name +
                     " between 0 and 2^64 - 1");
  }
  if (!line.take("]") || !line.atEnd())
    return problem("expected '- [<time>, <id>]'");
  addEntry(origin + uint64_t(time), id, counts);
  return Error::success();
}

Error YamlReader::readPhase(LineCursor &line) {
  auto phase = parsePhase(line);
  if (!phase)
    return problem(toString(phase.takeError()));
  if (phasesAreKnown_)
    return Error::success();
  if (header_.phases.size() == warpo_max_phases)
    return problem("more than " + Twine(warpo_max_phases) + " phases in one record");
  uint64_t zero = header_.hasTime() ? origin : 0;
  phase->begin += zero;
  phase->end += zero;
  addPhase(std::move(*phase));
  return Error::success();
}

Error YamlReader::readWindow(LineCursor &line) {
  constexpr StringLiteral form =
      "expected '- window: [<module>, <id in the module>, <id in the stream>, <count>]'";
  ModuleWindow window;
  if (!line.take("[") || !line.takeNumber(window.moduleId) || !line.take(",") ||
      !line.takeNumber(window.id) || !line.take(",") || !line.takeNumber(window.first) ||
      !line.take(",") || !line.takeNumber(window.count) || !line.take("]") || !line.atEnd())
    return problem(form);
  if (!addWindow(currentStream(), window))
    return problem("the window is empty, overlaps another, reaches the ids of sections, or is one "
                   "too many");
  return Error::success();
}

Error YamlReader::readSwitch(LineCursor &line) {
  constexpr StringLiteral form =
      "expected '- switch: [<kind>, <time>]' or '[..., <module>, <name>, <time there>, <frame>, "
      "...]', and starts, resumes or returns for the kind";
  RecordedSwitch change{};
  std::string kind, name;
  int64_t time;
  if (!line.take("[") || !line.takeText(kind, ",") || !line.take(",") || !line.takeNumber(time) ||
      time < earliestTime)
    return problem(form);
  const auto *known = find(switchKindNames, kind);
  if (known == std::end(switchKindNames))
    return problem(form);
  change.kind = RecordedSwitch::Kind(known - switchKindNames);
  change.stream = change.from = currentStream();
  change.time = change.at = origin + uint64_t(time);
  uint64_t moduleId;
  if (line.take(",")) {
    if (!line.takeNumber(moduleId) || !line.take(",") || !line.takeText(name, ",]") ||
        !line.take(",") || !line.takeNumber(time) || time < earliestTime)
      return problem(form);
    std::optional<StreamIndex> from = streamOf(moduleId, name);
    if (!from)
      return problem("more than " + Twine(maxStreams) + " streams in one record");
    change.from = *from;
    change.at = origin + uint64_t(time);
    if (Error error = readFrames(line, change.stack))
      return error;
  }
  if (!line.take("]") || !line.atEnd())
    return problem(form);
  if (!addSwitch(change))
    return problem("the times of a stream go back from one switch to the next, or there are more "
                   "than " +
                   Twine(maxSwitches));
  return Error::success();
}

Error YamlReader::readPlace(LineCursor &line) {
  std::optional<YamlPlace> place = YamlPlace::parse(line);
  if (!place)
    return problem("expected '- place: [<module>, <id>, <file>, <line>, <inlined function>, ...]'");
  if (places_ && places_->moduleId() != place->moduleId)
    finishPlaces();
  if (!places_) {
    if (any_of(header_.modules, [&](const RecordedModule &module) {
          return module.id == place->moduleId && module.places;
        }))
      return problem("the places of a module stand together");
    places_.emplace(place->moduleId);
  }
  if (!places_->add(*place))
    return problem("the ids of places have to increase, from " + Twine(firstFunctionId) + " on");
  return Error::success();
}

void YamlReader::finishPlaces() {
  if (!places_)
    return;
  size_t module = moduleWithId(places_->moduleId());
  setPlaces(module, std::make_shared<const SourcePlaces>(places_->take()));
  places_.reset();
}

size_t YamlReader::moduleWithId(uint64_t id) {
  auto known =
      find_if(header_.modules, [&](const RecordedModule &module) { return module.id == id; });
  if (known != header_.modules.end())
    return size_t(known - header_.modules.begin());
  RecordedModule module;
  module.id = id;
  return addModule(std::move(module));
}

Error YamlReader::readLinked(LineCursor &line) {
  constexpr StringLiteral form = "expected '- linked: [<module>, <id>, ...]'";
  uint64_t module;
  std::vector<int32_t> functions;
  if (!line.take("[") || !line.takeNumber(module))
    return problem(form);
  while (line.take(",")) {
    int32_t function;
    if (!line.takeNumber(function) || function <= 0)
      return problem(form);
    functions.push_back(function);
  }
  if (!line.take("]") || !line.atEnd())
    return problem(form);
  addLinkedFunctions(moduleWithId(module), functions);
  return Error::success();
}

void YamlReader::addEntry(uint64_t time, int32_t id, ArrayRef<uint64_t> counts) {
  StreamIndex stream = currentStream();
  if (lastClocks_.size() <= stream)
    lastClocks_.resize(stream + 1);
  Clocks &last = lastClocks_[stream];
  if (LLVM_UNLIKELY(time < last.time)) {
    addNote(NoteKind::timeWentBack, last.time - time);
    time = last.time;
  }
  Counts now = last.counts;
  for (auto [column, count] : enumerate(counts)) {
    if (LLVM_UNLIKELY(count < now[column]))
      addNote(NoteKind::countWentBack, now[column] - count, ColumnIndex(column));
    now[column] = std::max(now[column], count);
  }
  if (LLVM_UNLIKELY(id == 0 || id == INT32_MIN)) {
    addNote(NoteKind::invalidId, 1);
    return;
  }
  last.time = time;
  last.counts = now;
  columns_.times.push_back(time);
  columns_.ids.push_back(id);
  for (ColumnIndex column = 0; column < entryColumns_; ++column)
    columns_.counts[column].push_back(now[column]);
  lineOfEntry_.push_back(lines_.lineNumber());
}

Expected<StreamIndex> YamlReader::readStream(LineCursor &line, bool inBraces) {
  uint64_t moduleId;
  std::string name;
  if (!line.takeKey("module"))
    return problem("expected '- [<time>, <id>]', '- module: <id>' or '- lost: <count>'");
  if (!line.takeNumber(moduleId))
    return problem("expected the id of a module between 0 and 2^64 - 1");
  if (inBraces && line.take(",")) {
    if (!line.takeKey("name") || !line.takeText(name, "},"))
      return problem("expected 'name: <text>'");
    // Earlier versions marked the streams of the host's calls.
    if (line.take(",") && !(line.takeKey("host") && line.take("true")))
      return problem("expected 'host: true'");
  }
  if ((inBraces && !line.take("}")) || !line.atEnd())
    return problem("expected '- module: <id>' or '- {module: <id>, name: <text>}'");
  std::optional<StreamIndex> stream = streamOf(moduleId, name);
  if (!stream)
    return problem("more than " + Twine(maxStreams) + " streams in one record");
  return *stream;
}

Error YamlReader::readModule(LineCursor &line, bool inBraces) {
  auto stream = readStream(line, inBraces);
  if (!stream)
    return stream.takeError();
  // A batch holds one stream: this one's entries make the next batch.
  (current_ || !columns_.empty() ? following_ : current_) = *stream;
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<RecordReader>> warpo::openYamlRecord(std::unique_ptr<InputStream> input) {
  auto reader = std::make_unique<YamlReader>(std::move(input));
  if (Error error = reader->readHeader())
    return error;
  return reader;
}
