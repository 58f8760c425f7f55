//===- NativeEngine.cpp - C by wasm2c, compiled and run in this process ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The fastest of the engines, and the measure of what recording costs: trace points are inlined.
// The first run of a module waits for the C compiler.
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
