//===- HeapProfile.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/HeapProfile.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/StackPlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

bool warpo::isHeapWeight(StringRef name) { return is_contained(heapWeights, name); }

static const HeapAmount &amountInUse(const HeapPath &path, InUse inUse) {
  return inUse == InUse::atPeak ? path.atPeak : inUse == InUse::atTime ? path.atTime : path.live;
}

HeapProfile warpo::makeHeapProfile(const HeapAnalysis &heap, FunctionTable &functions,
                                   const CallTreeOptions &limits, InUse inUse, StringRef title) {
  HeapProfile result;
  CallTree tree;
  StackPlaces places(functions, tree, limits);
  NodeIndex unknown = CallTree::root;
  for (const HeapPath &path : heap.paths()) {
    // Paths of memories that grew have allocated nothing themselves.
    if (path.allocated == HeapAmount())
      continue;
    if (path.stack == 0 && unknown == CallTree::root)
      unknown = tree.child(CallTree::root, functions.pseudoFunction("(unknown stack)"));
    NodeIndex node = path.stack == 0 ? unknown : places[path.stack];
    result.pathsInOther += places.isOther(node);
    result.pathsTooDeep += places.isTooDeep(node);
    const HeapAmount &used = amountInUse(path, inUse);
    const uint64_t amounts[] = {path.allocated.objects(), path.allocated.bytes, used.objects(),
                                used.bytes};
    for (const auto &[column, amount] : enumerate(amounts))
      tree.addCount(node, ColumnIndex(column), amount);
  }
  std::vector<Measure> measures(1);
  size_t known = inUse == InUse::unknown ? 2 : 4;
  for (StringRef name : ArrayRef(heapWeights).take_front(known)) {
    measures.push_back({name.str(), name.ends_with("_space") ? "bytes" : "objects"});
    // All of them are there, even if nothing was allocated.
    tree.addCount(CallTree::root, ColumnIndex(measures.size() - 2), 0);
  }
  Profile &profile = result.profile;
  profile = makeProfile(tree, functions, measures, title);
  // Neither time nor calls.
  profile.weights.erase(profile.weights.begin(), profile.weights.begin() + 2);
  profile.shown = WeightIndex(known - 1);
  return result;
}
