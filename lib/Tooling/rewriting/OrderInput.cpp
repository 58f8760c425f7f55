//===- OrderInput.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OrderInput.h"
#include "../reading/ModuleStreams.h"
#include "warpo/Order/Wasm2cNames.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace warpo;

Expected<WeightIndex> RunReader::costOf(const Profile &profile) const {
  if (reading_.cost.empty()) {
    if (auto fuel = profile.findWeight("fuel"))
      return *fuel;
    return profile.findWeight("time").value_or(profile.shown);
  }
  if (auto weight = profile.findWeight(reading_.cost))
    return *weight;
  std::vector<std::string> known;
  for (const ProfileWeight &weight : profile.weights)
    known.push_back(weight.name);
  return fileError(profile.title, "--cost=" + reading_.cost + ": there is no such weight (known: " +
                                      join(known, ", ") + ")");
}

// Maps functions of a record's profile to functions of the module.
static std::vector<std::optional<uint32_t>> functionsOf(const Profile &profile,
                                                        const ModuleStreams &streams) {
  std::vector<std::optional<uint32_t>> result;
  for (const ProfileFunction &function : profile.functions)
    result.push_back(streams.find(function.module, function.id));
  return result;
}

// The same for a saved profile. It has no hashes: modules are recognised by identifier, but if
// there is only one, its identifier may come from --module-id.
std::vector<std::optional<uint32_t>> RunReader::functionsOfSaved(const Profile &profile) {
  uint64_t ours = support::endian::read64le(module_.hash().data());
  bool isOnly = profile.modules.size() == 1;
  if (isOnly && profile.modules.front().id != 0 && profile.modules.front().id != ours)
    warn(profile.title + ": is of the module with the identifier " +
         Twine(profile.modules.front().id) + ", and that of " + module_.fileName() + " is " +
         Twine(ours) + ": its functions are matched by name only");
  std::vector<RecordedFunction> recorded;
  std::vector<size_t> places;
  for (size_t i = 0; i != profile.functions.size(); ++i) {
    const ProfileFunction &function = profile.functions[i];
    if (function.kind == FunctionKind::pseudo ||
        (!isOnly && profile.modules[function.module].id != ours))
      continue;
    recorded.push_back({function.name, function.id});
    places.push_back(i);
  }
  std::vector<bool> ran(profile.functions.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    ran[profile.tree[node].function] = true;
  std::vector<std::optional<uint32_t>> result(profile.functions.size());
  for (auto [place, match] : zip_equal(places, matcher_.match(recorded))) {
    result[place] = match;
    if (!match && ran[place])
      unmatched_.add(profile.functions[place].name, module_);
  }
  return result;
}

Error RunReader::addCosts(const Profile &profile, const ModuleStreams &streams, OrderRun &run) {
  auto cost = costOf(profile);
  if (!cost)
    return cost.takeError();
  const ProfileWeight &weight = profile.weights[*cost];
  run.costMeasure = weight.unit.empty() || weight.unit == weight.name
                        ? weight.name
                        : weight.name + " in " + weight.unit;
  auto functions = streams.sawRecord() ? functionsOf(profile, streams) : functionsOfSaved(profile);
  DenseMap<uint32_t, FunctionCost> costs;
  DenseMap<std::pair<uint32_t, uint32_t>, uint64_t> edges;
  uint64_t matched = 0;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    std::optional<uint32_t> function = functions[profile.tree[node].function];
    if (!function)
      continue;
    ++matched;
    FunctionCost &sum = costs.try_emplace(*function, FunctionCost{*function, 0, 0}).first->second;
    sum.calls = SaturatingAdd(sum.calls, profile.calls(node));
    sum.self = SaturatingAdd(sum.self, profile.self(node, *cost));
    NodeIndex parent = profile.tree[node].parent;
    if (parent == ContextTree::root)
      continue;
    if (std::optional<uint32_t> caller = functions[profile.tree[parent].function]) {
      uint64_t &calls = edges[{*caller, *function}];
      calls = SaturatingAdd(calls, profile.calls(node));
    }
  }
  if (matched == 0)
    return fileError(profile.title, "is not a profile of " + module_.fileName() +
                                        ": the module has none of its functions");
  // Saves memory, as there may be a thousand runs.
  run.costs.reserve(costs.size());
  run.edges.reserve(edges.size());
  for (const auto &[function, sum] : costs)
    run.costs.push_back(sum);
  llvm::sort(run.costs,
             [](const FunctionCost &a, const FunctionCost &b) { return a.function < b.function; });
  for (const auto &[edge, calls] : edges)
    run.edges.push_back({edge.first, edge.second, calls});
  llvm::sort(run.edges, [](const CallEdge &a, const CallEdge &b) {
    return std::tie(a.caller, a.callee) < std::tie(b.caller, b.callee);
  });
  return Error::success();
}

// An empty run would mean that no function is common to all runs.
Error RunReader::reportEmpty(StringRef input) {
  std::string text = "has no call of a function of " + module_.fileName();
  if (options_.strict)
    return fileError(input, text);
  warn(input + ": " + text + ", and is not counted as a run");
  result_ = std::max(result_, ToolResult::damaged);
  return Error::success();
}

Error RunReader::addSymbolRuns(ArrayRef<SymbolRun> runs, StringRef name, uint64_t weight) {
  if (!symbols_) {
    auto symbols = wasm2cFunctionNames(bytes_, module_.fileName());
    if (!symbols)
      return symbols.takeError();
    symbols_ = std::make_unique<SymbolIndex>(module_, *symbols);
  }
  size_t found = 0;
  for (const SymbolRun &run : runs) {
    OrderRun matched = symbols_->match(run, name, unmatched_, repeated_);
    matched.weight = SaturatingMultiply(matched.weight, weight);
    found += matched.functions.size();
    if (!matched.functions.empty())
      runs_.push_back(std::move(matched));
  }
  if (found == 0)
    return fileError(name, "has no function of " + module_.fileName());
  return Error::success();
}

Error RunReader::read(StringRef input, uint64_t weight) {
  auto symbols = readSymbolRuns(input, reading_.llvmMapping);
  if (!symbols)
    return symbols.takeError();
  if (*symbols)
    return addSymbolRuns(**symbols, inputTitle(input), weight);
  ModuleStreams streams(matcher_);
  ProfileReader reader(options_, ProfileSource(), &streams);
  auto profile = reader.read(input);
  if (!profile)
    return alsoKnown(profile.takeError(), symbolRunFormats);
  result_ = std::max(result_, reader.result());
  if (!streams.problem().empty())
    return fileError(profile->title, streams.problem());
  if (!streams.sawRecord() && !reading_.wantsCosts)
    return fileError(profile->title,
                     "a saved profile has sums only, and does not say which functions ran first");
  for (const std::string &name : streams.unmatched())
    unmatched_.add(name, module_);

  size_t first = runs_.size();
  for (std::vector<uint32_t> &functions : streams.executions(reading_.eachStream))
    runs_.push_back({profile->title, weight, std::move(functions), {}, {}, {}});
  bool executed = streams.sawRecord() ? runs_.size() > first : profile->tree.size() > 1;
  if (!executed)
    return reportEmpty(profile->title);
  if (!reading_.wantsCosts)
    return Error::success();
  // Sums are over all streams.
  if (runs_.size() == first)
    runs_.push_back({profile->title, weight, {}, {}, {}, {}});
  return addCosts(*profile, streams, runs_[first]);
}
