//===- TraceInstrumentation.cpp - Trace points at entries and exits -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls the host's `builtin.tracePoint`, of type (i32) -> (), with the function's id at its entry
// and with minus that id at every exit. In a module that counts fuel, that is
// `builtin.tracePointFuel`, of type (i32, i64) -> (), with the fuel behind the id. If a trap has
// ended a call, the id of traps precedes its end; twice if several calls of the function were open
// and the outermost has ended.
//
// With --events-in=memory an event is stored in a memory of the host. The host is called only if
// there is no room, or if it asked to be called at the next event.
//
// With --switchable a call is reported only if the counter `recording` is even at its entry: a host
// makes it odd while it wants no calls. Each call keeps the counter's value in a variable, so that
// its end is reported if and only if its begin was. A host that knows the stack when it turns
// recording on may record the begins of the open calls and increment the counter: then their ends
// are reported too. Otherwise it restores the previous even number.
//
//===----------------------------------------------------------------------===//

#include "CallInstructions.h"
#include "MemoryAccess.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

constexpr StringLiteral switchableOption = "switchable";
constexpr InstrumentationOption::Value places[] = {{"host", "each is a call"},
                                                   {"memory", "in the recorder's memory: fastest"},
                                                   {"auto", "memory if the module allows"}};
constexpr InstrumentationOption traceOptions[] = {
    {switchableOption, "Let hosts turn trace points off while the program runs", {}, ""},
    {"events-in", "Where 'trace' leaves events (default: host)", places}};

class TraceInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return traceOptions; }
  Error setOption(StringRef name, StringRef value) override {
    if (name == switchableOption)
      isSwitchable_ = true;
    else
      place_ = value == "memory" ? Place::memory
               : value == "auto" ? Place::memoryIfPossible
                                 : Place::host;
    return Error::success();
  }

  InstrumentationNeeds needs() const override {
    return {.functions = true,
            .exits = true,
            .entryLog = true,
            .stacks = true,
            .switched = isSwitchable_,
            .variables = isSwitchable_ || place_ != Place::host};
  }

  Error declare(ModuleDeclarations &declarations) override {
    fuel_ = declarations.fuel();
    tracePoint_ = declarations.importHostCall(fuel_ ? wasm::HostCall::tracePointFuel
                                                    : wasm::HostCall::tracePoint);
    if (Error error = declareMemory(declarations))
      return error;
    if (memory_ || isSwitchable_)
      addSmallFunctions(declarations);
    if (!isSwitchable_)
      return Error::success();
    auto recording = declarations.addCounter(wasm::Counter::recording);
    if (!recording)
      return recording.takeError();
    recording_ = *recording;
    // This export traps, so that a host can find out the module's name in its engine's stack
    // traces.
    wasm::CodeSequence trap;
    trap.raw("unreachable"_op);
    return declarations.addExportedFunction("__warpo_trap_recording", {}, {}, trap).takeError();
  }

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    uint8_t variable = edit.addedLocals;
    if (isSwitchable_) {
      ++edit.addedLocals;
      pushRecording(edit.entry);
      edit.entry.addedLocalTee(variable).i32Const(1);
      edit.entry.raw({"i32.and"_op, "i32.eqz"_op, "if"_op, wasm::emptyBlockType});
      pushRecording(edit.exit);
      edit.exit.i32Const(~1).raw("i32.and"_op).addedLocalGet(variable);
      edit.exit.raw({"i32.ge_u"_op, "if"_op, wasm::emptyBlockType});
    }
    uint8_t room = edit.addedLocals;
    if (memory_)
      ++edit.addedLocals;
    bool isLeaf = knowsNext_ && !site.isImported && callsNothing(site.index);
    put(edit.entry, room, isLeaf ? Next::kept : Next::loaded, [&] { site.pushCallId(edit.entry); });
    put(edit.exit, room, isLeaf ? Next::known : Next::loaded,
        [&] { site.pushNegatedCallId(edit.exit); });
    if (isSwitchable_) {
      edit.entry.raw("end"_op);
      edit.exit.raw("end"_op);
    }
  }

  void reportTrapped(wasm::CodeSequence &code, bool isOutermost) const override {
    for (int i = 0; i != (isOutermost ? 2 : 1); ++i) {
      code.i32Const(trapId);
      callTracePoint(code);
    }
    code.i32Const(0).localGet(0).raw("i32.sub"_op);
    callTracePoint(code);
  }

private:
  Error declareMemory(ModuleDeclarations &declarations) {
    if (place_ == Place::host)
      return Error::success();
    Expected<uint32_t> memory = importMemory(declarations);
    if (memory)
      useMemory(*memory, declarations);
    else if (place_ == Place::memory)
      return memory.takeError();
    else
      consumeError(memory.takeError());
    return Error::success();
  }

  void useMemory(uint32_t memory, ModuleDeclarations &declarations) {
    memory_ = memory;
    module_ = declarations.module().original;
    knowsNext_ = !isSwitchable_ && declarations.module().isAlone;
  }

  // V8 inlines to the full only if every second function is small (HeapInstrumentation.cpp), and no
  // function with trace points is. Imported ones get thunks. Where each event is a call, that gains
  // nothing.
  static void addSmallFunctions(ModuleDeclarations &declarations) {
    if (!declarations.module().willBeOptimized)
      declarations.addEmptyFunctions(declarations.module().original->functionCount());
  }

  Expected<uint32_t> importMemory(ModuleDeclarations &declarations) const {
    if (fuel_)
      return fileError(declarations.module().original->fileName,
                       "events with fuel are not stored in memory: use --events-in=host");
    return declarations.importMemory(wasm::eventsImport);
  }

  // Whether no code runs within a function but its own, which stores no event.
  bool callsNothing(uint32_t function) const {
    const wasm::ByteRange &body = module_->bodies[function - module_->importedFunctionCount()];
    ByteCursor cursor = body.cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);)
      if (*instruction.begin == "call"_op || callsAny(instruction))
        return false;
    return true;
  }

  /// How an event's code knows its address: `room` has it from the event before if nothing else
  /// can have stored any since. That of `kept` leaves the address of the next one in `room`.
  enum class Next : uint8_t { loaded, kept, known };

  // Appends an event whose id `pushId` pushes. Storing it here, without a call into another module,
  // takes V8 less than a third of the time. Most of that is to wait for an address that the event
  // before has just stored: in functions that call nothing one of two is known. `room` is the
  // number of an added variable.
  void put(wasm::CodeSequence &code, uint8_t room, Next next, function_ref<void()> pushId) const {
    if (!memory_) {
      pushId();
      return callTracePoint(code);
    }
    using Layout = wasm::EventsMemory;
    constexpr uint8_t words = 2;
    auto loadNext = [&] {
      code.i32Const(0);
      accessMemory(code, "i32.load"_op, words, *memory_, Layout::next);
    };
    if (next == Next::known) {
      code.addedLocalGet(room);
    } else {
      loadNext();
      code.addedLocalTee(room);
    }
    code.i32Const(0);
    accessMemory(code, "i32.load"_op, words, *memory_, Layout::end);
    code.raw({"i32.ge_u"_op, "if"_op, wasm::emptyBlockType});
    pushId();
    callTracePoint(code);
    if (next == Next::kept) {
      loadNext();
      code.addedLocalSet(room);
    }
    code.raw("else"_op).addedLocalGet(room);
    pushId();
    accessMemory(code, "i32.store"_op, words, *memory_, 0);
    code.i32Const(0).addedLocalGet(room).i32Const(Layout::eventSize).raw("i32.add"_op);
    if (next == Next::kept)
      code.addedLocalTee(room);
    accessMemory(code, "i32.store"_op, words, *memory_, Layout::next);
    code.raw("end"_op);
  }

  // The id is on the stack.
  void callTracePoint(wasm::CodeSequence &code) const {
    if (fuel_)
      code.globalGet(*fuel_);
    code.call(tracePoint_);
  }

  void pushRecording(wasm::CodeSequence &code) const {
    code.globalGet(recording_).raw("i32.wrap_i64"_op);
  }

  bool isSwitchable_ = false;
  enum class Place : uint8_t { host, memory, memoryIfPossible };
  Place place_ = Place::host;
  /// The memory in which events are stored, if any.
  std::optional<uint32_t> memory_;
  const wasm::Module *module_ = nullptr;
  /// Whether code between two events of a function that calls nothing stores no events: it calls no
  /// host either, and the function has stored both or none.
  bool knowsNext_ = false;
  wasm::GlobalRef recording_;
  wasm::FunctionRef tracePoint_;
  std::optional<wasm::GlobalRef> fuel_;
};

warpo::Registry<Instrumentation>::Add<TraceInstrumentation>
    registration("trace", "a trace point at every entry and exit of a function");

} // namespace
