//===- ReplayCalls.cpp - An engine: replays calls that a file lists -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The program is a YAML file: what is recorded of it, as warpo-instrument --instrumentation takes
// it, and the functions that can be called. The steps of a function are units of fuel to burn,
// calls and sections with steps of their own, and traps with their messages.
//
//   instrumentation: trace,fuel
//   main: [10, parse: [100, read: [5]], section draw: [20], out of paper]
//
//===----------------------------------------------------------------------===//

#include "warpo/Engine/ProgramRun.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/PluginApi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;
using wasm::HostCall;

namespace {

struct Step {
  enum { burn, call, section, trap } kind = burn;
  uint64_t fuel = 0;
  std::string text; ///< the name of a function or a section, a trap's message
  int32_t id = 0;   ///< of a function
  std::vector<Step> steps = {};
};

/// The only unit of the program.
struct Replay : public ProgramUnit {
  static Expected<std::unique_ptr<Replay>> read(StringRef path);

  std::optional<uint64_t> counter(wasm::Counter counter) const override {
    return counter == wasm::Counter::fuel ? std::optional(fuel) : std::nullopt;
  }
  std::vector<FunctionName> functionNames() const override { return names; }

  std::vector<HostCall> calls;
  std::vector<FunctionName> names;
  std::vector<Step> exports; ///< as `functions`
  uint64_t fuel = 0, nextSample = 0;

  void readInstrumentation(yaml::Stream &stream, yaml::Node *node);
  void readSteps(yaml::Node *node, std::vector<Step> &steps);
  Step readCall(yaml::KeyValueNode &entry);
};

/// Empty if the node is no text.
std::string textOf(yaml::Node *node) {
  SmallString<32> storage;
  auto *scalar = dyn_cast_or_null<yaml::ScalarNode>(node);
  return scalar ? scalar->getValue(storage).str() : "";
}

void Replay::readInstrumentation(yaml::Stream &stream, yaml::Node *node) {
  std::string list = textOf(node);
  bool hasFuel = is_contained(split(list, ','), "fuel");
  for (StringRef name : split(list, ','))
    if (name == "trace")
      calls.push_back(hasFuel ? HostCall::tracePointFuel : HostCall::tracePoint);
    else if (name == "sample")
      calls.insert(calls.end(), {HostCall::sample, HostCall::enterFrame, HostCall::leaveFrame});
    else if (name != "fuel")
      stream.printError(node, "no instrumentation '" + name + "'; known are: fuel, sample, trace");
}

void Replay::readSteps(yaml::Node *node, std::vector<Step> &steps) {
  if (auto *list = dyn_cast_or_null<yaml::SequenceNode>(node)) {
    for (yaml::Node &item : *list)
      readSteps(&item, steps);
  } else if (auto *inner = dyn_cast_or_null<yaml::MappingNode>(node)) {
    for (yaml::KeyValueNode &entry : *inner)
      steps.push_back(readCall(entry));
  } else if (std::string text = textOf(node); !text.empty()) {
    Step &step = steps.emplace_back(Step{Step::burn, 0, text});
    if (StringRef(text).getAsInteger(10, step.fuel))
      step.kind = Step::trap;
  }
}

Step Replay::readCall(yaml::KeyValueNode &entry) {
  Step call{Step::call, 0, textOf(entry.getKey())};
  if (StringRef name = call.text; name.consume_front("section ")) {
    call = {Step::section, 0, name.str()};
    calls.insert(calls.end(), {HostCall::beginSection, HostCall::endSection});
  } else {
    auto known = find_if(names, [&](const FunctionName &each) { return each.name == call.text; });
    call.id = firstFunctionId + int32_t(known - names.begin());
    if (known == names.end())
      names.push_back({call.id, call.text});
  }
  readSteps(entry.getValue(), call.steps);
  return call;
}

Expected<std::unique_ptr<Replay>> Replay::read(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return fileError(path, file.getError());
  SourceMgr sources;
  std::optional<SMDiagnostic> problem;
  auto keep = [](const SMDiagnostic &diagnostic, void *kept) {
    *static_cast<std::optional<SMDiagnostic> *>(kept) = diagnostic;
  };
  sources.setDiagHandler(keep, &problem);
  yaml::Stream stream((*file)->getMemBufferRef(), sources);
  auto replay = std::make_unique<Replay>();
  if (auto *root = dyn_cast_or_null<yaml::MappingNode>(stream.begin()->getRoot()))
    for (yaml::KeyValueNode &entry : *root) {
      if (textOf(entry.getKey()) == "instrumentation")
        replay->readInstrumentation(stream, entry.getValue());
      else
        replay->exports.push_back(replay->readCall(entry));
    }
  for (const Step &each : replay->exports)
    replay->functions.push_back({each.text, {}});
  if (problem)
    return lineError(path, uint64_t(problem->getLineNo()), problem->getMessage());
  replay->isModule = false;
  replay->id = xxh3_64bits((*file)->getBuffer());
  for (HostCall call : replay->calls)
    replay->add(call);
  return replay;
}

struct ReplayRun : public ProgramRun {
  explicit ReplayRun(const RunRequest &request) : ProgramRun(request, "replay") {}

  Expected<std::unique_ptr<ProgramUnit>> decode(StringRef path, ArrayRef<uint8_t>) override {
    if (!request().links.empty())
      return makeError("engine replay has no --link");
    auto replay = Replay::read(path);
    if (!replay)
      return replay.takeError();
    unit_ = replay->get();
    return std::move(*replay);
  }
  void call(const ExportedFunction &function, ArrayRef<uint64_t>,
            MutableArrayRef<uint64_t>) override {
    replay(*find_if(unit_->exports, [&](const Step &each) { return each.text == function.name; }));
  }

  void enterOrLeave(const Step &step, bool enters) {
    int32_t id = enters ? step.id : -step.id;
    if (step.kind == Step::section)
      enters ? beginSection(*unit_, arrayRefFromStringRef(step.text)) : endSection(*unit_);
    else if (unit_->traces)
      unit_->countsFuel ? tracePointFuel(*unit_, id, unit_->fuel) : tracePoint(*unit_, id);
    if (step.kind == Step::call && unit_->keepsStack)
      enterFrame(*unit_, id);
  }
  void replay(const Step &step) {
    for (uint64_t last = unit_->fuel + step.fuel; unit_->fuel < last; ++unit_->fuel)
      if (unit_->samples && unit_->fuel >= unit_->nextSample)
        unit_->nextSample = sample(*unit_, unit_->fuel).value_or(UINT64_MAX);
    if (step.kind == Step::trap)
      return end(step.text); // which leaves calls open
    if (step.kind == Step::burn)
      return;
    enterOrLeave(step, /*enters=*/true);
    for (const Step &each : step.steps)
      if (!hasEnded())
        replay(each);
    if (!hasEnded())
      enterOrLeave(step, /*enters=*/false);
  }

  Replay *unit_ = nullptr;
};

class ReplayEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override { return ReplayRun(request).run(); }
  bool provides(HostCall) const override { return true; }
  Expected<std::optional<std::vector<HostCall>>> hostCallsOf(StringRef path) const override {
    auto replay = Replay::read(path);
    if (!replay)
      return replay.takeError();
    return (*replay)->calls;
  }
};

warpo::Registry<Engine>::Add<ReplayEngine> registration("replay", "calls that a YAML file lists");

} // namespace

WARPO_PLUGIN("replay-calls", "1.0")
