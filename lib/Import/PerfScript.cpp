//===- PerfScript.cpp - Reads what `perf script` prints -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file   := sample*                                            "#" begins a comment
//   sample := header "\n" frame* "\n"
//   header := command pid["/" tid] ["[" cpu "]"] time ":" [period] event ":" …
//   frame  := " " address " " symbol ["+0x" offset] " (" object ")" "\n"   the innermost first
//           | " " " " file ":" line "\n"                        of the frame before: -F +srcline
//
// Each event is a weight, by its period: clocks are time, others are called as the event is.
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

namespace {

struct SampleHeader {
  /// Without modifiers as in `cycles:u`.
  StringRef event;
  /// What the sample stands for; 1 where it does not say.
  uint64_t period = 1;
};

} // namespace

// `1234.567890:`, of which the command in front, which may have spaces, has none.
static bool isTime(StringRef word) {
  auto [seconds, fraction] = word.split('.');
  return !seconds.empty() && all_of(seconds, isDigit) && fraction.consume_back(":") &&
         !fraction.empty() && all_of(fraction, isDigit);
}

static std::optional<SampleHeader> parseHeader(StringRef line) {
  SmallVector<StringRef, 8> words;
  SplitString(line, words);
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
    header.event = rest.front().split(':').first;
  return header;
}

/// A line of a stack without the address in front; nothing for other lines.
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
    while (!rest_.empty()) {
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
      return lineError(name_, number_, "a frame of no sample");
    if (std::optional<StringRef> frame = parseFrame(line)) {
      frames_.push_back(frameOf(*frame));
      return Error::success();
    }
    takePlace(line.trim(blanks));
    return Error::success();
  }

  static ImportedFrame frameOf(StringRef text) {
    ImportedFrame frame{.name = text};
    if (text.ends_with(")"))
      if (size_t open = text.rfind(" ("); open != StringRef::npos) {
        frame.name = text.take_front(open);
        frame.module = text.slice(open + 2, text.size() - 1);
      }
    if (frame.module == "inlined")
      frame.module = "";
    auto [symbol, offset] = frame.name.rsplit("+0x");
    if (!symbol.empty() && !offset.empty() && all_of(offset, isHexDigit))
      frame.name = symbol;
    return frame;
  }

  void takePlace(StringRef text) {
    auto [file, line] = text.rsplit(':');
    uint32_t number = 0;
    if (frames_.empty() || file.empty() || line.getAsInteger(10, number))
      return;
    frames_.back().executedFile = file;
    frames_.back().executedLine = number;
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
  /// Of the sample that is being read.
  std::optional<SampleHeader> header_;
  std::vector<ImportedFrame> frames_;
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
        return parseFrame(line).has_value() || line.trim(blanks).empty();
      if (line.starts_with("#") || line.trim(blanks).empty())
        continue;
      if (StringRef(blanks).contains(line.front()) || !parseHeader(line))
        return false;
      haveHeader = true;
    }
    return false;
  }
  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    return Reader(toStringRef(bytes), name).read();
  }
};

warpo::Registry<ProfileFormat>::Add<PerfScriptFormat>
    registration("perf-script", "what perf script prints of samples with stacks");

} // namespace
