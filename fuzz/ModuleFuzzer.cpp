//===- ModuleFuzzer.cpp - Any bytes through the rewriter ------------------===//
//
// Whatever the rewriter takes and wabt finds valid must come out valid, the same at each time, with
// code that our own reader takes, in memory that is in proportion to the module.
//
//===----------------------------------------------------------------------===//

#include "MemoryMeter.h"
#include "WabtJudge.h"
#include "warpo/Instrument/ModuleInstrumenter.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static void fail(StringRef what, StringRef why) {
  std::fprintf(stderr, "%s: %s\n", what.str().c_str(), why.str().c_str());
  std::abort();
}

// The shortest import has 4 bytes, and takes about 170: its thunk, its name in the mapping, its
// place in the tables. What grows faster than the module is found all the same.
static constexpr size_t maxMemory(size_t moduleSize) { return 10 * moduleSize + (4 << 20); }

static Expected<InstrumentedModule> instrument(ArrayRef<uint8_t> input,
                                               const InstrumentOptions &options) {
  MemoryMeter meter;
  auto result = instrumentModule(input, "module", options);
  if (meter.peak() > maxMemory(input.size()))
    fail("too much memory", std::to_string(meter.peak()) + " bytes");
  return result;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ArrayRef<uint8_t> input(bytes, size);
  InstrumentOptions options;
  options.selection.all = true;
  options.importThunks = size % 2;
  options.unwinding = size % 3 ? Unwinding::automatic : Unwinding::none;
  auto result = instrument(input, options);
  if (!result) {
    consumeError(result.takeError());
    return 0;
  }
  auto again = instrumentModule(input, "module", options);
  if (!again || again->bytes != result->bytes)
    fail("instrumented twice", "the results differ");
  auto module = wasm::readModule(result->bytes, "result");
  if (!module)
    fail("result", toString(module.takeError()));
  if (wabtComplaint(bytes, size) == "") {
    auto complaint = wabtComplaint(result->bytes.data(), result->bytes.size());
    if (complaint && !complaint->empty())
      fail("a valid module became invalid", *complaint);
  }
  return 0;
}
