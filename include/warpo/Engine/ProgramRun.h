//===- ProgramRun.h - One recorded run in this process --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The base of engines that run programs in this process. run() loads the units of the program,
// opens the record, lets the engine start the units and call the program's function, and returns
// the result. The engine passes on host calls of units. The rest is done here: streams, samples,
// sections, phases, open calls, fuel totals, and the stack of a guest.
//
//   class MyRun : public ProgramRun {
//     llvm::Error link(ProgramUnit &unit) override;  // imports
//     void start(ProgramUnit &unit) override;        // an instance, its start function
//     void call(const ExportedFunction &function, ...) override;
//   };
//
// examples/plugins/ReplayCalls.cpp is a complete engine.
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

/// The end of a program by a host function.
struct GuestEnd {
  /// The exit code requested by the program; nothing if the host gave up.
  std::optional<int> exitCode;
  /// Why the host gave up.
  std::string message;
};

/// The open calls of a program whose engine compiles their tracking into the code.
class CompiledCalls {
public:
  virtual ~CompiledCalls();
  virtual std::vector<OpenCall> innermostFirst() const = 0;
  /// Like OpenCalls::stackWithout.
  virtual uint64_t stackWithout(size_t leftOut,
                                llvm::function_ref<uint64_t(uint64_t, const OpenCall &)> child) = 0;
  /// Adds a call that the code itself does not track: a section, or a call found by resumeCalls().
  virtual void push(const ProgramUnit &unit, int32_t id) = 0;
  /// Pops the innermost call if it is a section of this unit; otherwise returns false.
  virtual bool popSection(const ProgramUnit &unit) = 0;
};

class ProgramRun {
public:
  /// `engine` is the engine's name, for results and messages. `calls`, if given, is the only
  /// tracking of calls and must outlive this.
  ProgramRun(const RunRequest &request, llvm::StringRef engine, CompiledCalls *calls = nullptr);
  ProgramRun(const ProgramRun &) = delete;
  ProgramRun &operator=(const ProgramRun &) = delete;
  virtual ~ProgramRun();

  /// Runs the program. To be called once.
  llvm::Expected<RunResult> run();

protected:
  // Overridden by engines, in the order of the calls.

  /// Makes a unit from the bytes of a file, which it may check. Called for the modules to link,
  /// then for the program itself.
  virtual llvm::Expected<std::unique_ptr<ProgramUnit>> decode(llvm::StringRef path,
                                                              llvm::ArrayRef<uint8_t> bytes);
  /// Further preparations before any code runs.
  virtual llvm::Error prepare();
  /// Calls `work` on the thread on which the program is to run: once to run the program, and once
  /// more to fetch artifacts.
  virtual llvm::Error execute(llvm::function_ref<llvm::Error()> work);
  /// Resolves the imports of a unit. All units before it have started.
  virtual llvm::Error link(ProgramUnit &unit);
  /// Creates the instance of a unit and calls its start function and `_initialize`.
  virtual void start(ProgramUnit &unit);
  /// The instance of a unit for reading guest stacks and fetching artifacts. Null if there is none
  /// yet, or if the engine does not support that.
  virtual StoppedInstance *stopped(ProgramUnit &unit);
  /// Calls one of the functions of app(), with arguments and results as bits. If it does not
  /// return, the engine has to call end().
  virtual void call(const ExportedFunction &function, llvm::ArrayRef<uint64_t> arguments,
                    llvm::MutableArrayRef<uint64_t> results) = 0;

  // Called by engines.

  const RunRequest &request() const { return request_; }
  llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units() const { return units_; }
  /// The program itself.
  ProgramUnit &app() const { return *units_.back(); }
  /// Opens the record, if a unit has something to record, and sets `events` and `stack` of the
  /// units. If the engine does not call this, it happens as late as possible, so that a program
  /// that cannot run does not overwrite the record of an earlier run. `samplePoints` are the
  /// `sampleDue` counters of all instances, if another thread may store into them when a sample is
  /// due by time; without them, instances ask more often.
  llvm::Error openRecord(llvm::ArrayRef<uint64_t *> samplePoints = {});
  /// Makes `recording`, a counter of an instance or a copy of it, odd while recording is off and
  /// even while it is on. May be called again for the same word. Another thread stores into the
  /// word until the program has ended. Before it switches recording on, it calls `beforeOn`, if
  /// given. Does nothing without a record.
  void followSwitch(uint64_t *recording, std::function<void()> beforeOn = {});
  /// To be called when the first function begins after recording was switched on, before this is
  /// recorded. `stack` is as in Trap and includes this call. Records open calls of units with a
  /// counter `recording` that began while recording was off, as beginning now.
  void resumeCalls(llvm::ArrayRef<TrapFrame> stack);
  /// Whether host calls of units are to be ignored: during a GuestCallback, or if the program is
  /// sampled uninstrumented.
  bool ignoresEvents() const { return ignoresEvents_; }
  /// Begin and end a phase of the host, with the amount of work done; without `unit` that is fuel,
  /// if the program counts it. The names and the unit must outlive this.
  void beginPhase(const char *name);
  void endPhase();
  void endPhase(const char *unit, uint64_t ticks);
  /// To be called when the program has ended without returning: by hostEnd_ if that is set,
  /// otherwise by a trap. `stack` is as in Trap; empty if unknown.
  void end(llvm::StringRef trapMessage, std::vector<TrapFrame> stack = {});
  bool hasEnded() const { return hasEnded_; }
  /// Receives the samples of an engine that samples uninstrumented programs, once the record is
  /// open. Null if this run is not sampled that way.
  EngineSamples *engineSamples() const { return engineSamples_.get(); }

  // The host calls of units. `fuel` is the fuel that the unit's instance has used.

  void tracePoint(const ProgramUnit &unit, int32_t id) {
    if (ignoresEvents_)
      return;
    unit.record(id);
    follow(unit, id);
  }
  void tracePointFuel(const ProgramUnit &unit, int32_t id, uint64_t fuel) {
    if (ignoresEvents_)
      return;
    unit.record(id, fuel, request_.record.onlyFuel);
    follow(unit, id);
  }
  /// With minus the id, the function is left.
  void enterFrame(const ProgramUnit &unit, int32_t id) {
    if (!ignoresEvents_)
      calls_.follow(unit.id, id);
  }
  /// The parameters are those of docs/instrumented-module.md.
  void changeHeap(const ProgramUnit &unit, int32_t operation, double address, double size,
                  double oldAddress);
  /// Returns the fuel at which to ask again; nothing if the call must end with
  /// GuestCallback::tooMuch.
  std::optional<uint64_t> sample(const ProgramUnit &unit, uint64_t fuel);
  /// Whether a sample is due by time, so that the unit should ask as soon as possible.
  bool isSampleOverdue() const;
  /// Returns the open calls, innermost first; empty if unknown.
  using StackReader = llvm::function_ref<std::vector<TrapFrame>()>;
  /// `name` is nothing if it is not within the unit's memory.
  void beginSection(const ProgramUnit &unit, std::optional<llvm::ArrayRef<uint8_t>> name,
                    StackReader stack = {});
  void endSection(const ProgramUnit &unit, StackReader stack = {});

  // For engines that run modules.

  /// Finds the export of an earlier unit for an import of this one: that unit, and the index among
  /// its exports. Null if there is none of that name and kind.
  std::pair<const ProgramUnit *, uint32_t> findLinked(const ProgramUnit &unit,
                                                      const wasm::Import &import) const;
  /// Fails with the names of missing imports, if there are any.
  llvm::Error refuseImports(const ProgramUnit &unit,
                            llvm::ArrayRef<const wasm::Import *> missing) const;

  /// Set by a host function that ends the program.
  std::optional<GuestEnd> hostEnd_;

private:
  friend class GuestCallback;
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
  /// The number of a memory or table of a unit, which is the same in all units that share it.
  /// Nothing if there are too many.
  std::optional<uint32_t> numberOf(wasm::ExternalKind kind, const ProgramUnit &unit,
                                   uint32_t index);
  /// Starts all units and calls the entry function, unless the program ends before.
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
  /// Set if a unit is sampled, once the record is open.
  std::unique_ptr<Sampler> sampler_;
  /// Set if a unit reports its heap, once the record is open.
  std::unique_ptr<HeapLog> heapLog_;
  /// Set if only the counts of a part of the run are fetched.
  std::unique_ptr<CountedPart> countedPart_;
  /// Set if the engine samples the uninstrumented program, once the record is open.
  std::unique_ptr<EngineSamples> engineSamples_;
  CompiledCalls *const compiledCalls_;
  OpenCalls calls_;
  /// The function to call; nothing if the start function is the whole program.
  std::optional<ExportedFunction> entry_;
  std::vector<uint64_t> arguments_, results_;
  /// At the begin of the phase.
  uint64_t fuelBefore_ = 0;
  bool ignoresEvents_ = false;
  /// The deadline of a GuestCallback.
  std::chrono::steady_clock::time_point callbackEnd_;
  bool hasEnded_ = false;
  /// The program's stack, if it has ended without returning and the stack is known.
  std::vector<TrapFrame> stackAtEnd_;
  RunResult result_;
};

/// A call of a program's function by a reader of its guest's stack. While this object lives, trace
/// points and sections are not recorded; at the end, the counters of instances are restored. The
/// program's fuel limit does not apply, but this call has its own limit: of fuel or, for a unit
/// that does not count fuel, of time.
class GuestCallback {
public:
  explicit GuestCallback(ProgramRun &run);
  GuestCallback(const GuestCallback &) = delete;
  GuestCallback &operator=(const GuestCallback &) = delete;
  ~GuestCallback();

  /// Why sample() ends a call.
  static llvm::StringLiteral tooMuch(const ProgramUnit &unit) {
    return unit.indexOf(wasm::Counter::fuel) ? llvm::StringLiteral(fuelBurnt)
                                             : llvm::StringLiteral(secondOver);
  }
  /// To be called regularly if there is no timer: when the time is over, lets units call sample().
  void look();

  /// The result of the call, which has returned `result` or trapped with a message.
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
