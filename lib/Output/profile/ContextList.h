//===- ContextList.h - A profile as most of its formats write it ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The contexts in one list, callers before their callees, what they are called, and all weights at
// once: formats differ in how they say it, not in what they say.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_CONTEXTLIST_H
#define WARPO_OUTPUT_PROFILE_CONTEXTLIST_H

#include "warpo/Output/ProfileBackend.h"
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace warpo {

/// What a function is called. Texts are what displayName() makes.
struct Frame {
  std::string name;
  /// Empty if unknown.
  std::string module;
  /// Where the function is defined; empty and 0 if unknown. Lines count from 1.
  std::string file;
  uint32_t line = 0;
  /// The same of where in it the frame was executing: in outputs with lines.
  std::string executedFile = {};
  uint32_t executedLine = 0;
  /// Not a function: what is lost, what was cut.
  bool isPseudo = false;
  /// Names of what was inlined into it, that with the most code first.
  std::vector<std::string> inlined = {};

  /// ProfileFunction::isMostlyProbe().
  bool isMostlyProbe = false;
  /// As in ProfileFunction.
  llvm::StringRef attribute = {};

  /// What its function has in common with frames at other lines of it.
  auto functionKey() const {
    return std::tie(name, module, file, line, isPseudo, inlined, isMostlyProbe, attribute);
  }
  auto key() const { return std::tuple_cat(functionKey(), std::tie(executedFile, executedLine)); }
  /// `app.c:12`; empty if the file is unknown.
  std::string place() const { return displayPlace(file, line); }
};

/// Of one of the profile's functions.
Frame frameOf(const Profile &profile, const ProfileFunction &function);

struct ListedContext {
  static constexpr uint32_t noCaller = std::numeric_limits<uint32_t>::max();

  /// An index into contexts(), smaller than the context's own; noCaller for calls from the host.
  uint32_t caller;
  /// An index into frames().
  uint32_t frame;
  /// 1 for calls from the host.
  uint32_t depth;
};

/// One weight of all contexts, in their order.
struct WeightColumn {
  /// `time`, `calls`, …
  std::string name;
  /// `ns`, `ticks`, `calls`, …
  std::string unit;
  std::vector<uint64_t> self;
  /// Together with all that lies below the context. Stops at the largest number, as the total does.
  std::vector<uint64_t> inclusive;
  uint64_t total = 0;

  bool isNanoseconds() const { return unit == "ns"; }
  /// What a table calls a column of it, as in `time_self_ns`; `part` is `self` or `total`.
  std::string columnName(llvm::StringRef part) const;
};

class ContextList {
public:
  explicit ContextList(const Profile &profile);

  /// Each before all that lies below it, and those before its next sibling. Of siblings the
  /// heaviest comes first.
  llvm::ArrayRef<ListedContext> contexts() const { return contexts_; }
  /// Those of the contexts, each different, in the order of their first context.
  llvm::ArrayRef<Frame> frames() const { return frames_; }
  /// Of each frame, the first of the same function.
  std::vector<uint32_t> functions() const;
  /// At least one; the one to be shown first in front.
  llvm::ArrayRef<WeightColumn> weights() const { return weights_; }
  const WeightColumn &shown() const { return weights_.front(); }
  /// The number of calls of each context; null in a profile that does not count them.
  const WeightColumn *calls() const;
  /// What displayName() makes of the profile's title.
  llvm::StringRef title() const { return title_; }

  /// Leaves out all contexts below `depth`, which is above 0; their own weights go to their callers
  /// there. Returns how many there were.
  uint64_t cutBelow(uint32_t depth);

private:
  /// Returns of each context its index in the profile's tree.
  std::vector<NodeIndex> listContexts(const Profile &profile);
  void addWeight(const ProfileWeight &weight, llvm::ArrayRef<NodeIndex> nodes);

  std::string title_;
  std::vector<ListedContext> contexts_;
  std::vector<Frame> frames_;
  std::vector<WeightColumn> weights_;
};

} // namespace warpo

#endif
