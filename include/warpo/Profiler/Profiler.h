//===- Profiler.h - Profiles of what an embedder runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//     auto instance = ProfiledInstance::create(moduleBytes, "app.wasm");
//     ... the engine calls it where the module calls `builtin` ...
//     auto profile =
//     Profiler(**instance).frequency(1000).weightUnit(WeightUnit::Fuel).profile(run);
//     profile->write("folded", llvm::outs());
//
// See docs/embedding.md, also for C and JavaScript.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILER_PROFILER_H
#define WARPO_PROFILER_PROFILER_H

#include "warpo/Profile/Profile.h"
#include "warpo/Profiler/ProfiledInstance.h"
#include "warpo/Sampling/SampleClock.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo {

/// The weight that a profile shows first; it has all of them.
enum class WeightUnit : uint8_t { Time, Fuel, Samples };

/// A profile that writes itself.
struct TakenProfile : Profile {
  /// Writes the profile in a registered output format; the error for an unknown one lists them.
  /// Demangles the names of C++ and Rust functions in the output only.
  llvm::Error write(llvm::StringRef format, llvm::raw_ostream &os) const;
};

/// Takes profiles of one instance, one after another, each from zero. Profiles of different
/// instances may be taken at the same time, nested or on several threads.
class Profiler {
public:
  /// The instance must outlive this.
  explicit Profiler(ProfiledInstance &instance);
  Profiler(const Profiler &) = delete;
  Profiler &operator=(const Profiler &) = delete;
  ~Profiler();

  /// Sets the number of samples per second; the default is 1000.
  Profiler &frequency(uint64_t hertz);
  /// Takes a sample each time this much fuel has been burnt: the same samples in each run.
  Profiler &everyFuel(uint64_t fuel);
  /// The default is time.
  Profiler &weightUnit(WeightUnit unit);

  /// Calls the function, which runs the instance, and returns its profile. The profile's frames are
  /// those entered during the call; frames that a trap left behind are forgotten. Fails without
  /// calling the function if a setting is invalid or the instance is already being profiled.
  ///
  /// An exception passes through. The profile then ends; end() returns it, until another one
  /// begins.
  llvm::Expected<TakenProfile> profile(llvm::function_ref<void()> function);

  /// The two halves of profile(). A profile that has begun is discarded with the profiler; end()
  /// without one is an error.
  llvm::Error begin();
  llvm::Expected<TakenProfile> end();

private:
  void close();

  ProfiledInstance &instance_;
  SamplingRequest request_;
  WeightUnit unit_ = WeightUnit::Time;
  /// The current profile's samples; kept until end() returns them.
  std::unique_ptr<SampleCollector> collector_;
  std::optional<TakenProfile> taken_;
};

} // namespace warpo

#endif
