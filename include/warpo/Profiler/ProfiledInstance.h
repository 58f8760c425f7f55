//===- ProfiledInstance.h - What an engine tells of an instance -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILER_PROFILEDINSTANCE_H
#define WARPO_PROFILER_PROFILEDINSTANCE_H

#include "warpo/Sampling/OpenCalls.h"
#include "warpo/Sampling/TracedNames.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace warpo {

class SampleCollector;

/// The host's side of one instance of a module that was instrumented with `sample`, in whichever
/// engine. The engine calls it where the module calls its imports from `builtin`. Used by one
/// thread at a time, the one that runs the instance.
class ProfiledInstance {
public:
  /// `module` is the instrumented module, whose names are shown; `name` is for messages and titles.
  /// An error if it is not a module, has no samples, or keeps no stack by itself (--stack=shadow).
  /// Nothing refers to the bytes later.
  static llvm::Expected<std::unique_ptr<ProfiledInstance>> create(llvm::ArrayRef<uint8_t> module,
                                                                  llvm::StringRef name);
  ProfiledInstance(const ProfiledInstance &) = delete;
  ProfiledInstance &operator=(const ProfiledInstance &) = delete;
  ~ProfiledInstance();

  /// builtin.enterFrame
  void enterFrame(int32_t id) { calls_.follow(moduleId_, id); }
  /// builtin.leaveFrame
  void leaveFrame(int32_t id) { calls_.follow(moduleId_, -id); }
  /// builtin.sample: the fuel at which to ask again.
  int64_t sample(int64_t fuel);

  /// builtin.beginSection: a frame that is called so, in the function that is innermost.
  void beginSection(llvm::StringRef name) { calls_.follow(moduleId_, sectionId(name)); }
  /// builtin.endSection; nothing if that function has begun none.
  void endSection() { calls_.endSection(moduleId_); }

  /// Where the instance has its global `__warpo_sample_due` (--export-globals), an aligned word
  /// that lives as long as this or until another place is given; null, as at first, if nobody can
  /// say. With it a profile begins at the next check, samples are due by time as exactly as a timer
  /// makes them, and the instance asks nothing while it is not profiled. Not while it is. A module
  /// that counts no fuel (--due=time) cannot be profiled without.
  void setSamplePoint(uint64_t *global) { samplePoint_ = global; }

  llvm::StringRef name() const { return name_; }
  bool isProfiled() const { return collector_ != nullptr; }

private:
  friend class SampleCollector;
  friend class Profiler;
  ProfiledInstance() = default;
  int32_t sectionId(llvm::StringRef name);

  uint64_t moduleId_ = 0;
  std::string name_;
  /// Sections are among them, from the first that was begun.
  std::vector<FunctionName> functions_;
  llvm::StringMap<int32_t> sections_;
  bool countsFuel_ = true;
  /// What the costs are called by which it counts fuel.
  std::string fuelClock_;
  uint64_t *samplePoint_ = nullptr;
  OpenCalls calls_;
  /// Takes its samples, while it is profiled.
  SampleCollector *collector_ = nullptr;
};

} // namespace warpo

#endif
