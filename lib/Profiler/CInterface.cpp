//===- CInterface.cpp - The profiler for embedders in C -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profiler/Profiler.h"
#include "warpo/Profiler/warpo_profiler.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <new>

using namespace llvm;
using namespace warpo;

struct warpo_profiler {
  /// Null after an error, like the profiler.
  std::unique_ptr<ProfiledInstance> instance;
  std::optional<Profiler> profiler;
  /// The error of opening it, if any.
  std::string openError;
  std::string error;

  /// Keeps the error's text.
  bool failed(Error problem) {
    error = toString(std::move(problem));
    return !error.empty();
  }
  bool isUsable() {
    error = openError;
    return profiler.has_value();
  }
  warpo_profile *give(Expected<TakenProfile> profile);
};

struct warpo_profile {
  TakenProfile profile;
  std::string error = {};
};

warpo_profile *warpo_profiler::give(Expected<TakenProfile> profile) {
  if (profile)
    return new warpo_profile{std::move(*profile)};
  failed(profile.takeError());
  return nullptr;
}

warpo_profiler *warpo_profiler_open(const void *module, size_t size, const char *name) {
  auto *profiler = new (std::nothrow) warpo_profiler;
  if (!profiler)
    return nullptr;
  auto instance =
      ProfiledInstance::create(ArrayRef(static_cast<const uint8_t *>(module), size), name);
  if (!instance) {
    profiler->openError = profiler->error = toString(instance.takeError());
    return profiler;
  }
  profiler->instance = std::move(*instance);
  profiler->profiler.emplace(*profiler->instance);
  return profiler;
}

void warpo_profiler_free(warpo_profiler *profiler) { delete profiler; }

const char *warpo_profiler_error_text(const warpo_profiler *profiler) {
  return profiler ? profiler->error.c_str() : "no memory for a profiler";
}

void warpo_profiler_enter_frame(warpo_profiler *profiler, int32_t id) {
  if (profiler && profiler->instance)
    profiler->instance->enterFrame(id);
}

void warpo_profiler_leave_frame(warpo_profiler *profiler, int32_t id) {
  if (profiler && profiler->instance)
    profiler->instance->leaveFrame(id);
}

int64_t warpo_profiler_sample(warpo_profiler *profiler, int64_t fuel) {
  return profiler && profiler->instance ? profiler->instance->sample(fuel) : INT64_MAX;
}

void warpo_profiler_begin_section(warpo_profiler *profiler, const char *name, size_t size) {
  if (profiler && profiler->instance)
    profiler->instance->beginSection(name ? StringRef(name, size) : "(name out of bounds)");
}

void warpo_profiler_end_section(warpo_profiler *profiler) {
  if (profiler && profiler->instance)
    profiler->instance->endSection();
}

void warpo_profiler_set_sample_point(warpo_profiler *profiler, uint64_t *global) {
  if (profiler && profiler->instance)
    profiler->instance->setSamplePoint(global);
}

void warpo_profiler_set_frequency(warpo_profiler *profiler, uint64_t hertz) {
  if (profiler && profiler->profiler)
    profiler->profiler->frequency(hertz);
}

void warpo_profiler_set_every_fuel(warpo_profiler *profiler, uint64_t fuel) {
  if (profiler && profiler->profiler)
    profiler->profiler->everyFuel(fuel);
}

void warpo_profiler_set_weight_unit(warpo_profiler *profiler, warpo_weight_unit unit) {
  if (profiler && profiler->profiler)
    profiler->profiler->weightUnit(unit == WARPO_WEIGHT_FUEL      ? WeightUnit::Fuel
                                   : unit == WARPO_WEIGHT_SAMPLES ? WeightUnit::Samples
                                                                  : WeightUnit::Time);
}

int warpo_profiler_begin(warpo_profiler *profiler) {
  if (!profiler || !profiler->isUsable())
    return -1;
  return profiler->failed(profiler->profiler->begin()) ? -1 : 0;
}

warpo_profile *warpo_profiler_end(warpo_profiler *profiler) {
  if (!profiler || !profiler->isUsable())
    return nullptr;
  return profiler->give(profiler->profiler->end());
}

warpo_profile *warpo_profiler_profile(warpo_profiler *profiler, void (*function)(void *user),
                                      void *user) {
  if (!profiler || !profiler->isUsable())
    return nullptr;
  return profiler->give(profiler->profiler->profile([&] { function(user); }));
}

int warpo_profile_write(warpo_profile *profile, const char *format, FILE *file) {
  if (!profile)
    return -1;
  std::string bytes;
  raw_string_ostream os(bytes);
  profile->error = toString(profile->profile.write(format, os));
  if (!profile->error.empty())
    return -1;
  if (fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && fflush(file) == 0)
    return 0;
  profile->error = std::string("cannot write: ") + strerror(errno);
  return -1;
}

const char *warpo_profile_error_text(const warpo_profile *profile) {
  return profile ? profile->error.c_str() : "there is no profile";
}

void warpo_profile_free(warpo_profile *profile) { delete profile; }
