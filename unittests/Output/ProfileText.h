//===- ProfileText.h - Small profiles as text, for tables of tests --------===//

#ifndef WARPO_UNITTESTS_OUTPUT_PROFILETEXT_H
#define WARPO_UNITTESTS_OUTPUT_PROFILETEXT_H

#include "warpo/Output/ProfileBackend.h"
#include "llvm/ADT/ArrayRef.h"
#include <utility>

namespace warpo::test {

/// A call tree and its names, grown path by path.
struct ProfileInputs {
  FunctionTable functions;
  CallTree tree;

  /// Adds the context of these names, the outermost first, or the weights to it.
  NodeIndex add(llvm::ArrayRef<llvm::StringRef> path, uint64_t time, uint64_t calls = 1) {
    NodeIndex node = CallTree::root;
    for (llvm::StringRef name : path)
      node = tree.child(node, functions.pseudoFunction(name));
    tree.addTime(node, time);
    tree.addCalls(node, calls);
    return node;
  }
  Profile profile() const { return {.tree = tree, .functions = functions, .title = "test"}; }
};

/// What the backend called `format` writes.
inline std::string write(const Profile &profile, llvm::StringRef format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto backend = llvm::cantFail(Registry<ProfileBackend>::create(format));
  llvm::cantFail(backend->write(profile, os));
  return text;
}

} // namespace warpo::test

#endif
