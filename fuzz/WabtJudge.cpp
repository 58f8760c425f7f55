//===- WabtJudge.cpp ------------------------------------------------------===//

#include "WabtJudge.h"

#include <wabt/binary-reader-ir.h>
#include <wabt/binary-reader.h>
#include <wabt/error.h>
#include <wabt/ir.h>
#include <wabt/validator.h>

std::string wabtComplaint(const uint8_t *bytes, size_t size) {
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
