//===- Views.h - Steps from a profile to another one ----------------------===//
//
// Each step is pure and knows nothing of the others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_VIEWS_H
#define WARPO_PROFILE_VIEWS_H

#include "warpo/Profile/Profile.h"

namespace warpo {

/// Function f counts as representatives[f]; contexts that become the same are joined. Entries of
/// functions that no context has are not looked at.
Profile joinFunctions(const Profile &profile, llvm::ArrayRef<FunctionIndex> representatives);

} // namespace warpo

#endif
