//===- ContextList.h - A profile as most formats need it ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The contexts in one list, callers before their callees, with their frames and all weights. Most
// formats write just this, each in its own way.
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

/// A function as displayed. Texts are results of displayName().
struct Frame {
  std::string name;
  /// Empty if unknown.
  std::string module;
  /// Where the function is defined; empty and 0 if unknown. Lines count from 1.
  std::string file;
  uint32_t line = 0;
  /// The file and line the frame was executing; set in outputs with lines.
  std::string executedFile = {};
  uint32_t executedLine = 0;
  /// Not a function: stands for lost events or for cut calls.
  bool isPseudo = false;
  /// Names of the functions inlined into it, the one with the most code first.
  std::vector<std::string> inlined = {};

  /// ProfileFunction::isMostlyProbe().
  bool isMostlyProbe = false;
  /// As in ProfileFunction.
  llvm::StringRef attribute = {};

  /// Equal for all frames of a function, whatever lines they were executing.
  auto functionKey() const {
    return std::tie(name, module, file, line, isPseudo, inlined, isMostlyProbe, attribute);
  }
  auto key() const { return std::tuple_cat(functionKey(), std::tie(executedFile, executedLine)); }
  /// `app.c:12`; empty if the file is unknown.
  std::string place() const { return displayPlace(file, line); }
};

/// The frame of a function of the profile.
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
  /// Weight including everything below the context. Saturates, like the total.
  std::vector<uint64_t> inclusive;
  uint64_t total = 0;

  bool isNanoseconds() const { return unit == "ns"; }
  /// The name of a column in a table, such as `time_self_ns`; `part` is `self` or `total`.
  std::string columnName(llvm::StringRef part) const;
};

class ContextList {
public:
  explicit ContextList(const Profile &profile);

  /// In preorder, the heaviest sibling first.
  llvm::ArrayRef<ListedContext> contexts() const { return contexts_; }
  /// The distinct frames of the contexts, in the order of first use.
  llvm::ArrayRef<Frame> frames() const { return frames_; }
  /// For each frame the first frame of the same function.
  std::vector<uint32_t> functions() const;
  /// At least one; the shown one is the first.
  llvm::ArrayRef<WeightColumn> weights() const { return weights_; }
  const WeightColumn &shown() const { return weights_.front(); }
  /// The number of calls of each context; null in a profile that does not count them.
  const WeightColumn *calls() const;
  /// The profile's title as returned by displayName().
  llvm::StringRef title() const { return title_; }

  /// Removes all contexts deeper than `depth`, which is above 0, and adds their self weights to
  /// their callers at that depth. Returns the number of removed contexts.
  uint64_t cutBelow(uint32_t depth);

private:
  /// Returns for each context its index in the profile's tree.
  std::vector<NodeIndex> listContexts(const Profile &profile);
  void addWeight(const ProfileWeight &weight, llvm::ArrayRef<NodeIndex> nodes);

  std::string title_;
  std::vector<ListedContext> contexts_;
  std::vector<Frame> frames_;
  std::vector<WeightColumn> weights_;
};

} // namespace warpo

#endif
