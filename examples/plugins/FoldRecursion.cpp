//===- FoldRecursion.cpp - A slicer that leaves out recursive calls -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of calls of a function within a call of the same function only the outermost stays: a recursive
// descent becomes one bar, and what lies below it still stands below it.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/CallFilter.h"
#include "warpo/Support/PluginApi.h"
#include <map>

using namespace warpo;

namespace {

class FoldRecursion : public CallFilter {
  bool keeps(StreamIndex stream, FunctionIndex function, size_t) override {
    return open_[{stream, function}]++ == 0;
  }
  void ends(StreamIndex stream, FunctionIndex function) override { --open_[{stream, function}]; }

  /// How many calls of each function are open.
  std::map<std::pair<StreamIndex, FunctionIndex>, uint64_t> open_;
};

warpo::Registry<Slicer>::Add<FoldRecursion> registration("fold-recursion",
                                                         "of recursive calls only the outermost");

} // namespace

WARPO_PLUGIN("fold-recursion", "1.0")
