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

/// What a profile shows first; it has all of them.
enum class WeightUnit : uint8_t { Time, Fuel, Samples };

/// A profile that writes itself.
struct TakenProfile : Profile {
  /// In any output format that is registered; the error for another lists those that are. The names
  /// of C++ and Rust are demangled there; those of the profile itself are not.
  llvm::Error write(llvm::StringRef format, llvm::raw_ostream &os) const;
};

/// Takes profiles of one instance, one after the other: each begins with nothing. Profiles of
/// different instances may be taken at the same time, one within the other or on several threads.
class Profiler {
public:
  /// The instance must outlive this.
  explicit Profiler(ProfiledInstance &instance);
  Profiler(const Profiler &) = delete;
  Profiler &operator=(const Profiler &) = delete;
  ~Profiler();

  /// Samples are due so many times a second: 1000, if nothing is said.
  Profiler &frequency(uint64_t hertz);
  /// Samples are due each time so much fuel has been burnt: the same ones in each run.
  Profiler &everyFuel(uint64_t fuel);
  /// Time, if nothing is said.
  Profiler &weightUnit(WeightUnit unit);

  /// Calls the function, which runs the instance, and returns the profile of that: its frames are
  /// those that were entered since. Frames that a trap left behind are forgotten. An error, and
  /// nothing is called, if a setting makes no sense or the instance is being profiled already.
  ///
  /// If the function is left by an exception, that passes, and the profile is over; end() has it,
  /// until another begins.
  llvm::Expected<TakenProfile> profile(llvm::function_ref<void()> function);

  /// The two halves of profile(). A profile that has begun is given up where the profiler ends, and
  /// end() without one is an error.
  llvm::Error begin();
  llvm::Expected<TakenProfile> end();

private:
  void close();

  ProfiledInstance &instance_;
  SamplingRequest request_;
  WeightUnit unit_ = WeightUnit::Time;
  /// While a profile is taken; then that, until it is handed over.
  std::unique_ptr<SampleCollector> collector_;
  std::optional<TakenProfile> taken_;
};

} // namespace warpo

#endif
