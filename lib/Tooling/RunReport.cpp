//===- RunReport.cpp ------------------------------------------------------===//

#include "RunReport.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>
#include <cmath>

using namespace llvm;
using namespace warpo;

/// The shortest digits that read back as the same number.
template <typename Float> static void printFloat(Float value, raw_ostream &os) {
  // Beyond these, positional digits are mostly zeros.
  bool positional =
      value == 0 || (std::fabs(value) >= Float(1e-6) && std::fabs(value) < Float(1e21));
  char text[64];
  auto end = std::to_chars(text, text + sizeof(text), value,
                           positional ? std::chars_format::fixed : std::chars_format::scientific);
  os.write(text, size_t(end.ptr - text));
}

void warpo::reportResults(const RunResult &result, raw_ostream &os) {
  for (const ResultValue &value : result.results) {
    switch (value.type) {
    case ValueType::i32:
      os << int32_t(value.bits);
      break;
    case ValueType::i64:
      os << int64_t(value.bits);
      break;
    case ValueType::f32:
      printFloat(bit_cast<float>(uint32_t(value.bits)), os);
      break;
    case ValueType::f64:
      printFloat(bit_cast<double>(value.bits), os);
      break;
    case ValueType::other:
      os << "(not a number)";
      break;
    }
    os << '\n';
  }
}

RecordNoun RecordNoun::of(const ProgramHostCalls &calls) {
  if (!calls.sampledModule())
    return {"event", "events"};
  bool isTraced =
      calls.askedBy(wasm::HostCall::tracePoint) || calls.askedBy(wasm::HostCall::tracePointFuel);
  return isTraced ? RecordNoun{"event or sample", "events and samples"}
                  : RecordNoun{"sample", "samples"};
}

static void reportSections(const RunResult &result) {
  const SectionFaults &faults = result.sections;
  auto tell = [](uint64_t count, StringRef what, StringRef becomes) {
    if (count > 0)
      warn(countOf(count, what) + becomes);
  };
  tell(faults.endsWithoutBegin, "call",
       " of endSection left out, where the calling function had no section open");
  // A trap leaves open what would have been ended.
  if (!result.trap)
    tell(faults.neverEnded, "section",
         " never ended by the function that began it: they end with the function");
  tell(faults.notUtf8, "name", " of a section not UTF-8: U+FFFD stands for what is not");
  tell(faults.tooLong, "name", " of a section cut at 1024 bytes");
  tell(faults.outOfBounds, "name",
       " of a section not within the program's memory: called (name out of bounds)");
  tell(faults.tooMany, "section", " with yet another name after 65000: called (further sections)");
}

/// Of a program that tells its host nothing that could be recorded.
static void reportNothing(const RunRequest &request, const RunResult &result) {
  if (!result.fuel) {
    warn(request.app + " has no trace points, nothing was recorded; to instrument it: " +
         "warpo-instrument " + request.app + " -o traced.wasm --trace-point-mapping-file map.txt");
    return;
  }
  warn(request.app + " burnt " + std::to_string(*result.fuel) +
       " units of fuel; it has no trace points, so nothing was recorded: instrument the original "
       "with --instrumentation=trace,fuel");
}

void warpo::reportRecord(const RunRequest &request, const RunResult &result, const RecordNoun &noun,
                         bool quiet) {
  auto count = [&](uint64_t number) { return countOf(number, noun.singular, noun.plural); };
  if (result.recordIsOrderDump) {
    if (!result.recordError.empty())
      warn(result.recordError);
    else if (!quiet)
      note("recorded what ran first, as the program's memory holds it, to " +
           (request.record.file.empty() ? "standard output" : request.record.file) + " (engine " +
           result.engine + ")");
    return;
  }
  if (!result.instrumented) {
    reportNothing(request, result);
    return;
  }
  if (!result.recordError.empty())
    warn(result.recordError + "; " + count(result.lostToFailure) + " lost");
  if (result.lostToBuffer != 0)
    warn(count(result.lostToBuffer) + " lost, as the recorder's buffer was full");
  reportSections(result);
  for (const std::string &problem : result.guestStackProblems)
    warn(problem);
  if (quiet)
    return;
  const RecordTarget &target = request.record;
  std::string line = "recorded " + count(result.recorded) + " to " +
                     (target.file.empty() ? "standard output" : target.file);
  if (result.lostToLimit != 0)
    line += ", left out " + std::to_string(result.lostToLimit) + " after the limit" +
            (target.maxItems ? " of " + std::to_string(*target.maxItems) : "");
  line += " (engine " + result.engine;
  // This format says it by itself.
  if (target.format == "warpo") {
    note(line + ")");
    return;
  }
  line += ", ";
  if (result.rate == 1.0)
    line += "times in ns: --rate=1)";
  else if (result.rate)
    line += formatv("times in counts of this machine: --rate={0:f6})", *result.rate).str();
  else
    line += "times in counts)";
  note(line);
}

/// At most this many lines of a stack.
static constexpr size_t maxFrames = 64;

template <typename T>
static void printFrames(ArrayRef<T> frames, function_ref<std::string(const T &)> describe) {
  for (const T &frame : frames.take_front(maxFrames))
    errs() << "  " << describe(frame) << '\n';
  if (frames.size() > maxFrames)
    errs() << "  ... and " << frames.size() - maxFrames << " more\n";
}

void warpo::reportTrap(const Trap &trap, FunctionTable &functions) {
  note("trap: " + trap.message);
  printFrames<std::string>(trap.stack, [](const std::string &frame) { return "at " + frame; });
  if (trap.openCalls.empty())
    return;
  errs() << "calls that were open, innermost first:\n";
  printFrames<OpenCall>(trap.openCalls, [&](const OpenCall &call) -> std::string {
    // Its name is in the record.
    if (isSection(call.id))
      return "(section)";
    return displayName(functions[functions.idsOf(call.module).find(call.id)].name);
  });
}
