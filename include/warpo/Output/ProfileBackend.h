//===- ProfileBackend.h - The registry of outputs made of a call tree -----===//
//
// To add a profile format, add one .cpp to lib/Output that derives from ProfileBackend and
// registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILEBACKEND_H
#define WARPO_OUTPUT_PROFILEBACKEND_H

#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/CallTree.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace warpo {

/// All that a backend shows of a profile.
struct Profile {
  const CallTree &tree;
  const FunctionTable &functions;
  /// From the tree's counts to nanoseconds; without it, times are shown as counts, in the unit
  /// `ticks`.
  std::optional<TimeScale> scale = std::nullopt;
  /// What is shown, or shown first by formats that hold several.
  Weight weight = Weight::time;
  /// False: no time appears in the output, so that it is the same on each run.
  bool withTime = true;
  /// The record's file name without folders, or what the user said.
  std::string title;

  /// A context's own weight in the unit that unit() names.
  uint64_t self(NodeIndex node) const {
    uint64_t sum = tree.self(node, weight);
    return weight == Weight::time && scale ? scale->toNanoseconds(sum) : sum;
  }
  /// Of each context its own weight and that of all below it. Sums of self(), so that the numbers
  /// of all outputs agree, though each self() is rounded.
  std::vector<uint64_t> inclusive() const;
  /// `ns` or `ticks` for time, `calls` for calls.
  llvm::StringRef unit() const {
    return weight == Weight::calls ? "calls" : scale ? "ns" : "ticks";
  }
  llvm::StringRef name(NodeIndex node) const { return functions[tree[node].function].name; }
  /// Whether a context stands for something that is no function: what is lost, what was cut.
  bool isPseudo(NodeIndex node) const {
    const Function &function = functions[tree[node].function];
    return function.id == 0 && function.known;
  }
};

/// A name as text that can be shown: valid UTF-8 without control characters and line separators,
/// which become spaces, and without spaces around it; `[unknown]` if nothing is left.
std::string displayName(llvm::StringRef name);

class ProfileBackend {
public:
  static constexpr llvm::StringLiteral kind = "output format";
  virtual ~ProfileBackend();

  /// Of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;
  virtual llvm::Error write(const Profile &profile, llvm::raw_ostream &os) = 0;
};

} // namespace warpo

#endif
