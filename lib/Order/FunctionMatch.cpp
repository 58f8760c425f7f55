//===- FunctionMatch.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FunctionMatch.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace warpo;

namespace {

/// The functions between two whose ids are known, without these.
struct Gap {
  uint32_t begin = 0;
  uint32_t end = UINT32_MAX;

  bool operator<(const Gap &other) const {
    return std::tie(begin, end) < std::tie(other.begin, other.end);
  }
};

/// Where the ids of functions whose names are their own lie.
class Anchors {
public:
  void add(int32_t id, uint32_t function) {
    if (id > 0)
      functions_[id] = function;
  }
  Gap around(int32_t id) const {
    Gap gap;
    auto above = functions_.upper_bound(id);
    if (above != functions_.end())
      gap.end = above->second;
    if (above != functions_.begin())
      gap.begin = std::prev(above)->second + 1;
    return gap;
  }

private:
  std::map<int32_t, uint32_t> functions_;
};

} // namespace

// `places` are the recorded functions of one name that lie in one gap.
static void matchRepeated(ArrayRef<uint32_t> found, Gap gap, MutableArrayRef<size_t> places,
                          ArrayRef<RecordedFunction> functions,
                          std::vector<std::optional<uint32_t>> &result) {
  const uint32_t *first = llvm::lower_bound(found, gap.begin);
  found = ArrayRef(first, std::lower_bound(first, found.end(), gap.end));
  if (found.size() != places.size())
    return;
  llvm::sort(places, [&](size_t a, size_t b) {
    return std::tuple(functions[a].id, a) < std::tuple(functions[b].id, b);
  });
  for (size_t i = 0; i != places.size(); ++i)
    result[places[i]] = found[i];
}

std::vector<std::optional<uint32_t>> warpo::matchFunctions(const OrderModule &module,
                                                           ArrayRef<RecordedFunction> functions) {
  std::vector<std::optional<uint32_t>> result(functions.size());
  Anchors anchors;
  std::vector<size_t> repeated;
  for (size_t i = 0; i != functions.size(); ++i) {
    ArrayRef<uint32_t> found = module.find(functions[i].name);
    if (found.size() == 1) {
      result[i] = found.front();
      anchors.add(functions[i].id, found.front());
    } else if (found.size() > 1) {
      repeated.push_back(i);
    }
  }
  std::map<std::pair<StringRef, Gap>, std::vector<size_t>> groups;
  for (size_t i : repeated)
    groups[{functions[i].name, anchors.around(functions[i].id)}].push_back(i);
  for (auto &[group, places] : groups)
    matchRepeated(module.find(group.first), group.second, places, functions, result);
  return result;
}

ArrayRef<std::optional<uint32_t>> FunctionMatcher::match(ArrayRef<RecordedFunction> functions) {
  bool same = equal(functions, last_, [](const RecordedFunction &a, const Recorded &b) {
    return a.id == b.id && a.name == b.name;
  });
  if (same)
    return matched_;
  matched_ = matchFunctions(module_, functions);
  last_.clear();
  for (const RecordedFunction &function : functions)
    last_.push_back({function.name.str(), function.id});
  return matched_;
}

std::vector<std::string> UnmatchedNames::messages() const {
  std::vector<std::string> result;
  for (const auto &[name, count] : names_)
    result.push_back(count == 0 ? "no function is called '" + name + "'"
                                : std::to_string(count) + " functions are called '" + name +
                                      "', and nothing says which was meant (--mapping with all "
                                      "functions may)");
  return result;
}
