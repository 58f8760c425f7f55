//===- Engine.h - What runs an instrumented program and records it --------===//
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

/// Where the record goes, and how it is written.
struct RecordTarget {
  /// The file to write; empty to write to `descriptor`.
  std::string file;
  /// Written from where it stands and left open; -1: no record is made.
  int descriptor = -1;
  /// Records kept, of all modules together; the rest is counted.
  std::optional<uint64_t> maxItems;
  /// A name of the record formats, `warp` or `warpo`: one that the engine writes().
  std::string format = "warpo";
  /// Of modules that count fuel: no time is read, and fuel is the record's only clock.
  bool onlyFuel = false;
  /// A module of the program is sampled: refused where the environment asks for a record that has
  /// no place for samples.
  bool isSampled = false;
  /// What the costs of instructions are called that modules count fuel by; empty for the usual
  /// ones.
  std::string fuelCosts;
  /// Names of a module's functions, by its id, for formats that hold names. They replace the
  /// module's own; functions that are not listed keep theirs.
  std::function<std::vector<FunctionName>(uint64_t)> namesOf;
  /// Called by a thread of its own when SIGUSR2 has switched recording on or off; none: the signal
  /// is left alone.
  std::function<void(bool enabled)> onSwitch;

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
  /// Whether the kernel confines an engine's own process: where it can, or not at all; `required`
  /// is an error where it cannot.
  enum class Landlock { ifAvailable, required, off };

  std::string app;
  /// The program's own arguments, without its name.
  std::vector<std::string> arguments;
  std::vector<Variable> environment;
  /// All that the program can reach of the file system: the engine keeps it in there.
  std::vector<Directory> directories;
  Landlock landlock = Landlock::ifAvailable;
  /// Instantiated before the program, in this order; each sees those before it.
  std::vector<Link> links;
  /// An ES module with the program's own imports; empty: none.
  std::string hostImports;
  /// The exported function to call in place of `_start` or `main`; empty: those.
  std::string invoke;
  /// Its arguments as text, parsed to the types of its parameters.
  std::vector<std::string> invokeArguments;
  RecordTarget record;
  /// The program's standard output goes to standard error: the record has the former.
  bool outputToStderr = false;
  /// Clocks and random numbers are the same in each run, on each machine and engine.
  bool deterministic = false;
  /// What each module may count until it is ended with a trap, as far as it checks that.
  std::optional<uint64_t> fuelLimit;
  SamplingRequest sampling;
  /// Modules tell only what they count while a section of this name is open, or the phase `start`
  /// or `run`; empty: from their beginning to their end.
  std::string countsOf;
  /// Who reads the stack of a program that this one interprets, for its samples: a name of the
  /// guest stacks, or `auto` for the first that suits a module, or `none`.
  std::string guestStack = "auto";
  /// Told, before the program runs, why it will take long: a sentence without a period. None: it is
  /// not said.
  std::function<void(const std::string &)> onSlowStart;
};

enum class ValueType { i32, i64, f32, f64, other };

/// A result of the function of RunRequest::invoke: the bits of the number, or nothing of another.
struct ResultValue {
  ValueType type;
  uint64_t bits;
};

/// A call of a program's function, on the stack of the engine.
struct TrapFrame {
  /// As the engine calls the function; empty: it has no name for it.
  std::string name;
  /// The place of its module among RunRequest::links, or behind them of the program itself; nothing
  /// if the engine does not say.
  std::optional<size_t> unit;
  /// Its index in the module.
  uint32_t function = 0;
  /// Where in the module's file the instruction begins that it was at; nothing if that is unknown.
  std::optional<uint64_t> offset;
};

struct Trap {
  std::string message;
  /// The engine's own stack, innermost first; empty if it has none to give.
  std::vector<TrapFrame> stack;
  /// By the trace points, innermost first.
  std::vector<OpenCall> openCalls;
};

/// What was wrong with the sections of a program: how often.
struct SectionFaults {
  uint64_t endsWithoutBegin = 0;
  uint64_t neverEnded = 0;
  /// Names.
  uint64_t notUtf8 = 0, tooLong = 0, outOfBounds = 0, tooMany = 0;
};

/// See wasm::Artifact.
struct FetchedArtifact {
  std::string format, extension, description;
  /// The file's, of this instance.
  std::string bytes;
};

struct RunResult {
  /// The engine that ran the program.
  std::string engine;
  /// The program's own; not meaningful after a trap.
  int exitCode = 0;
  /// Of which a process keeps the low byte.
  void exitWith(uint64_t code) { exitCode = int(code & 0xff); }
  std::optional<Trap> trap;
  std::vector<ResultValue> results;
  /// The fuel of all modules; nothing if none of them counts fuel, or if it is unknown.
  std::optional<uint64_t> fuel;
  /// Whether any of the modules has trace points: else there is no record of events.
  bool instrumented = false;
  /// What instances held at the end for their host. Records among them only if no module is
  /// instrumented otherwise.
  std::vector<FetchedArtifact> artifacts;
  /// Why others could not be fetched.
  std::vector<std::string> artifactProblems;
  /// What the program itself ran for; nothing if the engine does not say.
  std::optional<uint64_t> runNanoseconds;
  /// Nanoseconds a count of the record's clock, if the engine knows it.
  std::optional<double> rate;
  uint64_t recorded = 0;
  uint64_t lostToLimit = 0;
  uint64_t lostToFailure = 0;
  uint64_t lostToBuffer = 0;
  /// Had an id that no function has.
  uint64_t meaningless = 0;
  SectionFaults sections;
  /// Why records were lost to a failure; empty if nothing went wrong.
  std::string recordError;
  /// What is missing or wrong in the record, for the user to read.
  std::vector<std::string> problems;
};

/// Runs programs. An error means that the program was not run, or that how it ended is not known; a
/// trap is a result. Whatever happened, what was recorded until then has been written when run()
/// returns.
class Engine {
public:
  static constexpr llvm::StringLiteral kind = "engine";
  virtual ~Engine();

  virtual llvm::Expected<RunResult> run(const RunRequest &request) = 0;

  /// Whether programs find this function of the host. An engine that was made before there were
  /// others knows trace points.
  virtual bool provides(wasm::HostCall call) const { return call == wasm::HostCall::tracePoint; }
  /// The host calls that a file of a program makes, where the engine runs what is no module;
  /// nothing: it is a module, and imports them.
  virtual llvm::Expected<std::optional<std::vector<wasm::HostCall>>>
  hostCallsOf(llvm::StringRef path) const;
  /// Whether it writes records of this format, `warp` or `warpo`. Of what it writes tools make the
  /// other.
  virtual bool writes(llvm::StringRef format) const { return true; }
  /// Whether it has the stacks of programs for their samples: else these must keep one by
  /// themselves.
  virtual bool hasStacks() const { return false; }
  /// Whether it lets modules that count no fuel ask for samples, where a time has come.
  virtual bool hasTimer() const { return false; }
  /// Which engine to take when none is chosen: the highest that isAvailable().
  virtual unsigned preference() const { return 0; }
  /// The same for a program that the engine is to sample by itself, as it is
  /// (SamplingRequest::byEngine); 0: it cannot.
  virtual unsigned samplerPreference() const { return 0; }
  /// Whether what the engine needs is on this machine.
  virtual bool isAvailable() const { return true; }
};

} // namespace warpo

#endif
