//===- HostCalls.h - Host calls of a program's modules --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ENGINE_HOSTCALLS_H
#define WARPO_ENGINE_HOSTCALLS_H

#include "warpo/Engine/Engine.h"
#include "warpo/Wasm/Artifact.h"

namespace warpo {

/// The host calls of all modules of a program, read from the modules before they run.
class ProgramHostCalls {
public:
  /// A module of the program: its path, and its name in messages.
  struct ModuleFile {
    std::string path, shown;
  };

  /// Ignores modules that cannot be read, as the engine reports these. Fails if modules count fuel
  /// by different costs, or if one has a damaged list of artifacts.
  static llvm::Expected<ProgramHostCalls> read(llvm::ArrayRef<ModuleFile> modules,
                                               const Engine &engine);

  /// The first module that makes a host call, by its name for messages; nothing if none does.
  std::optional<llvm::StringRef> askedBy(wasm::HostCall call) const;

  /// The first instrumented module: one with host calls other than sections, or with artifacts.
  std::optional<llvm::StringRef> instrumentedModule() const;

  /// The first sampled module.
  std::optional<llvm::StringRef> sampledModule() const;

  /// The first module whose samples are due by time, as it does not count fuel.
  std::optional<llvm::StringRef> timedModule() const { return sampledByTime_; }

  /// Whether any module has something to record.
  bool isRecorded() const;

  struct ModuleArtifact {
    wasm::Artifact artifact;
    /// The name of its module for messages.
    std::string module;
  };
  /// The artifacts of all modules. Excludes records of modules with trace points, which record the
  /// same.
  llvm::ArrayRef<ModuleArtifact> artifacts() const { return artifacts_; }

  /// The first module whose heap events need the engine's stacks.
  const std::optional<std::string> &heapWithoutStack() const { return heapWithoutStack_; }

  /// The name of the costs by which modules count fuel; empty for the default costs.
  const std::string &fuelCosts() const { return fuelCosts_; }

  /// Fails if the engine lacks something that a module needs. `name` is the engine's name.
  llvm::Error check(const Engine &engine, llvm::StringRef name) const;

private:
  struct Ask {
    wasm::HostCall call;
    std::string module;
  };
  void add(llvm::ArrayRef<wasm::HostCall> calls, const std::string &shown);
  llvm::Error add(const ModuleFile &file);

  std::vector<Ask> asks_;
  std::vector<ModuleArtifact> artifacts_;
  /// The first sampled modules that report their stacks, that need the engine's stacks, and that
  /// count no fuel; and the first with heap events without stacks.
  std::optional<std::string> sampledWithStack_, sampledWithoutStack_, sampledByTime_,
      heapWithoutStack_;
  bool countsFuel_ = false;
  std::string fuelCosts_;
};

} // namespace warpo

#endif
