//===- TextBackend.cpp - A call tree as indented text ---------------------===//
//
//   share      total       self      calls  function
//    100 %  70.00 us   20.00 us          1  main
//   71.4 %  50.00 us   50.00 us         12    parse
//
// Of siblings the heaviest comes first. A line says how deep it is where it is too deep to be
// indented further.
//
//===----------------------------------------------------------------------===//

#include "profile/SiblingOrder.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

// The name of a function deeper than this would leave the screen.
static constexpr size_t maxIndent = 16;

namespace {

class TextBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".txt"; }
  bool isBinary() const override { return false; }

  Error write(const Profile &profile, raw_ostream &os) override {
    std::vector<uint64_t> weights = profile.inclusive();
    ContextTree::Children children = heaviestFirst(profile, weights);
    // Calls as a weight need no column of their own for the number of calls.
    bool withCalls = profile.unit() != "calls";
    writeLine(os, "share", "total", withCalls ? "self" : "calls", withCalls ? "calls" : "",
              "function");
    uint64_t whole = weights[ContextTree::root];
    for (CallTreeWalk walk(children); walk.next();) {
      NodeIndex node = walk.node();
      writeLine(os, formatShare(weights[node], whole), weightText(profile, weights[node]),
                weightText(profile, profile.self(node)),
                withCalls ? groupDigits(profile.calls(node)) : "",
                indentation(walk.depth() - 1) + displayName(profile.name(node)));
    }
    return Error::success();
  }

private:
  static std::string weightText(const Profile &profile, uint64_t weight) {
    return profile.unit() == "ns" ? formatTime(weight) : groupDigits(weight);
  }

  static std::string indentation(size_t depth) {
    if (depth <= maxIndent)
      return std::string(2 * depth, ' ');
    std::string level = formatv("[{0}] ", depth + 1);
    size_t width = std::max(level.size(), 2 * maxIndent);
    return std::string(width - level.size(), ' ') + level;
  }

  static void writeLine(raw_ostream &os, StringRef share, StringRef total, StringRef self,
                        StringRef calls, StringRef function) {
    os << right_justify(share, 6) << right_justify(total, 11) << right_justify(self, 11);
    if (!calls.empty())
      os << right_justify(calls, 11);
    os << "  " << function << '\n';
  }
};

warpo::Registry<ProfileBackend>::Add<TextBackend> registration("text",
                                                               "a call tree as indented text");

} // namespace
