//===- YamlFormat.cpp - The record as text --------------------------------===//
//
// The form in which tests are written and in which people and scripts look at a record. A YAML
// document of this shape, read in one pass, line by line:
//
//   warpo-record: 1             # the version of this format
//   rate: 0.4                   # nanoseconds a count; may be missing
//   clock-bits: 32              # how many bits of the clock were recorded; if missing, 64
//   clocks: time, fuel          # or `fuel` alone; if missing, time
//   entries:
//     - module: 16              # what follows is of this module (before the first: of module 0)
//     - [1000, 16777216]        # time and id: a call of function 16777216 begins
//     - [1200, -16777216, 55]   # … and ends, when 55 units of fuel had been burnt
//     - lost: 3                 # so many events are missing here, 0: nobody knows how many
//     - {module: 16, name: "worker"}
//
//   record  := "warpo-record: 1" field* entries
//   field   := "rate: " rate | "clock-bits: " number | "clocks: " ("time" | "time, " fuel | fuel)
//   entries := "entries: []" | "entries:" item+
//   item    := "- [" time "," id ("," number)? "]" | "- lost: " count
//            | "- sample: [" time "," number "," number ("," (id | text))* "]"
//            | "- phase: [" time "," time "," text ("," number "," text ("," text)?)? "]"
//            | "- module: " module | "- {module: " module ", name: " text (", host: true")? "}"
//   fuel    := "fuel" | "fuel:" name of the costs
//
// A sample has its time, the time and the fuel spent since the one before, and its stack, outermost
// frame first; ids are of the stream's module. Streams are told apart by module and name; calls of
// the host are no functions of the module. A phase of the host has its begin, its end, its name,
// how much it did and in which unit (an empty one: unknown), and of which run it is.  An entry's
// fuel, if the record has any, is that of the entry before where it is missing. Times are counts
// since the record's origin, from -2^32 to 2^63: one from before the origin is negative. Numbers
// are decimal, a text is plain or quoted as in JSON. Comments, empty lines, spaces between words
// and the line `---` at the start are free; all items are indented alike. docs/records.md says the
// same to users.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/LineReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <charconv>
#include <climits>
#include <map>

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral versionKey = "warpo-record";
static constexpr size_t maxPhases = 1 << 16;
// As in a record of a 32-bit clock, so that converting from one keeps every count.
static constexpr uint64_t origin = uint64_t(1) << 32;
static constexpr int64_t earliestTime = -int64_t(origin);

namespace {

/// Takes a line apart. A function that does not find what it is asked for returns false.
class LineCursor {
public:
  explicit LineCursor(StringRef line) : line_(line), rest_(line) { skipSpace(); }

  /// How far the first word is indented.
  size_t indent() const { return line_.size() - line_.ltrim(' ').size(); }
  bool atEnd() const { return rest_.empty() || isComment(); }

  bool take(StringRef token) {
    if (!rest_.consume_front(token))
      return false;
    skipSpace();
    return true;
  }
  bool takeKey(StringRef key) {
    StringRef before = rest_;
    if (take(key) && take(":"))
      return true;
    rest_ = before;
    return false;
  }
  template <typename T> bool takeNumber(T &value) {
    rest_.consume_front("+");
    auto [end, error] = std::from_chars(rest_.begin(), rest_.end(), value);
    isOutOfRange_ = error == std::errc::result_out_of_range;
    if (error != std::errc())
      return false;
    rest_ = rest_.drop_front(size_t(end - rest_.begin()));
    // `12abc` is not a number.
    if (!rest_.empty() && !StringRef(" \t,]}").contains(rest_.front()))
      return false;
    skipSpace();
    return true;
  }
  /// Whether the last number that takeNumber() was asked for is one that its type cannot hold.
  bool isOutOfRange() const { return isOutOfRange_; }
  /// A quoted text, or a plain one that ends before one of `stops`.
  bool takeText(std::string &text, StringRef stops);

private:
  // A `#` begins a comment only after a space.
  bool isComment() const {
    return rest_.starts_with("#") && (rest_.begin() == line_.begin() || rest_.begin()[-1] == ' ');
  }
  void skipSpace() { rest_ = rest_.ltrim(" \t"); }

  StringRef line_;
  StringRef rest_;
  bool isOutOfRange_ = false;
};

bool LineCursor::takeText(std::string &text, StringRef stops) {
  if (!rest_.starts_with("\"")) {
    StringRef plain = rest_.take_until([&](char c) { return stops.contains(c); });
    plain = plain.take_front(plain.find(" #")).rtrim();
    text = plain.str();
    rest_ = rest_.drop_front(plain.size());
    skipSpace();
    return !text.empty();
  }
  size_t end = 1;
  while (end < rest_.size() && rest_[end] != '"')
    end += rest_[end] == '\\' ? 2 : 1;
  auto value = json::parse(rest_.take_front(end + 1));
  if (!value || !value->getAsString()) {
    consumeError(value.takeError());
    return false;
  }
  text = value->getAsString()->str();
  rest_ = rest_.drop_front(end + 1);
  skipSpace();
  return true;
}

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
      if (!cursor.takeKey(versionKey) || !cursor.takeNumber(version) || !cursor.atEnd())
        return problem("a record starts with '" + versionKey + ": 1'");
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

class YamlWriter : public RecordWriter {
public:
  YamlWriter(raw_ostream &os, const RecordWriterContext &context)
      : os_(os), header_(context.header) {
    os_ << versionKey << ": 1\n";
    if (context.scale)
      os_ << "rate: " << context.scale->toString() << '\n';
    if (header_.clockBits != 64)
      os_ << "clock-bits: " << header_.clockBits << '\n';
    if (!header_.fuelClock.empty())
      os_ << "clocks: " << quotedIfSpecial((header_.timeIsFuel ? "" : "time, ") + header_.fuelClock)
          << '\n';
  }

  Error write(const RecordBatch &batch) override;
  Error finish() override {
    if (!current_)
      os_ << (header_.phases.empty() ? "entries: []\n" : "entries:\n");
    for (const RecordedPhase &phase : header_.phases)
      writePhase(phase);
    return Error::success();
  }

private:
  static json::Value quoted(StringRef text) { return json::fixUTF8(text); }
  static std::string quotedIfSpecial(const std::string &text) {
    bool isPlain = StringRef(text).find_if([](char c) {
      return !isAlnum(c) && c != ',' && c != ' ';
    }) == StringRef::npos;
    std::string json;
    raw_string_ostream(json) << quoted(text);
    return isPlain ? text : json;
  }
  bool takesSamples() const override { return true; }
  bool takesPhases() const override { return true; }
  void writePhase(const RecordedPhase &phase);
  void writeStream(StreamIndex stream);
  void writeSample(const StackSample &sample);
  void writeLosses(ArrayRef<RecordNote> &notes, size_t position);

  raw_ostream &os_;
  const RecordHeader &header_;
  std::optional<StreamIndex> current_;
};

void YamlWriter::writeStream(StreamIndex stream) {
  if (!current_)
    os_ << "entries:\n";
  current_ = stream;
  const StreamInfo &info = header_.streams[stream];
  if (info.name.empty() && !info.isHost)
    os_ << "  - module: " << info.moduleId << '\n';
  else
    os_ << "  - {module: " << info.moduleId << ", name: " << quoted(info.name)
        << (info.isHost ? ", host: true}\n" : "}\n");
}

/// Takes from `notes`, and writes, those that belong before the entry at `position`.
void YamlWriter::writeLosses(ArrayRef<RecordNote> &notes, size_t position) {
  for (const RecordNote &note : takeUpTo(notes, position))
    if (note.kind == NoteKind::lost)
      os_ << "  - lost: " << note.count << '\n';
}

void YamlWriter::writeSample(const StackSample &sample) {
  os_ << "  - sample: [" << int64_t(sample.time - header_.origin) << ", " << sample.timeSince
      << ", " << sample.fuelSince;
  SmallVector<const RecordedStack *> frames;
  for (uint32_t stack = sample.stack; stack != 0; stack = header_.stacks[stack].parent)
    frames.push_back(&header_.stacks[stack]);
  for (const RecordedStack *frame : reverse(frames)) {
    os_ << ", ";
    if (frame->id != 0)
      os_ << frame->id;
    else
      os_ << quoted(frame->text);
  }
  os_ << "]\n";
}

void YamlWriter::writePhase(const RecordedPhase &phase) {
  uint64_t zero = header_.timeIsFuel ? 0 : header_.origin;
  os_ << "  - phase: [" << int64_t(phase.begin - zero) << ", " << int64_t(phase.end - zero) << ", "
      << quoted(phase.name);
  if (!phase.unit.empty() || !phase.run.empty())
    os_ << ", " << phase.ticks << ", " << quoted(phase.unit);
  if (!phase.run.empty())
    os_ << ", " << quoted(phase.run);
  os_ << "]\n";
}

Error YamlWriter::write(const RecordBatch &batch) {
  if (current_ != batch.stream)
    writeStream(batch.stream);
  ArrayRef<RecordNote> notes = batch.notes;
  for (const StackSample &sample : batch.samples)
    writeSample(sample);
  for (size_t i = 0; i < batch.size(); ++i) {
    writeLosses(notes, i);
    os_ << "  - [" << int64_t(batch.times[i] - header_.origin) << ", " << batch.ids[i];
    if (!batch.fuel.empty())
      os_ << ", " << batch.fuel[i];
    os_ << "]\n";
  }
  writeLosses(notes, batch.size());
  return Error::success();
}

class YamlFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".yaml"; }
  bool isBinary() const override { return false; }
  bool canRead() const override { return true; }
  bool sniff(ArrayRef<uint8_t> start) const override {
    StringRef rest = toStringRef(start);
    while (!rest.empty()) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      line = line.rtrim();
      if (line != "---" && !LineCursor(line).atEnd())
        return line.starts_with(versionKey);
    }
    return false;
  }
  Expected<std::unique_ptr<RecordReader>> open(std::unique_ptr<InputStream> input) const override {
    auto reader = std::make_unique<YamlReader>(std::move(input));
    if (Error error = reader->readHeader())
      return error;
    return reader;
  }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return std::make_unique<YamlWriter>(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<YamlFormat>
    registration("yaml", "text to read and write by hand, one line an entry");

} // namespace
