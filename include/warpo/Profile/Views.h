//===- Views.h - Steps from a profile to another one ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each view is a pure function, independent of the others; docs/views.md lists the order in which
// tools apply them. The sum of each weight does not change, except where noted. Memory use is that
// of two profiles, and stack use does not depend on the tree's depth.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_VIEWS_H
#define WARPO_PROFILE_VIEWS_H

#include "warpo/Profile/Profile.h"
#include "warpo/Support/NameGlobs.h"

namespace warpo {

/// Demangles the names of C++ and Rust functions. Drops return
/// types and ABI tags of C++ names, unless functions differ only in
/// these.
Profile demangle(Profile profile);

/// Demangles with return types and ABI tags.
Profile demangleFully(Profile profile);

/// Keeps only stacks with a matching function; other weights are left out.
Profile focus(const Profile &profile, const NameGlobs &functions);

/// Keeps only stacks without a matching function; other weights are left out.
Profile ignore(const Profile &profile, const NameGlobs &functions);

/// Cuts stacks above their outermost matching function; weights of stacks without one are left
/// out.
Profile rootAt(const Profile &profile, const NameGlobs &functions);

/// Keeps only functions of modules with matching names. Weights of other functions count for their
/// innermost caller that stays, and are left out without one.
Profile onlyModules(const Profile &profile, const NameGlobs &modules);

/// Removes matching functions. Their weights count for their innermost caller that stays, or
/// without one for a context `(hidden)`.
Profile hide(const Profile &profile, const NameGlobs &functions);

/// Merges a recursive call, direct or indirect, into the outer call: no function is on a stack
/// twice.
Profile foldRecursion(const Profile &profile);

/// The line of placeOf(), its file, the directory of that, or the
/// module.
enum class FunctionGroup : uint8_t { line, file, directory, module };

/// Merges all functions of a group into one, named after the group; calls within a group become
/// part of the outer one. Functions without a source place form the group `(no source)`.
Profile groupFunctions(const Profile &profile, FunctionGroup group);

/// Puts each stack below a frame for the module of its outermost function.
Profile groupByModule(const Profile &profile);

/// The label of each module: its moduleLabel(), with its id if another one has the same.
std::vector<std::string> moduleLabels(const Profile &profile);

/// If functions of several modules are shown, appends the module to functions without a name and to
/// names that occur in two modules: `func[7] (zlib)`.
Profile nameModules(Profile profile);

/// Inverts stacks: the outermost frames are the functions with weights of their own, and callers
/// are below their callees. Deep stacks share less this way, so only about `maxContexts` contexts
/// are made, in at most a thousand times as many steps, with callers nearest to the callees first;
/// weights stay with the last caller that has a context. `cutStacks`, if given, is set to the
/// number of stacks that were cut.
Profile invert(const Profile &profile, uint32_t maxContexts, uint64_t *cutStacks = nullptr);

/// Keeps at most `levels` levels (1 or more). Weights of deeper frames count for the last frame
/// that stays.
Profile limitDepth(const Profile &profile, uint32_t levels);

/// Keeps at most `levels` levels and leaves out the weights of deeper frames.
Profile dropDepth(const Profile &profile, uint32_t levels);

/// Merges contexts whose inclusive share of the shown weight is less than `minShare` into one
/// context `(small)` of their caller.
Profile foldSmall(const Profile &profile, double minShare);

/// Replaces function f by representatives[f] and merges contexts that become equal. Entries for
/// functions without a context are ignored.
Profile joinFunctions(const Profile &profile, llvm::ArrayRef<FunctionIndex> representatives);

} // namespace warpo

#endif
