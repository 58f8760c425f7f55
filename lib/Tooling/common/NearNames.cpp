//===- NearNames.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NearNames.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>
#include <vector>

using namespace llvm;
using namespace warpo;

/// The maximum number of suggested names.
static constexpr size_t suggestions = 3;

Error warpo::noFunctionMatches(ArrayRef<std::string> patterns, ArrayRef<StringRef> names) {
  struct Near {
    // Names that contain the pattern come first, then those with fewest differences.
    unsigned distance;
    StringRef name;
    bool operator<(const Near &other) const {
      return std::tie(distance, name) < std::tie(other.distance, other.name);
    }
  };
  std::vector<Near> near;
  size_t containing = 0;
  for (StringRef pattern : patterns) {
    if (pattern.empty())
      continue;
    unsigned allowed = unsigned((pattern.size() + 1) / 3);
    for (StringRef name : names) {
      bool contains = name.contains_insensitive(pattern);
      containing += contains;
      if (contains)
        near.push_back({0, name});
      else if (allowed > 0)
        if (unsigned distance = name.edit_distance_insensitive(pattern, true, allowed);
            distance <= allowed)
          near.push_back({distance, name});
    }
  }
  llvm::sort(near);
  std::string hint;
  for (const Near &each : ArrayRef(near).take_front(suggestions))
    hint.append(hint.empty() ? "; similar names: '" : "', '").append(each.name);
  if (!hint.empty())
    hint += near.size() > suggestions ? "', …" : "'";
  if (containing > 0)
    hint += "; patterns match whole names: '*" + patterns.front() + "*' matches parts";
  return makeError("no function's name matches '" + join(patterns, "', '") + "'" + hint);
}
