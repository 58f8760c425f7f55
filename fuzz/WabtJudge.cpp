//===- WabtJudge.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WabtJudge.h"

#include <csetjmp>
#include <csignal>
#include <sanitizer/lsan_interface.h>
#include <wabt/binary-reader-ir.h>
#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/ir.h>
#include <wabt/validator.h>

static sigjmp_buf beforeWabt;
static void leaveWabt(int) { siglongjmp(beforeWabt, 1); }

/// Comes back from an assertion of wabt that fails, as some do for modules that are not valid. What
/// wabt holds then is lost, and no leak of ours.
template <typename F> static bool survivesWabt(F action) {
  struct sigaction own = {}, before;
  own.sa_handler = leaveWabt;
  sigaction(SIGABRT, &own, &before);
  bool survived = false;
  if (sigsetjmp(beforeWabt, /*savemask=*/1) == 0) {
    __lsan_disable();
    action();
    survived = true;
  }
  __lsan_enable();
  sigaction(SIGABRT, &before, nullptr);
  return survived;
}

static std::string judge(const uint8_t *bytes, size_t size) {
  wabt::Features features;
  features.EnableAll();
  features.disable_gc();
  features.disable_function_references();
  wabt::Errors errors;
  wabt::Module module;
  constexpr bool stopOnFirstError = true, failOnCustomSectionError = false;
  wabt::ReadBinaryOptions options(features, nullptr, /*read_debug_names=*/false, stopOnFirstError,
                                  failOnCustomSectionError);
  bool good = Succeeded(wabt::ReadBinaryIr("module", bytes, size, options, &errors, &module)) &&
              Succeeded(wabt::ValidateModule(&module, &errors, wabt::ValidateOptions(features)));
  if (good)
    return "";
  return errors.empty() ? "no reason given" : errors.front().message;
}

std::optional<std::string> wabtComplaint(const uint8_t *bytes, size_t size) {
  std::string complaint;
  if (!survivesWabt([&] { complaint = judge(bytes, size); }))
    return std::nullopt;
  return complaint;
}
