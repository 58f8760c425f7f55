//===- NativeEngine.cpp - C by wasm2c, compiled and run in this process ---===//
//
// The fastest of the engines, and the measure of what recording costs: trace points are inlined.
// The first run of a module waits for the C compiler.
//
//===----------------------------------------------------------------------===//

#include "HostCallTypes.h"
#include "native/NativeRun.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

namespace {

class NativeEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    if (!request.hostImports.empty())
      return makeError("engine native has no --host; use --engine=node");
    if (!request.directories.empty())
      return makeError("engine native has no --dir; use --engine=node");
    auto compiler = NativeCompiler::create();
    if (!compiler)
      return compiler.takeError();
    PhaseLog phases;
    phases.begin("decode");
    auto program = NativeProgram::load(request);
    if (!program)
      return program.takeError();
    uint64_t bytes = 0;
    for (const NativeUnit &unit : program->units)
      bytes += unit.bytes().size();
    phases.end("bytes", bytes);
    return runNative(request, *program, *compiler, std::move(phases));
  }

  bool provides(wasm::HostCall) const override { return true; }
  bool isAvailable() const override { return NativeCompiler::isInstalled(); }
};

warpo::Registry<Engine>::Add<NativeEngine>
    registration("native", "machine code, by wasm2c and the C compiler; no files");

} // namespace
