//===- PerfScript.cpp - Reads what `perf script` prints -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file   := sample*                                            "#" begins a comment
//   sample := header "\n" frame* "\n"
//   header := command pid["/" tid] ["[" cpu "]"] time ":" [period] event ":" …
//   frame  := " " [address " "] symbol ["+0x" offset] " (" object ")" "\n"   the innermost first
//           | " " file ":" line "\n"                            of the frame before: -F +srcline
//
// Either all frames have addresses or none, depending on -F. Each event is a weight, by its period:
// clocks are time, others have the event's name.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "ImportedProfile.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral blanks = " \t";
/// The maximum bytes of a header to examine.
static constexpr size_t longestHeader = 4096;

namespace {

struct SampleHeader {
  /// Without modifiers such as in `cycles:u`; a tracepoint includes its subsystem,
  /// `sched:sched_switch`.
  StringRef event;
  /// The weight of the sample; 1 if unknown.
  uint64_t period = 1;
};

} // namespace

// `1234.567890:`; the command before it may have spaces, but not this form.
static bool isTime(StringRef word) {
  auto [seconds, fraction] = word.split('.');
  return !seconds.empty() && all_of(seconds, isDigit) && fraction.consume_back(":") &&
         !fraction.empty() && all_of(fraction, isDigit);
}

static StringRef eventIn(StringRef word) {
  word.consume_back(":");
  auto [event, modifiers] = word.rsplit(':');
  return modifiers.find_first_not_of("ukhGHpPSDWeIb") == StringRef::npos ? event : word;
}

static std::optional<SampleHeader> parseHeader(StringRef line) {
  SmallVector<StringRef, 8> words;
  SplitString(line.take_front(longestHeader), words);
  auto time = find_if(words, isTime);
  if (time == words.end() || time == words.begin())
    return std::nullopt;
  SampleHeader header;
  ArrayRef<StringRef> rest(time + 1, words.end());
  if (!rest.empty())
    if (std::optional<uint64_t> period = amountInText(rest.front())) {
      header.period = *period;
      rest = rest.drop_front();
    }
  if (!rest.empty())
    header.event = eventIn(rest.front());
  return header;
}

static bool isInStack(StringRef line) {
  return line.trim(blanks).size() < line.rtrim(blanks).size();
}

/// A line of a stack without its address; nothing for a line without an address.
static std::optional<StringRef> parseFrame(StringRef line) {
  StringRef text = line.ltrim(blanks);
  StringRef address = text.take_while(isHexDigit);
  if (text.size() == line.size() || address.empty() ||
      !StringRef(blanks).contains(text.drop_front(address.size()).take_front(1).str()))
    return std::nullopt;
  return text.drop_front(address.size()).trim(blanks);
}

namespace {

class Reader {
public:
  Reader(StringRef text, StringRef name) : rest_(text), name_(name) {}

  Expected<Profile> read() {
    samples_ = profile_.weight("samples", "samples");
    while (!rest_.empty() && !profile_.hasFailed()) {
      StringRef line;
      std::tie(line, rest_) = rest_.split('\n');
      line = line.rtrim("\r");
      ++number_;
      if (line.starts_with("#"))
        continue;
      if (Error error = take(line))
        return error;
    }
    close();
    return profile_.take(name_);
  }

  /// The number of lines that were not understood.
  uint64_t unknown() const { return unknown_; }

private:
  Error take(StringRef line) {
    if (line.trim(blanks).empty()) {
      close();
      return Error::success();
    }
    if (!StringRef(blanks).contains(line.front())) {
      close();
      header_ = parseHeader(line);
      if (!header_)
        return lineError(name_, number_, "expected `command pid time: event:`");
      return Error::success();
    }
    if (!header_)
      return lineError(name_, number_, "a frame without a sample");
    // More frames than the limit of contexts fail anyway.
    if (frames_.size() > ImportedProfile::maxContexts)
      return Error::success();
    std::optional<StringRef> frame = parseFrame(line);
    haveAddresses_ |= frame.has_value();
    if (frame)
      frames_.push_back(frameOf(*frame));
    else if (!takePlace(line.trim(blanks)) && !haveAddresses_)
      frames_.push_back(frameOf(line.trim(blanks)));
    else
      unknown_ += frames_.empty();
    return Error::success();
  }

  /// The position of the parenthesis matching the one at the end of the text: `(/memfd:jit
  /// (deleted))` contains others.
  static size_t openBracket(StringRef text) {
    size_t depth = 0;
    for (size_t i = text.size(); text.ends_with(")") && i-- > 0;) {
      depth += text[i] == ')';
      depth -= text[i] == '(';
      if (depth == 0)
        return i;
    }
    return StringRef::npos;
  }

  static ImportedFrame frameOf(StringRef text) {
    ImportedFrame frame{.name = text};
    if (size_t open = openBracket(text); open != StringRef::npos && open > 0) {
      frame.name = text.take_front(open).rtrim(blanks);
      frame.module = text.slice(open + 1, text.size() - 1);
      frame.module.consume_back(" (deleted)");
    }
    if (frame.module == "inlined")
      frame.module = "";
    auto [symbol, offset] = frame.name.rsplit("+0x");
    if (!symbol.empty() && !offset.empty() && all_of(offset, isHexDigit))
      frame.name = symbol;
    return frame;
  }

  /// Returns whether it is a location: perf writes `??:0` and `object[offset]` for unknown ones.
  bool takePlace(StringRef text) {
    auto [file, line] = text.rsplit(':');
    uint32_t number = 0;
    if (frames_.empty() || file.empty() || line.getAsInteger(10, number))
      return false;
    if (number > 0) {
      frames_.back().executedFile = file;
      frames_.back().executedLine = number;
    }
    return true;
  }

  void close() {
    if (!header_)
      return;
    NodeIndex node = ContextTree::root;
    for (const ImportedFrame &frame : reverse(frames_))
      node = profile_.child(node, profile_.function(frame));
    frames_.clear();
    profile_.add(node, samples_, 1);
    StringRef event = header_->event;
    // perf's clocks count nanoseconds.
    bool isTime = event == "cpu-clock" || event == "task-clock";
    if (!event.empty())
      profile_.add(node, isTime ? profile_.weight("time", "ns") : profile_.weight(event, event),
                   header_->period);
    header_ = std::nullopt;
  }

  StringRef rest_;
  StringRef name_;
  uint64_t number_ = 0;
  ImportedProfile profile_;
  WeightIndex samples_ = 0;
  /// The header of the current sample.
  std::optional<SampleHeader> header_;
  std::vector<ImportedFrame> frames_;
  bool haveAddresses_ = false;
  uint64_t unknown_ = 0;
};

class PerfScriptFormat : public ProfileFormat {
public:
  bool sniff(ArrayRef<uint8_t> start) const override {
    StringRef rest = toStringRef(start);
    bool haveHeader = false;
    while (rest.contains('\n')) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      if (haveHeader)
        return isInStack(line) || line.trim(blanks).empty();
      if (line.starts_with("#") || line.trim(blanks).empty())
        continue;
      if (StringRef(blanks).contains(line.front()) || !parseHeader(line))
        return false;
      haveHeader = true;
    }
    return false;
  }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    Reader reader(toStringRef(bytes), name);
    auto profile = reader.read();
    if (reader.unknown() > 0)
      addNote(countOf(reader.unknown(), "line") + " that are no frames left out");
    return profile;
  }
};

warpo::Registry<ProfileFormat>::Add<PerfScriptFormat>
    registration("perf-script", "the output of perf script with stacks");

} // namespace
