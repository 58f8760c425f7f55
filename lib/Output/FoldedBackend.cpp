//===- FoldedBackend.cpp - Collapsed stacks -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file  := line*
//   line  := frame (";" frame)* " " weight "\n"        the outermost frame first
//   weight: a context's own, an integer above 0
//
// Each stack appears once, siblings in the order of their names.
//
//===----------------------------------------------------------------------===//

#include "text/FoldedFrame.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Profile/Views.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace warpo;

namespace {

/// The frame of each function, made once. Functions with equal frame texts are merged.
class FrameNames {
public:
  explicit FrameNames(const Profile &profile)
      : names_(profile.functions.size()), representatives_(profile.functions.size(), noFunction) {
    StringMap<FunctionIndex> known;
    for (const ContextTree::Context &node : profile.tree.nodes().drop_front()) {
      FunctionIndex function = node.function;
      if (representatives_[function] != noFunction)
        continue;
      names_[function] = saver_.save(foldedFrame(profile.functions[function].name));
      auto [entry, isNew] = known.try_emplace(names_[function], function);
      representatives_[function] = entry->second;
      haveTwins_ |= !isNew;
    }
  }

  StringRef operator[](FunctionIndex function) const { return names_[function]; }
  bool haveTwins() const { return haveTwins_; }
  ArrayRef<FunctionIndex> representatives() const { return representatives_; }

private:
  BumpPtrAllocator allocator_;
  StringSaver saver_{allocator_};
  std::vector<StringRef> names_;
  std::vector<FunctionIndex> representatives_;
  bool haveTwins_ = false;
};

class FoldedBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".folded"; }
  bool isBinary() const override { return false; }
  StringRef timeOrdered() const override { return "folded-time"; }

  Error write(const Profile &profile, raw_ostream &os) override {
    FrameNames names(profile);
    if (!names.haveTwins()) {
      writeStacks(profile, names, os);
      return Error::success();
    }
    writeStacks(joinFunctions(profile, names.representatives()), names, os);
    return Error::success();
  }

private:
  static void writeStacks(const Profile &profile, const FrameNames &names, raw_ostream &os) {
    const ContextTree &tree = profile.tree;
    ContextTree::Children children = tree.children([&](NodeIndex a, NodeIndex b) {
      return names[tree[a].function] < names[tree[b].function];
    });
    // The last node's stack, and the length of each of its prefixes: the next node shares most of
    // it.
    std::string stack;
    std::vector<size_t> ends{0};
    for (CallTreeWalk walk(children); walk.next();) {
      ends.resize(walk.depth());
      stack.resize(ends.back());
      if (!stack.empty())
        stack += ';';
      stack += names[tree[walk.node()].function];
      ends.push_back(stack.size());
      if (uint64_t weight = profile.self(walk.node()))
        os << stack << ' ' << weight << '\n';
    }
  }
};

warpo::Registry<ProfileBackend>::Add<FoldedBackend>
    registration("folded", "collapsed stacks, for FlameGraph, inferno, speedscope");

} // namespace
