//===- Views.h - Steps from a profile to another one ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each step is pure and knows nothing of the others; docs/views.md says in which order the tools
// take them. The sum of each weight stays what it was, except where a step says what it leaves out.
// Memory is that of the two profiles, and none of the program's stack for a deep tree.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_VIEWS_H
#define WARPO_PROFILE_VIEWS_H

#include "warpo/Profile/Profile.h"
#include "warpo/Support/NameGlobs.h"

namespace warpo {

/// Demangles the names of the program's C++ and Rust functions.
/// Return types and ABI tags of C++ names are left out, except for functions that differ only in
/// these.
Profile demangle(Profile profile);

/// The same with return types and ABI tags.
Profile demangleFully(Profile profile);

/// Only stacks with a function that matches. The weights of the others are left out.
Profile focus(const Profile &profile, const NameGlobs &functions);

/// Only stacks without a function that matches. The weights of the others are left out.
Profile ignore(const Profile &profile, const NameGlobs &functions);

/// Stacks begin at their outermost function that matches. The weights of stacks without one are
/// left out.
Profile rootAt(const Profile &profile, const NameGlobs &functions);

/// Only functions of modules whose names match; the weights of others count for the innermost of
/// their callers that stays, and are left out if there is none.
Profile onlyModules(const Profile &profile, const NameGlobs &modules);

/// Without functions that match; their weights count for the innermost of their callers that stays,
/// and for a context called `(hidden)` if there is none.
Profile hide(const Profile &profile, const NameGlobs &functions);

/// A call of a function from within a call of the same function, however far above, counts as part
/// of the outer one: no function is twice on a stack.
Profile foldRecursion(const Profile &profile);

/// What functions are grouped by: the line of placeOf(), its file, the directory of that, their
/// module.
enum class FunctionGroup : uint8_t { line, file, directory, module };

/// All functions of a group count as one, called as the group is; calls within a group are part of
/// the outer one. Functions without a place in the source are a group of their own, `(no source)`.
Profile groupFunctions(const Profile &profile, FunctionGroup group);

/// All stacks below a frame for the module of their outermost function.
Profile groupByModule(const Profile &profile);

/// What each module is called: by moduleLabel(), with its id where another one is called the same.
std::vector<std::string> moduleLabels(const Profile &profile);

/// Where functions of several modules are shown, the module stands behind the name of those without
/// one, and of those that two modules have by the same name: `func[7] (zlib)`.
Profile nameModules(Profile profile);

/// Callers below their callees: the outermost frames are the functions whose own weights the
/// profile holds, and what lies below a frame are its callers. Deep stacks share less this way: at
/// most about `maxContexts` contexts are made, in at most a thousand times as many steps, callers
/// nearest to the callees first, and weights stay with the last caller that has one. `cutStacks`,
/// if given, gets the number of stacks that were cut.
Profile invert(const Profile &profile, uint32_t maxContexts, uint64_t *cutStacks = nullptr);

/// At most `levels` levels, 1 or more; weights of what lies deeper count for the last frame that
/// stays.
Profile limitDepth(const Profile &profile, uint32_t levels);

/// The same, with the weights of what lies deeper left out.
Profile dropDepth(const Profile &profile, uint32_t levels);

/// Contexts whose share of the shown weight, with all that lies below them, is less than
/// `minShare`, count as one context called `(small)` of their caller.
Profile foldSmall(const Profile &profile, double minShare);

/// Function f counts as representatives[f]; contexts that become the same are joined. Entries of
/// functions that no context has are not looked at.
Profile joinFunctions(const Profile &profile, llvm::ArrayRef<FunctionIndex> representatives);

} // namespace warpo

#endif
