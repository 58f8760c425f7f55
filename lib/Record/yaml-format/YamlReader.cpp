//===- YamlReader.cpp - Reads the form that YamlFormat.cpp describes ------===//

#include "LineCursor.h"
#include "YamlRecord.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/LineReader.h"
#include <climits>
#include <map>

using namespace llvm;
using namespace warpo;

static constexpr size_t maxPhases = 1 << 16;
// As in a record of a 32-bit clock, so that converting from one keeps every count.
static constexpr uint64_t origin = uint64_t(1) << 32;
static constexpr int64_t earliestTime = -int64_t(origin);

namespace {

class YamlReader : public RecordReader {
public:
  explicit YamlReader(std::unique_ptr<InputStream> input) : lines_(std::move(input)) {
    header_.origin = origin;
  }

  /// Reads up to the line `entries:`.
  Error readHeader();
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t index) const override { return placeOfLine(lineOfEntry_[index]); }
  uint64_t bytesRead() const override { return lines_.input().offset(); }
  std::optional<uint64_t> inputSize() const override { return lines_.input().size(); }

private:
  std::string placeOfLine(uint64_t line) const {
    return (lines_.input().name() + ":" + Twine(line)).str();
  }
  Error problem(const Twine &message) const {
    return lineError(lines_.input().name(), lines_.lineNumber(), message);
  }
  Expected<std::optional<StringRef>> nextLine();
  Error readField(LineCursor &line);
  Error readItem(LineCursor &line);
  Error readEntry(LineCursor &line);
  Error readSample(LineCursor &line);
  Error readPhase(LineCursor &line);
  /// One for each path of frames; nothing where the record has too many.
  std::optional<uint32_t> findStack(RecordedStack stack);
  Error readClocks(StringRef text);
  Error readModule(LineCursor &line, bool inBraces);
  void addEntry(uint64_t time, int32_t id, std::optional<uint64_t> fuel);
  bool hasFuel() const { return !header_.fuelClock.empty() && !header_.timeIsFuel; }
  void addNote(NoteKind kind, uint64_t count) {
    columns_.notes.push_back(
        {uint32_t(columns_.ids.size()), kind, count, placeOfLine(lines_.lineNumber())});
  }
  /// Nothing where the record has too many streams.
  std::optional<StreamIndex> streamOf(uint64_t moduleId, StringRef name, bool isHost = false);
  StreamIndex currentStream();

  LineReader lines_;
  bool inEntries_ = false;
  bool hasEntries_ = true;
  std::optional<size_t> indent_;

  std::map<std::pair<uint64_t, std::string>, StreamIndex> streamOfName_;
  /// Of the last entry of each stream.
  struct Clocks {
    uint64_t time = 0;
    uint64_t fuel = 0;
    /// Of its last sample.
    uint64_t sampleTime = 0;
  };
  std::vector<Clocks> lastClocks_;
  std::optional<StreamIndex> current_;
  /// Set by a change of the stream, which ends the batch.
  std::optional<StreamIndex> following_;
  RecordColumns columns_;
  std::vector<uint64_t> lineOfEntry_;
  std::map<std::tuple<uint32_t, uint64_t, int32_t, std::string>, uint32_t> stacks_;
};

/// The next line that holds more than a comment.
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
  return Error::success();
}

Error YamlReader::readField(LineCursor &line) {
  std::string text;
  if (line.takeKey("rate") && line.takeText(text, "#") && line.atEnd()) {
    auto scale = TimeScale::parse(text);
    if (!scale)
      return problem("rate: " + toString(scale.takeError()));
    header_.scale = *scale;
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
  StringRef first = text, rest;
  std::tie(first, rest) = text.split(',');
  StringRef fuel = first == "time" ? rest.trim() : text;
  bool isFuel = fuel == "fuel" || fuel.starts_with("fuel:");
  if (!isFuel && text != "time")
    return problem("clocks are 'time', 'time, fuel' or 'fuel'");
  header_.fuelClock = isFuel ? fuel.str() : "";
  header_.timeIsFuel = isFuel && first != "time";
  return Error::success();
}

Expected<bool> YamlReader::next(RecordBatch &batch) {
  columns_.clear();
  lineOfEntry_.clear();
  if (following_)
    current_ = std::exchange(following_, std::nullopt);
  while (!following_ && columns_.ids.size() < RecordColumns::capacity &&
         columns_.samples.size() < RecordColumns::capacity) {
    auto line = nextLine();
    if (!line)
      return line.takeError();
    if (!*line)
      break;
    LineCursor cursor(**line);
    if (Error error = readItem(cursor)) {
      if (!lines_.lacksEnd())
        return error;
      // Whoever wrote the record was stopped in the middle of a line.
      consumeError(std::move(error));
      addNote(NoteKind::truncatedEntry, (*line)->size());
    }
  }
  if (columns_.empty() && !following_)
    return false;
  batch = columns_.batch(currentStream());
  return true;
}

/// Module 0's, where entries come before the first module.
StreamIndex YamlReader::currentStream() {
  if (LLVM_UNLIKELY(!current_))
    current_ = *streamOf(/*moduleId=*/0, "");
  return *current_;
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
    if (line.takeKey("sample"))
      return readSample(line);
    if (line.takeKey("phase"))
      return readPhase(line);
    uint64_t count;
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
  std::optional<uint64_t> fuel;
  if (line.take(",")) {
    if (!hasFuel())
      return problem("an entry has fuel, but the record does not say 'clocks: time, fuel'");
    if (!line.takeNumber(fuel.emplace()))
      return problem("expected fuel between 0 and 2^64 - 1");
  }
  if (!line.take("]") || !line.atEnd())
    return problem("expected '- [<time>, <id>]'");
  addEntry(origin + uint64_t(time), id, fuel);
  return Error::success();
}

Error YamlReader::readSample(LineCursor &line) {
  constexpr StringLiteral form = "expected '- sample: [<time>, <time and fuel since the one "
                                 "before>, <frame>, ...]'";
  int64_t time;
  StackSample sample;
  if (!line.take("[") || !line.takeNumber(time) || time < 0 || !line.take(",") ||
      !line.takeNumber(sample.timeSince) || !line.take(",") || !line.takeNumber(sample.fuelSince))
    return problem(form);
  sample.time = origin + uint64_t(time);
  uint64_t &lastTime = lastClocks_[currentStream()].sampleTime;
  if (sample.time < lastTime || sample.timeSince > sample.time)
    return problem("samples are in the order of time");
  lastTime = sample.time;
  while (line.take(",")) {
    RecordedStack stack{.parent = sample.stack,
                        .moduleId = header_.streams[currentStream()].moduleId};
    if (!line.takeNumber(stack.id) && !line.takeText(stack.text, ",]"))
      return problem(form);
    if (stack.id < 0 || (stack.id == 0 && stack.text.empty()))
      return problem("expected the id of a function between 1 and 2^31 - 1");
    std::optional<uint32_t> found = findStack(std::move(stack));
    if (!found)
      return problem("more than " + Twine(maxStacks) + " stacks in one record");
    sample.stack = *found;
  }
  if (!line.take("]") || !line.atEnd())
    return problem(form);
  columns_.samples.push_back(sample);
  return Error::success();
}

Error YamlReader::readPhase(LineCursor &line) {
  constexpr StringLiteral form =
      "expected '- phase: [<begin>, <end>, <name>]', '[..., <ticks>, <unit>]' or '[..., <ticks>, "
      "<unit>, <run>]'";
  constexpr StringLiteral range = "a phase's times are between -2^63 and 2^63 - 1, its ticks "
                                  "between 0 and 2^64 - 1";
  RecordedPhase phase;
  int64_t begin, end;
  if (!line.take("[") || !line.takeNumber(begin) || !line.take(",") || !line.takeNumber(end) ||
      !line.take(",") || !line.takeText(phase.name, ",]"))
    return problem(line.isOutOfRange() ? range : form);
  if (line.take(",") &&
      (!line.takeNumber(phase.ticks) || !line.take(",") || !line.takeText(phase.unit, ",]")))
    return problem(line.isOutOfRange() ? range : form);
  if (line.take(",") && !line.takeText(phase.run, "]"))
    return problem(form);
  if (!line.take("]") || !line.atEnd())
    return problem(form);
  phase.begin = uint64_t(begin);
  phase.end = uint64_t(end);
  if (begin > end || phase.duration() > INT64_MAX)
    return problem("a phase ends after it begins, within 2^63 counts");
  if (header_.phases.size() == maxPhases)
    return problem("more than " + Twine(maxPhases) + " phases in one record");
  uint64_t zero = header_.timeIsFuel ? 0 : origin;
  phase.begin += zero;
  phase.end += zero;
  header_.phases.push_back(std::move(phase));
  return Error::success();
}

std::optional<uint32_t> YamlReader::findStack(RecordedStack stack) {
  auto key = std::tuple(stack.parent, stack.moduleId, stack.id, stack.text);
  if (auto known = stacks_.find(key); known != stacks_.end())
    return known->second;
  std::optional<uint32_t> added = addStack(std::move(stack));
  if (added)
    stacks_.emplace(std::move(key), *added);
  return added;
}

void YamlReader::addEntry(uint64_t time, int32_t id, std::optional<uint64_t> fuel) {
  Clocks &last = lastClocks_[currentStream()];
  if (LLVM_UNLIKELY(time < last.time)) {
    addNote(NoteKind::timeWentBack, last.time - time);
    time = last.time;
  }
  if (LLVM_UNLIKELY(fuel.value_or(last.fuel) < last.fuel)) {
    addNote(NoteKind::fuelWentBack, last.fuel - *fuel);
    fuel = last.fuel;
  }
  if (LLVM_UNLIKELY(id == 0 || id == INT32_MIN)) {
    addNote(NoteKind::invalidId, 1);
    return;
  }
  last.time = time;
  last.fuel = fuel.value_or(last.fuel);
  columns_.times.push_back(time);
  columns_.ids.push_back(id);
  if (hasFuel())
    columns_.fuel.push_back(last.fuel);
  lineOfEntry_.push_back(lines_.lineNumber());
}

Error YamlReader::readModule(LineCursor &line, bool inBraces) {
  uint64_t moduleId;
  std::string name;
  if (!line.takeKey("module"))
    return problem("expected '- [<time>, <id>]', '- module: <id>' or '- lost: <count>'");
  if (!line.takeNumber(moduleId))
    return problem("expected the id of a module between 0 and 2^64 - 1");
  bool isHost = false;
  if (inBraces && line.take(",")) {
    if (!line.takeKey("name") || !line.takeText(name, "},"))
      return problem("expected 'name: <text>'");
    if (line.take(",") && !(isHost = line.takeKey("host") && line.take("true")))
      return problem("expected 'host: true'");
  }
  if ((inBraces && !line.take("}")) || !line.atEnd())
    return problem("expected '- module: <id>' or '- {module: <id>, name: <text>}'");
  std::optional<StreamIndex> stream = streamOf(moduleId, name, isHost);
  if (!stream)
    return problem("more than " + Twine(maxStreams) + " streams in one record");
  // A batch holds one stream: this one's entries make the next batch.
  (current_ || !columns_.empty() ? following_ : current_) = stream;
  return Error::success();
}

std::optional<StreamIndex> YamlReader::streamOf(uint64_t moduleId, StringRef name, bool isHost) {
  std::pair<uint64_t, std::string> key(moduleId, name.str());
  if (auto known = streamOfName_.find(key); known != streamOfName_.end())
    return known->second;
  std::optional<StreamIndex> stream = addStream({moduleId, name.str(), /*thread=*/0, isHost});
  if (stream) {
    streamOfName_.emplace(std::move(key), *stream);
    lastClocks_.emplace_back();
  }
  return stream;
}

} // namespace

Expected<std::unique_ptr<RecordReader>> warpo::openYamlRecord(std::unique_ptr<InputStream> input) {
  auto reader = std::make_unique<YamlReader>(std::move(input));
  if (Error error = reader->readHeader())
    return error;
  return reader;
}
