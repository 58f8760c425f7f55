//===- ProfiledInstance.h - The host's side of a sampled instance ---------===//
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

/// The host's side of one instance of a module that was instrumented with `sample`, for any engine.
/// The engine calls it from the module's imports of `builtin`. Used by one thread at a time, the
/// one that runs the instance.
class ProfiledInstance {
public:
  /// `module` is the instrumented module, with the names to show; `name` is for messages and
  /// titles. An error if it is no module, has no samples, or does not report its frames
  /// (--stack=shadow). The bytes need not outlive the call.
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

  /// builtin.beginSection: adds a frame with this name inside the innermost function.
  void beginSection(llvm::StringRef name) { calls_.follow(moduleId_, sectionId(name)); }
  /// builtin.endSection; ignored if the innermost function has begun no section.
  void endSection() { calls_.endSection(moduleId_); }

  /// Sets the address of the instance's global `__warpo_sample_due` (--export-globals): an aligned
  /// word that must outlive this, or the next call; null (default): unknown. With it, a profile
  /// begins at the next check, samples by time are as exact as a timer, and the instance makes no
  /// calls while it is not profiled. Must not be called while it is profiled. Modules that count no
  /// fuel (--due=time) cannot be profiled without it.
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
  /// Includes sections, from their first begin on.
  std::vector<FunctionName> functions_;
  llvm::StringMap<int32_t> sections_;
  bool countsFuel_ = true;
  /// The name of the costs by which it counts fuel.
  std::string fuelClock_;
  uint64_t *samplePoint_ = nullptr;
  OpenCalls calls_;
  /// Takes its samples while it is profiled; else null.
  SampleCollector *collector_ = nullptr;
};

} // namespace warpo

#endif
