//===- FunctionUnion.h - The functions of several profiles ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_FUNCTIONUNION_H
#define WARPO_LIB_PROFILE_FUNCTIONUNION_H

#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Profile/Profile.h"
#include "llvm/ADT/StringMap.h"

namespace warpo {

inline constexpr uint32_t noModule = UINT32_MAX;

/// Merges functions with equal module, name and executed line. Of other properties the smallest
/// known value is kept, so that the order of profiles does not matter. The share of recording is
/// computed for the sum.
class FunctionUnion {
public:
  /// How modules without a name are distinguished.
  enum class UnnamedModules { byId, areOne };

  explicit FunctionUnion(UnnamedModules unnamed) : unnamed_(unnamed) {}

  /// Adds the functions of a profile; returns for each its index in functions().
  std::vector<FunctionIndex> add(const Profile &profile);

  llvm::ArrayRef<ProfileModule> modules() const { return modules_; }
  llvm::ArrayRef<ProfileFunction> functions() const { return functions_; }
  /// The module with the same name; nothing if there is none.
  std::optional<uint32_t> findModule(const ProfileModule &module) const;
  /// The function with the same name as `function` of `other`, in the module `modules[M]`, where M
  /// is the module of `function`; nothing if there is none, or no such module (noModule).
  std::optional<FunctionIndex> find(const FunctionUnion &other, FunctionIndex function,
                                    llvm::ArrayRef<uint32_t> modules) const;

private:
  std::string moduleKey(const ProfileModule &module) const;
  std::string functionKey(const ProfileFunction &function, llvm::StringRef moduleKey) const;
  uint32_t addModule(const ProfileModule &module);

  UnnamedModules unnamed_;
  std::vector<ProfileModule> modules_;
  std::vector<ProfileFunction> functions_;
  /// By function, the times that probeShare is computed from.
  std::vector<ProbedTime> probed_;
  llvm::StringMap<uint32_t> moduleOfKey_;
  llvm::StringMap<FunctionIndex> functionOfKey_;
};

} // namespace warpo

#endif
