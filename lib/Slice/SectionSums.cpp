//===- SectionSums.cpp ----------------------------------------------------===//

#include "warpo/Slice/SectionSums.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

Error SectionSums::events(const EventBatch &batch) {
  return header_.streams[batch.stream].isHost ? Error::success() : calls_.events(batch);
}

Error SectionSums::samples(const SampleBatch &batch) {
  samples_.add(batch.samples);
  return Error::success();
}

namespace {

/// Of each context, with all that it called.
struct Inclusive {
  std::vector<uint64_t> time, fuel;

  explicit Inclusive(const CallTree &tree) : time(tree.size()), fuel(tree.size()) {
    // Children come behind their parents.
    for (size_t node = tree.size(); node-- > 0;) {
      time[node] = SaturatingAdd(time[node], tree[node].selfTime);
      fuel[node] = SaturatingAdd(fuel[node], tree.selfFuel(node));
      if (node == CallTree::root)
        return;
      uint64_t &timeAround = time[tree[node].parent], &fuelAround = fuel[tree[node].parent];
      timeAround = SaturatingAdd(timeAround, time[node]);
      fuelAround = SaturatingAdd(fuelAround, fuel[node]);
    }
  }
};

} // namespace

std::vector<SectionSum> SectionSums::take() const {
  bool hasCalls = calls_.tree().size() > 1;
  const CallTree &tree = hasCalls ? calls_.tree() : samples_.tree();
  Inclusive inclusive(tree);
  std::vector<SectionSum> sums;
  StringMap<size_t> places;
  // Of each context, the innermost section that it is in; the root for none.
  std::vector<NodeIndex> sectionAround(tree.size(), CallTree::root);
  for (NodeIndex node = 1; node < tree.size(); ++node) {
    NodeIndex around = tree[node].parent;
    if (around != CallTree::root && !isSection(functions_[tree[around].function].id))
      around = sectionAround[around];
    sectionAround[node] = around;
    const Function &function = functions_[tree[node].function];
    if (!isSection(function.id))
      continue;
    auto [place, isNew] = places.try_emplace(function.name, sums.size());
    if (isNew)
      sums.push_back({function.name.str(), std::nullopt, 0, std::nullopt});
    SectionSum &sum = sums[place->second];
    if (hasCalls)
      sum.calls = sum.calls.value_or(0) + tree[node].calls;
    while (around != CallTree::root && functions_[tree[around].function].name != function.name)
      around = sectionAround[around];
    if (around != CallTree::root)
      continue; // it has been counted with the one around it
    sum.time = SaturatingAdd(sum.time, inclusive.time[node]);
    if (tree.hasFuel())
      sum.fuel = SaturatingAdd(sum.fuel.value_or(0), inclusive.fuel[node]);
  }
  return sums;
}
