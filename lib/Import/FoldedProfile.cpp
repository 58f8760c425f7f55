//===- FoldedProfile.cpp - Reads collapsed stacks -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file  := (line "\n")*
//   line  := frame (";" frame)* " " weight | "#" anything | nothing      the outermost frame first
//   weight: a number from 0 on; fractions are rounded
//
// The format of FlameGraph's scripts and their successors. It has neither names of weights nor
// source locations.
//
//===----------------------------------------------------------------------===//

#include "Amount.h"
#include "ImportedProfile.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

/// The stack and the weight of a line; nothing if it has another form.
static std::optional<std::pair<StringRef, uint64_t>> parseLine(StringRef line) {
  size_t space = line.rfind(' ');
  if (space == StringRef::npos)
    return std::nullopt;
  StringRef stack = line.take_front(space).rtrim(' ');
  std::optional<uint64_t> weight = amountInText(line.drop_front(space + 1));
  if (stack.empty() || !weight)
    return std::nullopt;
  return std::pair(stack, *weight);
}

/// Whether a stack ends in a number. In a file with two weights per line, a difference, each does;
/// but a name may as well.
static bool endsInWeight(StringRef stack) {
  size_t space = stack.rfind(' ');
  return space != StringRef::npos && amountInText(stack.drop_front(space + 1));
}

namespace {

/// The lines of a text that should have a stack.
class StackLines {
public:
  explicit StackLines(StringRef text) : rest_(text) {}

  /// The next line without its end; nothing at the end.
  std::optional<StringRef> next() {
    while (!rest_.empty()) {
      StringRef line;
      std::tie(line, rest_) = rest_.split('\n');
      ++number_;
      line = line.rtrim('\r');
      if (!line.empty() && line.front() != '#')
        return line;
    }
    return std::nullopt;
  }
  /// The number of the line that next() returned last, counted from 1.
  uint64_t number() const { return number_; }

private:
  StringRef rest_;
  uint64_t number_ = 0;
};

class FoldedProfileFormat : public ProfileFormat {
public:
  // Lines of other texts may end in numbers: requires that all available lines do, and one has a
  // caller.
  bool sniff(ArrayRef<uint8_t> start) const override {
    // The last line may be truncated.
    StringRef whole = toStringRef(start).rsplit('\n').first;
    StackLines lines(whole.size() < start.size() ? whole : StringRef());
    bool haveCaller = false;
    while (std::optional<StringRef> line = lines.next()) {
      auto parsed = parseLine(*line);
      if (!parsed || any_of(*line, [](char c) { return uint8_t(c) < 0x20; }))
        return false;
      haveCaller |= parsed->first.contains(';');
    }
    return haveCaller;
  }

  Expected<Profile> read(ArrayRef<uint8_t> bytes, StringRef name) override {
    ImportedProfile profile;
    WeightIndex samples = profile.weight("samples", "samples");
    uint64_t stacks = 0;
    uint64_t endingInWeight = 0;
    StackLines lines(toStringRef(bytes));
    while (std::optional<StringRef> line = lines.next()) {
      auto parsed = parseLine(*line);
      if (!parsed)
        return lineError(name, lines.number(), "expected `function;function weight`");
      if (profile.hasFailed())
        break;
      auto [stack, weight] = *parsed;
      ++stacks;
      endingInWeight += endsInWeight(stack);
      NodeIndex node = ContextTree::root;
      while (!stack.empty() && !profile.hasFailed()) {
        StringRef frame;
        std::tie(frame, stack) = stack.split(';');
        node = profile.child(node, profile.function({.name = frame}));
      }
      profile.add(node, samples, weight);
    }
    if (stacks > 1 && endingInWeight == stacks)
      return fileError(name, "each stack has two weights: differences cannot be read");
    return profile.take(name);
  }
};

warpo::Registry<ProfileFormat>::Add<FoldedProfileFormat>
    registration("folded", "collapsed stacks, as FlameGraph's scripts write them");

} // namespace
