//===- TextBackend.cpp - A call tree as indented text ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   share      total       self      calls  function
//    100 %  70.00 us   20.00 us          1  main
//   71.4 %  50.00 us   50.00 us         12    parse
//
// If the weight is shown per another one, as in ns per fuel, the ratios of total and self follow.
// The heaviest sibling comes first. A line too deep to be indented further begins with its depth.
//
//===----------------------------------------------------------------------===//

#include "profile/SiblingOrder.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

// The names of deeper functions would be off the screen.
static constexpr size_t maxIndent = 16;
static constexpr size_t ratioWidth = 13;

namespace {

class TextBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".txt"; }
  bool isBinary() const override { return false; }
  bool namesModules() const override { return true; }
  bool canShowRatio() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    std::vector<uint64_t> weights = profile.inclusive();
    ContextTree::Children children = heaviestFirst(profile, weights);
    // No separate column for the number of calls if calls are the weight.
    bool showsCalls = profile.unit() == "calls";
    bool withCalls = !showsCalls && profile.findWeight("calls");
    std::vector<uint64_t> others;
    std::string other;
    if (profile.per) {
      others = profile.inclusive(*profile.per);
      other = "/" + profile.weights[*profile.per].name;
    }
    bool withPlaces = any_of(
        profile.functions, [](const ProfileFunction &function) { return !function.file.empty(); });
    uint64_t whole = weights[ContextTree::root];
    // The total is the widest number.
    size_t width = std::max<size_t>(10, weightText(profile, whole).size()) + 1;
    writeLine(os, width, "share", "total", showsCalls ? "calls" : "self", withCalls ? "calls" : "",
              profile.per ? columns("total" + other, "self" + other) : "",
              withPlaces ? "function  source" : "function");
    for (CallTreeWalk walk(children); walk.next();) {
      NodeIndex node = walk.node();
      writeLine(os, width, formatShare(weights[node], whole), weightText(profile, weights[node]),
                weightText(profile, profile.self(node)),
                withCalls ? groupDigits(profile.calls(node)) : "",
                profile.per ? columns(ratioText(profile, weights[node], others[node]),
                                      ratioText(profile, profile.self(node),
                                                profile.self(node, *profile.per)))
                            : "",
                indentation(walk.depth() - 1) + displayName(profile.name(node)) +
                    placeText(profile.function(node)));
    }
    return Error::success();
  }

private:
  static std::string weightText(const Profile &profile, uint64_t weight) {
    return profile.unit() == "ns" ? formatTime(weight) : groupDigits(weight);
  }

  static std::string placeText(const ProfileFunction &function) {
    return function.file.empty() ? "" : "  " + displayPlace(function.file, function.line);
  }

  static std::string ratioText(const Profile &profile, uint64_t weight, uint64_t other) {
    std::optional<double> ratio = ratioOf(weight, other);
    return ratio ? formatRatio(*ratio, profile.unit() == "ns" ? profile.unit() : "") : "-";
  }

  static std::string columns(StringRef total, StringRef self) {
    std::string result;
    for (StringRef text : {total, self}) {
      // The infinity sign takes three bytes.
      size_t width = text == "\u221e" ? 1 : text.size();
      result.append(ratioWidth - std::min(width, ratioWidth), ' ').append(text);
    }
    return result;
  }

  static std::string indentation(size_t depth) {
    if (depth <= maxIndent)
      return std::string(2 * depth, ' ');
    std::string level = formatv("[{0}] ", depth + 1);
    size_t width = std::max(level.size(), 2 * maxIndent);
    return std::string(width - level.size(), ' ') + level;
  }

  static void writeLine(raw_ostream &os, size_t width, StringRef share, StringRef total,
                        StringRef self, StringRef calls, StringRef ratios, StringRef function) {
    os << right_justify(share, 6) << right_justify(total, width) << right_justify(self, width);
    if (!calls.empty())
      os << ' ' << right_justify(calls, 10);
    os << ratios << "  " << function << '\n';
  }
};

warpo::Registry<ProfileBackend>::Add<TextBackend> registration("text",
                                                               "a call tree as indented text");

} // namespace
