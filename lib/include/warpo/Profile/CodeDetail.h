//===- CodeDetail.h - What the code of functions tells of a trace ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace knows functions alone. Where a function has one call of another, the places of its code
// say which line that is on, and what was inlined around it. What a function took itself can be
// shared out among what was inlined into it, by what that code costs.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_CODEDETAIL_H
#define WARPO_PROFILE_CODEDETAIL_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Profile/Profile.h"
#include <functional>
#include <map>
#include <tuple>

namespace warpo {

/// Lines of a function in which it calls another one, each once and in their order.
struct CallLines {
  struct Line {
    SharedText file;
    uint32_t line = 0;
  };
  std::vector<Line> lines;
  /// It may call it elsewhere too: through a reference, or through functions without trace points.
  bool mayBeElsewhere = false;

  /// Further ones, which sortLines() brings into their order.
  void append(const CallLines &others);
  void sortLines();
};

/// By the names of the module, the caller and the callee: ids are others in another build.
using CallLinesMap = std::map<std::tuple<std::string, std::string, std::string>, CallLines>;

/// Null if it is unknown where the one calls the other.
const CallLines *findCallLines(const CallLinesMap &calls, const Profile &profile,
                               FunctionIndex caller, FunctionIndex callee);

struct CodeDetail {
  /// The places of the module with this id; null if they are not known. They outlive the call.
  std::function<const ModulePlaces *(uint64_t moduleId)> placesOf;
  /// What the code of a function's calls took, as FunctionPlaces::costs has it, where that is known
  /// better than by those; else empty. May be none.
  std::function<llvm::ArrayRef<uint64_t>(uint64_t moduleId, uint32_t index)> costsOf;
  /// What a file is called.
  std::function<std::string(llvm::StringRef path)> path;
  /// Callers are distinguished by the lines of their calls.
  bool showsLines = false;
  /// What was inlined has frames, with estimatedFrameSuffix: around calls as the code has it, and
  /// with a share of the function's own weights, but for its calls.
  bool splitsInlined = false;
  /// So many contexts are made at most beside those that there are.
  uint32_t maxContexts = 1'000'000;
};

struct DetailedProfile {
  Profile profile;
  /// Contexts without their detail, as there would have been too many.
  uint64_t leftOut = 0;
  CallLinesMap callLines = {};
};

/// The profile of a trace with what the code of its functions tells. All sums stay what they were.
DetailedProfile addCodeDetail(Profile profile, const CodeDetail &detail);

/// As in `called at a.c:12, 15, b.c:3`; empty if no line is known.
std::string describeCalls(const CallLines &calls);

} // namespace warpo

#endif
