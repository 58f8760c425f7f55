//===- HostCalls.h - What the modules of a program ask of their host ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ENGINE_HOSTCALLS_H
#define WARPO_ENGINE_HOSTCALLS_H

#include "warpo/Engine/Engine.h"
#include "warpo/Wasm/Artifact.h"

namespace warpo {

/// The host calls of all modules of a program, read from the modules before they run.
class ProgramHostCalls {
public:
  /// A module of the program: where it lies, and what to call it in messages.
  struct ModuleFile {
    std::string path, shown;
  };

  /// A module that cannot be read asks for nothing: the engine says what is wrong with it. An error
  /// if the modules count fuel by different costs, or one has a damaged list of artifacts.
  static llvm::Expected<ProgramHostCalls> read(llvm::ArrayRef<ModuleFile> modules,
                                               const Engine &engine);

  /// The first module, by its name for messages, that asks for a call; nothing if none does.
  std::optional<llvm::StringRef> askedBy(wasm::HostCall call) const;

  /// The first that asks for anything but sections, or holds artifacts: that was instrumented.
  std::optional<llvm::StringRef> instrumentedModule() const;

  /// The first that asks for samples.
  std::optional<llvm::StringRef> sampledModule() const;

  /// The first whose samples are due by time: it counts no fuel.
  std::optional<llvm::StringRef> timedModule() const { return sampledByTime_; }

  /// Whether a module gives anything to be recorded.
  bool isRecorded() const;

  struct ModuleArtifact {
    wasm::Artifact artifact;
    /// Its module's name for messages.
    std::string module;
  };
  /// What modules hold for their host; without the records of those with trace points, which say
  /// the same.
  llvm::ArrayRef<ModuleArtifact> artifacts() const { return artifacts_; }

  /// The first module whose heap events have the engine's stacks.
  const std::optional<std::string> &heapWithoutStack() const { return heapWithoutStack_; }

  /// What the costs are called by which they count fuel; empty for the usual ones.
  const std::string &fuelCosts() const { return fuelCosts_; }

  /// An error if the engine lacks what a module asks for. `name` is the engine's.
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
  /// The first sampled modules that tell their stacks, and that leave them to the engine.
  std::optional<std::string> sampledWithStack_, sampledWithoutStack_, sampledByTime_,
      heapWithoutStack_;
  /// Whether a module counts fuel.
  bool countsFuel_ = false;
  std::string fuelCosts_;
};

} // namespace warpo

#endif
