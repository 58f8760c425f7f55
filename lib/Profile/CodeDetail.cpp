//===- CodeDetail.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/CodeDetail.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/EstimatedFrame.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <unordered_map>

using namespace llvm;
using namespace warpo;

// Sharing out takes a step for each context and each function inlined there, and so do calls: a
// small record could keep us busy for days.
static constexpr uint64_t maxSteps = uint64_t(1) << 30;

/// For two functions of one module; otherwise none.
static std::optional<CallLinesMap::key_type> keyOf(const Profile &profile, FunctionIndex caller,
                                                   FunctionIndex callee) {
  const ProfileFunction &from = profile.functions[caller], &to = profile.functions[callee];
  if (from.module != to.module)
    return std::nullopt;
  return CallLinesMap::key_type(moduleLabel(profile.modules[from.module]), from.name, to.name);
}

namespace {

/// A function's code, filled in on demand.
class DetailedFunction {
public:
  DetailedFunction(const ModulePlaces &places, const FunctionPlaces &function)
      : places_(places), function_(function) {
    for (const CallInCode &site : function.sites) {
      if (site.target.id())
        sites_[site.target.id()].push_back(site);
      reachesOpen_ |= !site.target.id();
      reachesAny_ |= site.target.isAny();
    }
  }

  const ModulePlaces &places() const { return places_; }
  const FunctionPlaces &function() const { return function_; }

  ArrayRef<CallInCode> sitesOf(int32_t callee) const {
    auto found = sites_.find(callee);
    return found == sites_.end() ? ArrayRef<CallInCode>() : ArrayRef(found->second);
  }
  /// Whether calls without a certain target may lead to what these call.
  bool mayReachElsewhere(ArrayRef<CallInCode> sites) const {
    return reachesAny_ || (reachesOpen_ && sites.front().target.isOpen());
  }

private:
  const ModulePlaces &places_;
  const FunctionPlaces &function_;
  std::map<int32_t, std::vector<CallInCode>> sites_;
  bool reachesOpen_ = false;
  bool reachesAny_ = false;
};

class DetailWriter {
public:
  DetailWriter(Profile profile, const CodeDetail &detail)
      : from_(std::move(profile)), detail_(detail), builder_(from_.emptyCopy()),
        calls_(from_.findWeight("calls")), functions_(from_.functions.size()) {}

  DetailedProfile write() {
    if (detail_.showsLines || detail_.splitsInlined) {
      writeContexts();
    } else {
      for (const ContextTree::Context &context : from_.tree.nodes().drop_front())
        if (context.parent != ContextTree::root)
          framesAround(from_.tree[context.parent].function, context.function);
    }
    Profile result = builder_.profile().tree.size() > 1 ? builder_.take() : std::move(from_);
    return {std::move(result), leftOut_, std::move(lines_)};
  }

private:
  /// The way from a function to a callee: frames that begin with the function itself.
  using Frames = SmallVector<FunctionIndex, 2>;

  void writeContexts() {
    // For each context, the place of its frame's siblings.
    std::vector<NodeIndex> around(from_.tree.size(), ContextTree::root);
    for (NodeIndex node = 1; node < from_.tree.size(); ++node) {
      auto [caller, function] = from_.tree[node];
      isFull_ = builder_.profile().tree.size() > uint64_t(node) + detail_.maxContexts;
      if (caller != ContextTree::root) {
        around[node] = around[caller];
        FunctionIndex from = from_.tree[caller].function;
        if (isFull_)
          around[node] = builder_.child(around[node], from), ++leftOut_;
        else
          for (FunctionIndex frame : framesAround(from, function))
            around[node] = builder_.child(around[node], frame);
      }
      NodeIndex own = builder_.child(around[node], function);
      builder_.addAll(own, from_, node);
      if (detail_.splitsInlined)
        shareOut(node, around[node], own);
    }
  }

  /// Null if nothing is known of its code.
  const DetailedFunction *codeOf(FunctionIndex index) {
    Code &code = functions_[index];
    if (!code.isAsked) {
      code.isAsked = true;
      const ProfileFunction &function = from_.functions[index];
      if (const FunctionPlaces *found = find(from_.modules[function.module].id, function))
        code.detail = std::make_unique<DetailedFunction>(
            *detail_.placesOf(from_.modules[function.module].id), *found);
    }
    return functions_[index].detail.get();
  }

  const FunctionPlaces *find(uint64_t module, const ProfileFunction &function) {
    if (function.id == 0)
      return nullptr;
    auto [known, isNew] = functionsById_.try_emplace(module);
    const ModulePlaces *places = isNew ? detail_.placesOf(module) : nullptr;
    if (places)
      for (const FunctionPlaces &each : places->functions)
        if (each.id)
          known->second[each.id] = &each;
    auto found = known->second.find(function.id);
    return found == known->second.end() ? nullptr : found->second;
  }

  const Frames &framesAround(FunctionIndex caller, FunctionIndex callee) {
    auto [entry, isNew] = framesAround_.try_emplace({caller, callee});
    if (isNew)
      entry->second = findCall(caller, callee);
    return entry->second;
  }

  Frames findCall(FunctionIndex caller, FunctionIndex callee) {
    const ProfileFunction &from = from_.functions[caller], &to = from_.functions[callee];
    const DetailedFunction *code = from.module == to.module ? codeOf(caller) : nullptr;
    ArrayRef<CallInCode> sites = code ? code->sitesOf(to.id) : ArrayRef<CallInCode>();
    if (sites.empty())
      return {caller};
    CallLines found;
    found.mayBeElsewhere = code->mayReachElsewhere(sites);
    // The common part, outermost first, with line 0 where the lines differ.
    SmallVector<CodePlace, 4> common;
    for (const CallInCode &site : sites) {
      if (steps_ > maxSteps) {
        ++leftOut_;
        return {caller};
      }
      SmallVector<CodePlace, 4> places = placesAt(code->function(), site.offset);
      steps_ += places.size();
      if (uint32_t line = places.front().line)
        found.lines.push_back({fileOf(code->places(), places.front().file), line});
      std::reverse(places.begin(), places.end());
      if (&site == &sites.front())
        common = places;
      size_t same = 0;
      while (same < std::min(common.size(), places.size()) &&
             common[same].call == places[same].call)
        ++same;
      common.truncate(same);
      for (auto [place, other] : zip_first(common, places))
        if (std::tie(place.file, place.line) != std::tie(other.file, other.line))
          place.file = place.line = 0;
    }
    found.sortLines();
    CallLines &known = lines_[*keyOf(from_, caller, callee)];
    known.append(found);
    known.sortLines();
    if (found.mayBeElsewhere)
      return {caller};
    if (!detail_.splitsInlined)
      common.truncate(1);
    return framesOf(caller, *code, common);
  }

  SharedText fileOf(const ModulePlaces &places, uint32_t number) {
    if (!number)
      return SharedText();
    auto [entry, isNew] = files_.try_emplace({&places, number});
    if (isNew)
      entry->second = SharedText(detail_.path(places.file(number)));
    return entry->second;
  }

  /// A frame for each place, outermost first: that in the function itself is one of `function`.
  Frames framesOf(FunctionIndex function, const DetailedFunction &code,
                  ArrayRef<CodePlace> places) {
    Frames frames;
    for (const CodePlace &place : places)
      frames.push_back(frameOf(function, code, place));
    return frames;
  }

  FunctionIndex frameOf(FunctionIndex function, const DetailedFunction &code, CodePlace place) {
    uint32_t inlinee = place.call ? code.function().calls[place.call - 1].inlinee : 0;
    bool hasLine = detail_.showsLines && place.line && place.file;
    if (!place.call && !hasLine)
      return function;
    // Inlined functions are the same in all functions of a module.
    uint32_t module = from_.functions[function].module;
    auto key = std::tuple(module, place.call ? noFunction : function, inlinee,
                          hasLine ? place.file : 0, hasLine ? place.line : 0);
    auto [entry, isNew] =
        frames_.try_emplace(key, FunctionIndex(builder_.profile().functions.size()));
    if (!isNew)
      return entry->second;
    ProfileFunction frame;
    if (place.call) {
      const ModulePlaces &places = code.places();
      Inlinee known = inlinee ? places.inlinees[inlinee - 1] : Inlinee();
      StringRef name = known.name ? places.name(known.name) : StringRef("unknown function");
      frame.name = (name + estimatedFrameSuffix).str();
      frame.module = module;
      frame.file = fileOf(places, known.file);
      frame.line = known.file ? known.line : 0;
    } else {
      frame = from_.functions[function];
    }
    if (hasLine) {
      frame.executedFile = fileOf(code.places(), place.file);
      frame.executedLine = place.line;
    }
    builder_.profile().functions.push_back(std::move(frame));
    return entry->second;
  }

  /// The cost of each call's code, summed up by number; empty if nothing was inlined, or if that is
  /// unknown.
  ArrayRef<uint64_t> sharesOf(FunctionIndex index, const DetailedFunction &code) {
    Code &known = functions_[index];
    if (known.hasShares)
      return known.shares;
    known.hasShares = true;
    const FunctionPlaces &function = code.function();
    ArrayRef<uint64_t> costs;
    if (detail_.costsOf)
      costs = detail_.costsOf(from_.modules[from_.functions[index].module].id, function.index);
    bool isCounted = costs.size() == function.calls.size() + 1 &&
                     any_of(costs, [](uint64_t cost) { return cost != 0; });
    if (!isCounted && function.costs.size() != function.calls.size() + 1)
      return known.shares;
    uint64_t sum = 0;
    for (size_t number = 0; number <= function.calls.size(); ++number) {
      sum = SaturatingAdd(sum, isCounted ? costs[number] : uint64_t(function.costs[number]));
      known.shares.push_back(sum);
    }
    if (sum == 0)
      known.shares.clear();
    return known.shares;
  }

  /// The part of `weight` up to where `part` of `all` is.
  static uint64_t partOf(uint64_t weight, uint64_t part, uint64_t all) {
    return uint64_t(static_cast<unsigned __int128>(weight) * part / all);
  }

  void shareOut(NodeIndex node, NodeIndex around, NodeIndex own) {
    FunctionIndex index = from_.tree[node].function;
    const DetailedFunction *code = codeOf(index);
    ArrayRef<uint64_t> shares =
        code && !code->function().calls.empty() ? sharesOf(index, *code) : ArrayRef<uint64_t>();
    if (shares.empty())
      return;
    steps_ += shares.size();
    if (isFull_ || steps_ > maxSteps) {
      ++leftOut_;
      return;
    }
    for (size_t number = 1; number < shares.size(); ++number) {
      if (shares[number] == shares[number - 1])
        continue;
      if (steps_ > maxSteps) {
        ++leftOut_;
        return;
      }
      NodeIndex place = ContextTree::root;
      for (WeightIndex weight = 0; weight < from_.weights.size(); ++weight) {
        uint64_t self = from_.self(node, weight);
        uint64_t share = partOf(self, shares[number], shares.back()) -
                         partOf(self, shares[number - 1], shares.back());
        if (weight == calls_ || share == 0)
          continue;
        if (place == ContextTree::root)
          place = placeOf(index, *code, uint32_t(number), around);
        builder_.add(place, weight, share);
        builder_.profile().weights[weight].self[own] -= share;
      }
    }
  }

  /// The context of what was inlined as this call.
  NodeIndex placeOf(FunctionIndex index, const DetailedFunction &code, uint32_t number,
                    NodeIndex around) {
    SmallVector<CodePlace, 4> places;
    CodePlace at{.call = number};
    while (at.call) {
      places.push_back(at);
      const InlinedCall &inlined = code.function().calls[at.call - 1];
      at = {inlined.around, inlined.file, inlined.line, inlined.column};
    }
    places.push_back(at);
    steps_ += places.size();
    for (const CodePlace &place : reverse(places))
      around = builder_.child(around, frameOf(index, code, place));
    return around;
  }

  Profile from_;
  const CodeDetail &detail_;
  ProfileBuilder builder_;
  std::optional<WeightIndex> calls_;
  struct Code {
    std::unique_ptr<DetailedFunction> detail;
    std::vector<uint64_t> shares;
    bool isAsked = false;
    bool hasShares = false;
  };
  std::vector<Code> functions_;
  /// Ids come from records: any number is one.
  std::map<uint64_t, std::unordered_map<int32_t, const FunctionPlaces *>> functionsById_;
  /// By caller and callee.
  DenseMap<std::pair<FunctionIndex, FunctionIndex>, Frames> framesAround_;
  CallLinesMap lines_;
  std::map<std::tuple<uint32_t, FunctionIndex, uint32_t, uint32_t, uint32_t>, FunctionIndex>
      frames_;
  std::map<std::pair<const ModulePlaces *, uint32_t>, SharedText> files_;
  bool isFull_ = false;
  uint64_t steps_ = 0;
  uint64_t leftOut_ = 0;
};

} // namespace

DetailedProfile warpo::addCodeDetail(Profile profile, const CodeDetail &detail) {
  return DetailWriter(std::move(profile), detail).write();
}

void CallLines::append(const CallLines &others) {
  lines.insert(lines.end(), others.lines.begin(), others.lines.end());
  mayBeElsewhere |= others.mayBeElsewhere;
}

void CallLines::sortLines() {
  auto key = [](const Line &line) { return std::pair(line.file.ref(), line.line); };
  llvm::sort(lines, [&](const Line &a, const Line &b) { return key(a) < key(b); });
  lines.erase(llvm::unique(lines, [&](const Line &a, const Line &b) { return key(a) == key(b); }),
              lines.end());
}

const CallLines *warpo::findCallLines(const CallLinesMap &calls, const Profile &profile,
                                      FunctionIndex caller, FunctionIndex callee) {
  auto key = keyOf(profile, caller, callee);
  auto found = key ? calls.find(*key) : calls.end();
  return found == calls.end() ? nullptr : &found->second;
}

std::string warpo::describeCalls(const CallLines &calls) {
  // As many as can be taken in.
  constexpr size_t mostNamed = 6;
  std::string text;
  StringRef file;
  for (const CallLines::Line &line : ArrayRef(calls.lines).take_front(mostNamed)) {
    bool isSameFile = !text.empty() && line.file.ref() == file;
    file = line.file;
    text += text.empty() ? "called at " : ", ";
    text += isSameFile ? std::to_string(line.line) : displayPlace(file, line.line);
  }
  if (calls.lines.size() > mostNamed)
    text += " and on " + std::to_string(calls.lines.size() - mostNamed) + " more lines";
  if (!text.empty() && calls.mayBeElsewhere)
    text += ", maybe elsewhere";
  return text;
}
