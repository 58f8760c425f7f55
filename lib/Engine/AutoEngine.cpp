//===- AutoEngine.cpp - The best engine that this machine has -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/Engine.h"
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
    auto best = find(name, request.sampling.byEngine);
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
  bool hasTimer() const override {
    return asked([](const Engine &engine) { return engine.hasTimer(); });
  }
  Expected<std::optional<std::vector<wasm::HostCall>>> hostCallsOf(StringRef path) const override {
    std::string name;
    auto best = find(name);
    if (!best)
      return best.takeError();
    return (*best)->hostCallsOf(path);
  }
  unsigned samplerPreference() const override {
    std::string name;
    auto best = find(name, /*mustSample=*/true);
    if (best)
      return (*best)->samplerPreference();
    consumeError(best.takeError());
    return 0;
  }

private:
  static bool asked(function_ref<bool(const Engine &)> question) {
    std::string name;
    auto best = find(name);
    if (best)
      return question(**best);
    // Which run() says.
    consumeError(best.takeError());
    return true;
  }
  /// `mustSample`: one that samples programs as they are goes before all others.
  static Expected<std::unique_ptr<Engine>> find(std::string &bestName, bool mustSample = false) {
    auto worth = [mustSample](const Engine &engine) {
      return std::pair(mustSample ? engine.samplerPreference() : 0, engine.preference());
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
      if (!(*engine)->isAvailable() || (best && worth(**engine) <= worth(*best)))
        continue;
      best = std::move(*engine);
      bestName = entry.name.str();
    }
    if (!best)
      return makeError("no engine is available on this machine");
    return best;
  }
};

warpo::Registry<Engine>::Add<AutoEngine> registration(ownName,
                                                      "node where it is installed, else interp; "
                                                      "with --sample native before interp");

} // namespace
