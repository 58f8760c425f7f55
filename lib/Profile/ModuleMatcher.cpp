//===- ModuleMatcher.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ModuleMatcher.h"
#include "warpo/Support/NumberedName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <tuple>
#include <unordered_set>

using namespace llvm;
using namespace warpo;

namespace {

/// A module that the other side does not have by name.
struct OpenModule {
  uint32_t index;
  StringSet<> names = {};
  /// Hashes come from records: any number is one.
  std::unordered_set<uint64_t> bodies = {};
};

struct Likeness {
  double value;
  OpenModule *before;
  OpenModule *after;
};

} // namespace

static std::vector<OpenModule> collect(const FunctionUnion &side,
                                       function_ref<bool(uint32_t)> isOpen) {
  std::vector<OpenModule> result;
  std::vector<uint32_t> places(side.modules().size(), noModule);
  for (uint32_t module = 0; module < places.size(); ++module)
    if (isOpen(module)) {
      places[module] = uint32_t(result.size());
      result.push_back({module});
    }
  for (const ProfileFunction &function : side.functions()) {
    if (function.kind != FunctionKind::function || places[function.module] == noModule)
      continue;
    OpenModule &module = result[places[function.module]];
    // Each module has a function of this number.
    if (!NumberedName::parse(function.name))
      module.names.insert(function.name);
    if (function.bodyHash != 0)
      module.bodies.insert(function.bodyHash);
  }
  return result;
}

/// The share of names, or of bodies if that is larger, that both modules have, among those of the
/// smaller one.
static double likenessOf(const OpenModule &a, const OpenModule &b) {
  auto share = [](const auto &one, const auto &other, auto keyOf) {
    auto shared = count_if(one, [&](const auto &entry) { return other.contains(keyOf(entry)); });
    size_t smaller = std::min<size_t>(one.size(), other.size());
    return smaller == 0 ? 0 : double(shared) / double(smaller);
  };
  return std::max(
      share(a.names, b.names, [](const StringMapEntry<std::nullopt_t> &e) { return e.getKey(); }),
      share(a.bodies, b.bodies, [](uint64_t body) { return body; }));
}

std::vector<uint32_t> warpo::matchModules(const FunctionUnion &before, const FunctionUnion &after) {
  std::vector<uint32_t> result(after.modules().size(), noModule);
  std::vector<bool> isFound(before.modules().size());
  auto match = [&](uint32_t former, uint32_t module) {
    result[module] = former;
    isFound[former] = true;
  };
  for (uint32_t module = 0; module < result.size(); ++module)
    if (auto former = before.findModule(after.modules()[module]))
      match(*former, module);

  auto openBefore = collect(before, [&](uint32_t module) { return !isFound[module]; });
  auto openAfter = collect(after, [&](uint32_t module) { return result[module] == noModule; });
  if (openBefore.size() == 1 && openAfter.size() == 1) {
    match(openBefore.front().index, openAfter.front().index);
    return result;
  }
  std::vector<Likeness> pairs;
  for (OpenModule &one : openBefore)
    for (OpenModule &other : openAfter)
      if (double value = likenessOf(one, other); value > 0.5)
        pairs.push_back({value, &one, &other});
  // The most alike first, then by their order.
  llvm::sort(pairs, [](const Likeness &a, const Likeness &b) {
    return std::tuple(-a.value, a.before->index, a.after->index) <
           std::tuple(-b.value, b.before->index, b.after->index);
  });
  for (const Likeness &pair : pairs)
    if (!isFound[pair.before->index] && result[pair.after->index] == noModule)
      match(pair.before->index, pair.after->index);
  return result;
}
