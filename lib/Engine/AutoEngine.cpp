//===- AutoEngine.cpp - The best engine available -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/HostCalls.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral ownName = "auto";
constexpr StringLiteral interpreter = "interp";

class AutoEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    std::string name;
    auto best = find(name, {request.sampling.byEngine, isTimed(request)});
    if (!best)
      return best.takeError();
    if (name == interpreter && request.onSlowStart)
      request.onSlowStart(
          "without Node the interpreter runs the program, tens of times slower than "
          "--engine=native, which compiles it first and needs wasm2c and a C "
          "compiler");
    auto result = (*best)->run(request);
    if (result)
      result->engine = name;
    return result;
  }

  bool provides(wasm::HostCall call) const override {
    return asked([call](const Engine &engine) { return engine.provides(call); });
  }
  bool writes(StringRef format) const override {
    return asked([format](const Engine &engine) { return engine.writes(format); });
  }
  bool hasStacks() const override {
    return asked([](const Engine &engine) { return engine.hasStacks(); });
  }
  // If any engine has a timer, that one is chosen.
  bool hasTimer() const override {
    std::string name;
    auto best = find(name, {.mustTime = true});
    if (best)
      return true;
    consumeError(best.takeError());
    return false;
  }
  Expected<std::optional<std::vector<wasm::HostCall>>> hostCallsOf(StringRef path) const override {
    std::string name;
    auto best = find(name, {});
    if (!best)
      return best.takeError();
    return (*best)->hostCallsOf(path);
  }
  unsigned samplerPreference() const override {
    std::string name;
    auto best = find(name, {.mustSample = true});
    if (best)
      return (*best)->samplerPreference();
    consumeError(best.takeError());
    return 0;
  }

private:
  struct Wanted {
    /// Prefer engines that sample uninstrumented programs.
    bool mustSample = false;
    /// Require a timer.
    bool mustTime = false;
  };

  /// Whether the program's samples are due by time. The engine will report modules that cannot be
  /// read.
  bool isTimed(const RunRequest &request) const {
    std::vector<ProgramHostCalls::ModuleFile> files = {{request.app, request.app}};
    for (const RunRequest::Link &link : request.links)
      files.push_back({link.path, link.path});
    auto calls = ProgramHostCalls::read(files, *this);
    if (calls)
      return calls->timedModule().has_value();
    consumeError(calls.takeError());
    return false;
  }

  static bool asked(function_ref<bool(const Engine &)> question) {
    std::string name;
    auto best = find(name, {});
    if (best)
      return question(**best);
    // run() reports the error.
    consumeError(best.takeError());
    return true;
  }
  static Expected<std::unique_ptr<Engine>> find(std::string &bestName, const Wanted &wanted) {
    auto worth = [&wanted](const Engine &engine) {
      return std::pair(wanted.mustSample ? engine.samplerPreference() : 0, engine.preference());
    };
    auto known = warpo::Registry<Engine>::entries();
    if (!known)
      return known.takeError();
    std::unique_ptr<Engine> best;
    for (const RegistryEntryInfo &entry : *known) {
      if (entry.name == ownName)
        continue;
      auto engine = warpo::Registry<Engine>::create(entry.name);
      if (!engine)
        return engine.takeError();
      if (!(*engine)->isAvailable() || (wanted.mustTime && !(*engine)->hasTimer()) ||
          (best && worth(**engine) <= worth(*best)))
        continue;
      best = std::move(*engine);
      bestName = entry.name.str();
    }
    if (!best)
      return makeError("no engine is available on this machine");
    return best;
  }
};

warpo::Registry<Engine>::Add<AutoEngine>
    registration(ownName, "node if installed, else interp; with --sample, native before interp");

} // namespace
