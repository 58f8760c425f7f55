//===- ModuleFuzzer.cpp - Any bytes through the rewriter ------------------===//
//
// Whatever the rewriter takes and wabt finds valid must come out valid, the same at each time, with
// code that our own reader takes, in memory that is in proportion to the module.
//
//===----------------------------------------------------------------------===//

#include "MemoryMeter.h"
#include "WabtJudge.h"
#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Wasm/CodeWalker.h"
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

/// Whether an atomic access states its memory order. wabt does not know that, and does not notice:
/// it takes the bit for an alignment, of which it then looks at the lowest five bits only.
static bool hasMemoryOrders(ArrayRef<uint8_t> bytes) {
  enum : uint8_t { atomicPrefix = 0xfe, orderFlag = 0x20 };
  wasm::Module module = cantFail(wasm::readModule(bytes, "module"));
  for (const wasm::ByteRange &body : module.bodies) {
    ByteCursor cursor = body.cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);)
      if (*instruction.begin == atomicPrefix && instruction.immediates != instruction.end &&
          (*instruction.immediates & orderFlag))
        return true;
  }
  return false;
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
  if (!hasMemoryOrders(input) && wabtComplaint(bytes, size) == "") {
    auto complaint = wabtComplaint(result->bytes.data(), result->bytes.size());
    if (complaint && !complaint->empty())
      fail("a valid module became invalid", *complaint);
  }
  return 0;
}
