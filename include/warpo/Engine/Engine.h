//===- Engine.h - Runs and records instrumented programs ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ENGINE_ENGINE_H
#define WARPO_ENGINE_ENGINE_H

#include "warpo/Sampling/OpenCalls.h"
#include "warpo/Sampling/SampleClock.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/Registry.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// The destination and form of a record.
struct RecordTarget {
  /// The file to write; empty to write to `descriptor`.
  std::string file;
  /// Written from its current position on and left open; -1: no record is made.
  int descriptor = -1;
  /// The maximum number of items, of all modules together; further ones are only counted.
  std::optional<uint64_t> maxItems;
  /// A record format that the engine writes(): `warp` or `warpo`.
  std::string format = "warpo";
  /// For modules that count fuel: no time is read, and fuel is the record's only clock.
  bool onlyFuel = false;
  /// Whether a module of the program is sampled: an error if the environment requests a kind of
  /// record without samples.
  bool isSampled = false;
  /// The name of the instruction costs by which modules count fuel; empty for the default costs.
  std::string fuelCosts;
  /// Returns names of functions of the module with this id, for formats with names. They replace
  /// the module's own names; functions that are not listed keep theirs.
  std::function<std::vector<FunctionName>(uint64_t)> namesOf;
  /// Called on a separate thread when SIGUSR2 has switched recording on or off. Null: the signal is
  /// not handled.
  std::function<void(bool enabled)> onSwitch;
  /// Called on a separate thread, at most once and while the program runs, with the reason why
  /// nothing more can be written. May be null. Engines with a process of their own report it
  /// themselves.
  std::function<void(const std::string &)> onFailure;

  bool wanted() const { return !file.empty() || descriptor >= 0; }
};

/// A program and how to run it.
struct RunRequest {
  struct Link {
    /// The module name under which the program imports from it.
    std::string name;
    std::string path;
  };
  struct Variable {
    std::string name, value;
  };
  struct Directory {
    std::string host, guest;
  };
  /// Whether the kernel confines the engine's own process: if it can, or not at all. `required`
  /// fails if it cannot.
  enum class Landlock { ifAvailable, required, off };

  std::string app;
  /// The program's own arguments, without its name.
  std::vector<std::string> arguments;
  std::vector<Variable> environment;
  /// The only directories that the program can access; the engine enforces that.
  std::vector<Directory> directories;
  Landlock landlock = Landlock::ifAvailable;
  /// Instantiated before the program, in this order; each can import from those before it.
  std::vector<Link> links;
  /// An ES module with functions that the program imports; may be empty.
  std::string hostImports;
  /// The exported function to call; empty: `_start` or `main`.
  std::string invoke;
  /// Its arguments as text, parsed to the types of its parameters.
  std::vector<std::string> invokeArguments;
  RecordTarget record;
  /// Send the program's standard output to standard error, because the record uses standard output.
  bool outputToStderr = false;
  /// Make clocks and random numbers the same in each run, on each machine and engine.
  bool deterministic = false;
  /// The fuel at which a module ends with a trap, if it checks fuel.
  std::optional<uint64_t> fuelLimit;
  SamplingRequest sampling;
  /// Only fetch what modules count while a section of this name is open, or during the phase
  /// `start` or `run`; empty: from begin to end.
  std::string countsOf;
  /// The registered GuestStack that adds the frames of an interpreted program to samples, or `auto`
  /// for the first that suits a module, or `none`.
  std::string guestStack = "auto";
  /// Called before the program runs if the run will take long, with the reason: a sentence without
  /// a period. May be null.
  std::function<void(const std::string &)> onSlowStart;
};

enum class ValueType { i32, i64, f32, f64, other };

/// A result of the function of RunRequest::invoke: the bits of a number; meaningless for `other`.
struct ResultValue {
  ValueType type;
  uint64_t bits;
};

/// A call of a program's function on the engine's stack.
struct TrapFrame {
  /// The engine's name for the function; empty: it has none.
  std::string name;
  /// The position of its module in RunRequest::links, or behind these for the program itself;
  /// nothing if unknown.
  std::optional<size_t> unit;
  /// Its index in the module.
  uint32_t function = 0;
  /// The offset of the current instruction in the module's file; nothing if unknown.
  std::optional<uint64_t> offset;
};

struct Trap {
  std::string message;
  /// The engine's own stack, innermost first; empty if unknown.
  std::vector<TrapFrame> stack;
  /// The open calls by trace points, innermost first.
  std::vector<OpenCall> openCalls;
};

/// Counts of errors in the sections of a program.
struct SectionFaults {
  uint64_t endsWithoutBegin = 0;
  uint64_t neverEnded = 0;
  /// Errors in names.
  uint64_t notUtf8 = 0, tooLong = 0, outOfBounds = 0, tooMany = 0;
};

/// See wasm::Artifact.
struct FetchedArtifact {
  std::string format, extension, description;
  /// The contents of the file.
  std::string bytes;
};

struct RunResult {
  /// The name of the engine that ran the program.
  std::string engine;
  /// The program's exit code; meaningless after a trap.
  int exitCode = 0;
  /// Sets the exit code to the low byte, which is all that processes keep.
  void exitWith(uint64_t code) { exitCode = int(code & 0xff); }
  std::optional<Trap> trap;
  std::vector<ResultValue> results;
  /// The fuel used by all modules; nothing if none counts fuel or if it is unknown.
  std::optional<uint64_t> fuel;
  /// Whether any of the modules has trace points; otherwise there is no record of events.
  bool instrumented = false;
  /// The artifacts of all instances at the end. Artifacts that are records are omitted if a module
  /// is instrumented otherwise.
  std::vector<FetchedArtifact> artifacts;
  /// Why other artifacts could not be fetched.
  std::vector<std::string> artifactProblems;
  /// The run time of the program itself; nothing if unknown.
  std::optional<uint64_t> runNanoseconds;
  /// Nanoseconds per count of the record's clock, if known.
  std::optional<double> rate;
  uint64_t recorded = 0;
  uint64_t lostToLimit = 0;
  uint64_t lostToFailure = 0;
  uint64_t lostToBuffer = 0;
  /// Entries with an id that no function has.
  uint64_t meaningless = 0;
  SectionFaults sections;
  /// The cause of lostToFailure; empty if nothing went wrong.
  std::string recordError;
  /// Messages for the user about missing or wrong parts of the record.
  std::vector<std::string> problems;
};

/// Runs programs. An error means that the program was not run, or that its end is unknown; a trap
/// is a result. In any case, everything recorded has been written when run() returns.
class Engine {
public:
  static constexpr llvm::StringLiteral kind = "engine";
  virtual ~Engine();

  virtual llvm::Expected<RunResult> run(const RunRequest &request) = 0;

  /// Whether the engine provides this host call. Defaults to trace points, for engines written
  /// before there were others.
  virtual bool provides(wasm::HostCall call) const { return call == wasm::HostCall::tracePoint; }
  /// The host calls of a program file, if the engine runs files other than modules. Nothing: the
  /// file is a module, whose imports say that.
  virtual llvm::Expected<std::optional<std::vector<wasm::HostCall>>>
  hostCallsOf(llvm::StringRef path) const;
  /// Whether it writes records of this format, `warp` or `warpo`. Tools convert the one into the
  /// other.
  virtual bool writes(llvm::StringRef format) const { return true; }
  /// Whether it provides stacks for a module's samples. Otherwise the module must report its own
  /// frames.
  virtual bool hasStacks() const { return false; }
  /// Whether it has a timer for samples of modules that do not count fuel.
  virtual bool hasTimer() const { return false; }
  /// If the user does not choose an engine, the available one with the highest value is used.
  virtual unsigned preference() const { return 0; }
  /// The same for sampling uninstrumented programs (SamplingRequest::byEngine); 0: it cannot.
  virtual unsigned samplerPreference() const { return 0; }
  /// Whether this machine has everything that the engine needs.
  virtual bool isAvailable() const { return true; }
};

} // namespace warpo

#endif
