//===- FinishModule.cpp - What Binaryen does with the instrumented module -===//

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

static Error optimize(const OptimizationLevel &level, StringRef fileName,
                      InstrumentedModule &result) {
  auto optimized = optimizeModule(result.bytes, fileName, level);
  if (!optimized)
    return optimized.takeError();
  result.bytes.assign(optimized->begin(), optimized->end());
  for (FunctionReport &function : result.functions) {
    function.newIndex.reset();
    function.thunkIndex.reset();
  }
  return wasm::renewBuildId(result.bytes, fileName);
}

// Whose fault it is decides what the user can do about it.
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
  return fileError(fileName, "the module is valid, but not what became of it: " + **problem);
}

Error warpo::finishModule(const InstrumentJob &job, ArrayRef<uint8_t> original, StringRef fileName,
                          InstrumentedModule &result) {
  if (job.optimization)
    if (Error error = optimize(*job.optimization, fileName, result))
      return error;
  return job.validate ? validate(original, fileName, result) : Error::success();
}
