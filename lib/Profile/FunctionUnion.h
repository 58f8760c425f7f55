//===- FunctionUnion.h - The functions of several profiles ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_FUNCTIONUNION_H
#define WARPO_LIB_PROFILE_FUNCTIONUNION_H

#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Profile/Profile.h"
#include "llvm/ADT/StringMap.h"

namespace warpo {

inline constexpr uint32_t noModule = UINT32_MAX;

/// One function for all of the same module, name and executed line. For everything else that
/// profiles say of a function the smallest known value is kept, so that their order makes no
/// difference. The share of recording is that of the sum.
class FunctionUnion {
public:
  /// How modules without a name are distinguished.
  enum class UnnamedModules { byId, areOne };

  explicit FunctionUnion(UnnamedModules unnamed) : unnamed_(unnamed) {}

  /// Adds the functions of a profile; returns the place in functions() of each.
  std::vector<FunctionIndex> add(const Profile &profile);

  llvm::ArrayRef<ProfileModule> modules() const { return modules_; }
  llvm::ArrayRef<ProfileFunction> functions() const { return functions_; }
  /// The module of the same name; nothing if there is none.
  std::optional<uint32_t> findModule(const ProfileModule &module) const;
  /// The function of the same name in the module `modules[M]`, where M is what `function` of
  /// `other` is of; nothing if there is none, or no such module (noModule).
  std::optional<FunctionIndex> find(const FunctionUnion &other, FunctionIndex function,
                                    llvm::ArrayRef<uint32_t> modules) const;

private:
  std::string moduleKey(const ProfileModule &module) const;
  std::string functionKey(const ProfileFunction &function, llvm::StringRef moduleKey) const;
  uint32_t addModule(const ProfileModule &module);

  UnnamedModules unnamed_;
  std::vector<ProfileModule> modules_;
  std::vector<ProfileFunction> functions_;
  /// Of each function, what probeShare is the share of.
  std::vector<ProbedTime> probed_;
  llvm::StringMap<uint32_t> moduleOfKey_;
  llvm::StringMap<FunctionIndex> functionOfKey_;
};

} // namespace warpo

#endif
