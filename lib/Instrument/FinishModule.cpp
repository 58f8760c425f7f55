//===- FinishModule.cpp - Optimises and validates the result --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OptimizedIndices.h"
#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

static Error optimize(const OptimizationLevel &level, ArrayRef<uint8_t> original,
                      StringRef fileName, InstrumentedModule &result) {
  auto optimized = optimizeModule(result.bytes, fileName, level);
  if (!optimized)
    return optimized.takeError();
  result.bytes.assign(optimized->begin(), optimized->end());
  auto before = wasm::readModule(original, fileName);
  if (!before)
    return before.takeError();
  auto after = wasm::readModule(result.bytes, fileName);
  if (!after)
    return after.takeError();
  findOptimizedIndices(*before, *after, result.functions);
  return wasm::renewBuildId(result.bytes, fileName);
}

// The user can only act if the input is at fault, so the message says which module is invalid.
static Error validate(ArrayRef<uint8_t> original, StringRef fileName,
                      const InstrumentedModule &result) {
  auto problem = findInvalid(result.bytes, fileName);
  if (!problem)
    return problem.takeError();
  if (!*problem)
    return Error::success();
  auto before = findInvalid(original, fileName);
  if (!before)
    return before.takeError();
  if (*before)
    return fileError(fileName, "this module is not valid: " + **before);
  return fileError(fileName, "the module is valid, but the result is not: " + **problem);
}

Error warpo::finishModule(const InstrumentJob &job, ArrayRef<uint8_t> original, StringRef fileName,
                          InstrumentedModule &result) {
  if (job.optimization)
    if (Error error = optimize(*job.optimization, original, fileName, result))
      return error;
  return job.validate ? validate(original, fileName, result) : Error::success();
}
