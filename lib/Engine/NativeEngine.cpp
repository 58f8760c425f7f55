//===- NativeEngine.cpp - Compiles modules to machine code ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Translates modules to C by wasm2c, compiles that and runs it in this process. The fastest of the
// engines, and the reference for the cost of recording, as trace points are inlined. The first run
// of a module waits for the C compiler.
//
//===----------------------------------------------------------------------===//

#include "native/NativeRun.h"
#include "native/StackSampler.h"

using namespace llvm;
using namespace warpo;

namespace {

class NativeEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    auto compiler = NativeCompiler::create();
    if (!compiler)
      return compiler.takeError();
    return runNative(request, *compiler);
  }

  bool provides(wasm::HostCall) const override { return true; }
  bool hasTimer() const override { return true; }
  unsigned samplerPreference() const override { return StackSampler::isSupported() ? 2 : 0; }
  bool isAvailable() const override { return NativeCompiler::isInstalled(); }
};

warpo::Registry<Engine>::Add<NativeEngine>
    registration("native", "machine code, by wasm2c and the C compiler");

} // namespace
