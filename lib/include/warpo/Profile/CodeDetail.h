//===- CodeDetail.h - Adds details from functions' code to a trace --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace only knows functions. If a function has a single call of another, the source locations of
// its code determine the line of that call and the functions inlined around it. A function's self
// weights can be distributed over the functions inlined into it, by the cost of their code.
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

/// The lines on which a function calls another one, unique and in order.
struct CallLines {
  struct Line {
    SharedText file;
    uint32_t line = 0;
  };
  std::vector<Line> lines;
  /// Whether there may be other calls: through a reference, or through functions without trace
  /// points.
  bool mayBeElsewhere = false;

  /// Adds lines; sortLines() has to be called afterwards.
  void append(const CallLines &others);
  void sortLines();
};

/// By the names of module, caller and callee: ids differ in another build.
using CallLinesMap = std::map<std::tuple<std::string, std::string, std::string>, CallLines>;

/// Null if the lines are unknown.
const CallLines *findCallLines(const CallLinesMap &calls, const Profile &profile,
                               FunctionIndex caller, FunctionIndex callee);

struct CodeDetail {
  /// The source locations of the module with this id; null if unknown. They must outlive the call
  /// of addCodeDetail().
  std::function<const ModulePlaces *(uint64_t moduleId)> placesOf;
  /// Replaces FunctionPlaces::costs where the cost of a function's executed code is known better;
  /// empty if it is not. May be null.
  std::function<llvm::ArrayRef<uint64_t>(uint64_t moduleId, uint32_t index)> costsOf;
  /// The displayed path of a file.
  std::function<std::string(llvm::StringRef path)> path;
  /// Distinguish callers by the lines of their calls.
  bool showsLines = false;
  /// Give inlined functions frames, with estimatedFrameSuffix: around calls according to the code,
  /// and with a share of the function's self weights except calls.
  bool splitsInlined = false;
  /// The maximum number of added contexts.
  uint32_t maxContexts = 1'000'000;
};

struct DetailedProfile {
  Profile profile;
  /// The number of contexts without details, as there would have been too many.
  uint64_t leftOut = 0;
  CallLinesMap callLines = {};
};

/// Adds details from the code to the profile of a trace. All sums stay the same.
DetailedProfile addCodeDetail(Profile profile, const CodeDetail &detail);

/// `called at a.c:12, 15, b.c:3`; empty if no line is known.
std::string describeCalls(const CallLines &calls);

} // namespace warpo

#endif
