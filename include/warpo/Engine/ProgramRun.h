//===- ProgramRun.h - One run of a program in this process, recorded ------===//
// SPDX-License-Identifier: Apache-2.0
//
// What engines that run programs in this process derive from. run() loads the units of the program,
// opens the record, lets the engine start them and call the program's function, and says how it
// ended. The engine passes on what units call of their host, and the rest is done here: streams,
// samples, sections, phases, open calls, fuel totals, the stack of a guest.
//
//   class MyRun : public ProgramRun {
//     llvm::Error link(ProgramUnit &unit) override;  // imports
//     void start(ProgramUnit &unit) override;        // an instance, its start function
//     void call(const ExportedFunction &function, ...) override;
//   };
//
// examples/plugins/ReplayCalls.cpp is a whole engine.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ENGINE_PROGRAMRUN_H
#define WARPO_ENGINE_PROGRAMRUN_H

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Engine/ProgramUnit.h"
#include <chrono>
#include <functional>

namespace warpo {

class CountedPart;
class EngineSamples;
class GuestReading;
class HeapLog;
class PhaseLog;
class RecordSession;
class Sampler;

/// How a host function ends a program.
struct GuestEnd {
  /// The exit code that the program asked for; nothing if the host gave up.
  std::optional<int> exitCode;
  /// Why it gave up.
  std::string message;
};

/// The open calls of a program, where its engine compiles what follows them into its code.
class CompiledCalls {
public:
  virtual ~CompiledCalls();
  virtual std::vector<OpenCall> innermostFirst() const = 0;
  /// As OpenCalls::stackWithout.
  virtual uint64_t stackWithout(size_t leftOut,
                                llvm::function_ref<uint64_t(uint64_t, const OpenCall &)> child) = 0;
  /// A call that the code itself has not followed: a section, or one that resumeCalls() finds.
  virtual void push(const ProgramUnit &unit, int32_t id) = 0;
  /// Pops the innermost call if it is a section of this unit; else false.
  virtual bool popSection(const ProgramUnit &unit) = 0;
};

class ProgramRun {
public:
  /// `engine` is the engine's name, for results and messages. With `calls`, which must outlive
  /// this, nothing else follows calls.
  ProgramRun(const RunRequest &request, llvm::StringRef engine, CompiledCalls *calls = nullptr);
  ProgramRun(const ProgramRun &) = delete;
  ProgramRun &operator=(const ProgramRun &) = delete;
  virtual ~ProgramRun();

  /// Runs the program, once.
  llvm::Expected<RunResult> run();

protected:
  // What engines do differently, in the order of the calls.

  /// Makes a unit of a file's bytes, which it may check. The modules to link come first, the
  /// program itself last.
  virtual llvm::Expected<std::unique_ptr<ProgramUnit>> decode(llvm::StringRef path,
                                                              llvm::ArrayRef<uint8_t> bytes);
  /// What else must be done before any code runs.
  virtual llvm::Error prepare();
  /// Calls `work`, on whatever thread the program is to run: once to run the program, and then once
  /// more to fetch what its instances hold for their host.
  virtual llvm::Error execute(llvm::function_ref<llvm::Error()> work);
  /// Finds the imports of a unit. All units before it have started.
  virtual llvm::Error link(ProgramUnit &unit);
  /// Makes the instance of a unit and calls its start function and `_initialize`.
  virtual void start(ProgramUnit &unit);
  /// The instance of a unit, as readers of guest stacks see it, and what fetches its artifacts.
  /// Null if there is none yet, or it cannot be seen so.
  virtual StoppedInstance *stopped(ProgramUnit &unit);
  /// Calls one of the functions of app(), arguments and results as bits. Where it does not return,
  /// whoever notices that calls end().
  virtual void call(const ExportedFunction &function, llvm::ArrayRef<uint64_t> arguments,
                    llvm::MutableArrayRef<uint64_t> results) = 0;

  // What engines call.

  const RunRequest &request() const { return request_; }
  llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units() const { return units_; }
  /// The program itself.
  ProgramUnit &app() const { return *units_.back(); }
  /// Opens the record, if a unit has something to record: then it is known where units record,
  /// their `events` and `stack`. This is done as late as it can be where the engine does not ask
  /// for it: a program that cannot run leaves the record of an earlier run as it is. `samplePoints`
  /// are the `sampleDue` counters of all instances, if another thread may store into them when a
  /// sample is due by time; without them, instances ask more often.
  llvm::Error openRecord(llvm::ArrayRef<uint64_t *> samplePoints = {});
  /// The word, a counter `recording` of an instance or a copy of it, becomes odd where recording is
  /// switched off, and even where it is switched on; it may be set again. Another thread stores
  /// into it until the program has ended. Before it switches on, it calls `beforeOn`, if that is
  /// given. Without a record nothing happens.
  void followSwitch(uint64_t *recording, std::function<void()> beforeOn = {});
  /// To be called where the first function begins after recording has been switched on, before that
  /// is recorded. The stack is that of Trap, with this call. Records the calls of units with a
  /// counter `recording` that have begun while recording was off and are open still, as beginning
  /// now.
  void resumeCalls(llvm::ArrayRef<TrapFrame> stack);
  /// Whether a reader of a guest's stack runs: nothing that units call counts.
  bool isQuiet() const { return isQuiet_; }
  /// A phase of the host, in which so much was done; without a unit it is fuel that is counted, if
  /// the program counts it. The names and the unit must live on.
  void beginPhase(const char *name);
  void endPhase();
  void endPhase(const char *unit, uint64_t ticks);
  /// The program has ended without returning: by hostEnd_ if that is set, else by a trap.
  /// The stack is that of Trap; empty: it is not known.
  void end(llvm::StringRef trapMessage, std::vector<TrapFrame> stack = {});
  bool hasEnded() const { return hasEnded_; }
  /// Takes the samples of an engine that samples programs as they are, once the record is open;
  /// null if this run is not sampled so.
  EngineSamples *engineSamples() const { return engineSamples_.get(); }

  // What units call of their host. The fuel is what the unit's instance has burnt.

  void tracePoint(const ProgramUnit &unit, int32_t id) {
    if (isQuiet_)
      return;
    unit.record(id);
    follow(unit, id);
  }
  void tracePointFuel(const ProgramUnit &unit, int32_t id, uint64_t fuel) {
    if (isQuiet_)
      return;
    unit.record(id, fuel, request_.record.onlyFuel);
    follow(unit, id);
  }
  /// With minus the id, a function is left.
  void enterFrame(const ProgramUnit &unit, int32_t id) {
    if (!isQuiet_)
      calls_.follow(unit.id, id);
  }
  /// `operation` and the rest as docs/instrumented-module.md has them.
  void changeHeap(const ProgramUnit &unit, int32_t operation, double address, double size,
                  double oldAddress);
  /// The fuel at which to ask again; nothing if the call must end with QuietCall::tooMuch.
  std::optional<uint64_t> sample(const ProgramUnit &unit, uint64_t fuel);
  /// Whether a sample is due by time, and the unit should ask as soon as it can.
  bool isSampleOverdue() const;
  /// What gives the open calls, innermost first; empty: they are not known.
  using StackReader = llvm::function_ref<std::vector<TrapFrame>()>;
  /// No name: it does not lie in the unit's memory.
  void beginSection(const ProgramUnit &unit, std::optional<llvm::ArrayRef<uint8_t>> name,
                    StackReader stack = {});
  void endSection(const ProgramUnit &unit, StackReader stack = {});

  // For engines that run modules.

  /// The export of an earlier unit that an import of this one gets: the unit, and its index among
  /// that unit's exports. Null if there is none of that name and kind.
  std::pair<const ProgramUnit *, uint32_t> findLinked(const ProgramUnit &unit,
                                                      const wasm::Import &import) const;
  /// An error that names the imports, if there are any.
  llvm::Error refuseImports(const ProgramUnit &unit,
                            llvm::ArrayRef<const wasm::Import *> missing) const;

  /// Set by a host function that ends the program.
  std::optional<GuestEnd> hostEnd_;

private:
  friend class QuietCall;
  llvm::Error load();
  llvm::Error loadUnit(llvm::StringRef name, llvm::StringRef path, uint64_t place);
  llvm::Error readModule(ProgramUnit &unit, uint64_t place) const;
  llvm::Error decodeUnits();
  llvm::Error checkIdentities() const;
  void findHostCalls(ProgramUnit &unit) const;
  llvm::Error findEntry();
  void openEvents(llvm::ArrayRef<ProgramUnit *> recorded);
  llvm::Error openSamples(const ProgramUnit &unit, llvm::ArrayRef<uint64_t *> points);
  llvm::Error openPlainRecord();
  llvm::Error openHeap(const ProgramUnit &unit);
  /// A number for a memory or a table of a unit, the same in all units that share it; nothing if
  /// too many have one.
  std::optional<uint32_t> numberOf(wasm::ExternalKind kind, const ProgramUnit &unit,
                                   uint32_t index);
  /// Starts all units and calls the function, until the program ends.
  llvm::Error runUnits();
  void fetchArtifacts();
  llvm::Error linkUnit(ProgramUnit &unit);
  void startUnit(ProgramUnit &unit);
  void callEntry();
  void beginRunning(const char *name);
  void endRunning();
  void readCounts(std::optional<std::vector<TrapFrame>> stack);
  void readCountsHere(StackReader stack);
  std::vector<OpenCall> openCalls() const;
  void pushCall(const ProgramUnit &unit, int32_t id);
  bool popSection(const ProgramUnit &unit);
  void closeSections();
  std::optional<uint64_t> totalFuel() const;
  void follow(const ProgramUnit &unit, int32_t id) {
    if (!unit.keepsStack)
      calls_.follow(unit.id, id);
  }

  const RunRequest &request_;
  const std::string engine_;
  std::vector<std::unique_ptr<ProgramUnit>> units_;
  std::unique_ptr<PhaseLog> phases_;
  std::unique_ptr<GuestReading> reading_;
  std::unique_ptr<RecordSession> session_;
  /// If a unit is sampled, once the record is open.
  std::unique_ptr<Sampler> sampler_;
  /// If a unit tells what it does with its heap, once the record is open.
  std::unique_ptr<HeapLog> heapLog_;
  /// If units are to tell what they count in a part of the run.
  std::unique_ptr<CountedPart> countedPart_;
  /// If the engine samples the program as it is, once the record is open.
  std::unique_ptr<EngineSamples> engineSamples_;
  CompiledCalls *const compiledCalls_;
  OpenCalls calls_;
  /// The function to call, and its arguments; nothing if the start function is the program.
  std::optional<ExportedFunction> entry_;
  std::vector<uint64_t> arguments_, results_;
  /// At the beginning of the phase.
  uint64_t fuelBefore_ = 0;
  bool isQuiet_ = false;
  /// Of a QuietCall.
  std::chrono::steady_clock::time_point quietEnd_;
  bool hasEnded_ = false;
  /// The program's stack, if it has ended without returning and its engine knows that.
  std::vector<TrapFrame> stackAtEnd_;
  RunResult result_;
};

/// A call of the program's functions that is not its own, but that of a reader of its guest's
/// stack. While this lives, trace points and sections are not recorded; what instances count is
/// given back at the end. They are not stopped by a limit of fuel but by one of this call's; a unit
/// that counts no fuel, by one of time.
class QuietCall {
public:
  explicit QuietCall(ProgramRun &run);
  QuietCall(const QuietCall &) = delete;
  QuietCall &operator=(const QuietCall &) = delete;
  ~QuietCall();

  /// Why a call ends by sample().
  static llvm::StringLiteral tooMuch(const ProgramUnit &unit) {
    return unit.indexOf(wasm::Counter::fuel) ? llvm::StringLiteral(fuelBurnt)
                                             : llvm::StringLiteral(secondOver);
  }
  /// To be called now and then where no timer lets units ask: they do once the time is over.
  void look();

  /// What the call gives that returned `result`, or trapped with a message.
  llvm::Expected<uint64_t> end(std::optional<std::string> trapMessage, uint64_t result);

private:
  friend class ProgramRun;
  static constexpr uint64_t mostFuel = 4194304;
  static constexpr std::chrono::seconds mostTime{1};
  static constexpr llvm::StringLiteral fuelBurnt = "it has burnt 4194304 units of fuel";
  static constexpr llvm::StringLiteral secondOver = "it has taken a second";
  struct Saved {
    ProgramUnit *unit;
    wasm::Counter counter;
    uint64_t value;
  };
  ProgramRun &run_;
  llvm::SmallVector<Saved, 6> saved_;
};

} // namespace warpo

#endif
