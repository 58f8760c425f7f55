//===- RunReport.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RunReport.h"
#include "OuterRecording.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>
#include <cmath>

using namespace llvm;
using namespace warpo;

/// Prints the shortest digits that read back as the same number.
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
  auto report = [](uint64_t count, StringRef what, StringRef becomes) {
    if (count > 0)
      warn(countOf(count, what) + becomes);
  };
  report(faults.endsWithoutBegin, "call",
         " of endSection left out, where the calling function had no section open");
  // A trap leaves sections open.
  if (!result.trap)
    report(faults.neverEnded, "section",
           " never ended by the function that began it: they end with the function");
  report(faults.notUtf8, "name", " of a section not UTF-8: U+FFFD stands for invalid bytes");
  report(faults.tooLong, "name", " of a section cut at 1024 bytes");
  report(faults.outOfBounds, "name",
         " of a section not within the program's memory: called (name out of bounds)");
  report(faults.tooMany, "section",
         " with yet another name after 65000: called (further sections)");
}

/// For a program without anything to record.
static void reportNothing(const RunRequest &request, const RunResult &result) {
  std::string name = inputName(request.app).str();
  if (isWithinRecording()) {
    warn(name + " has no trace points, nothing was recorded: warpo record does not see what " +
         "warpo-run runs; to record it: warpo record " + shellWord(request.app));
    return;
  }
  if (!result.fuel) {
    warn(name + " has no trace points, nothing was recorded; to instrument it: " +
         "warpo-instrument " + shellWord(request.app) + " -o traced.wasm");
    return;
  }
  warn(name + " burnt " + std::to_string(*result.fuel) +
       " units of fuel; it has no trace points, so nothing was recorded: instrument the original "
       "with --instrumentation=trace,fuel");
}

void warpo::reportRecord(const RunRequest &request, const RunResult &result, const RecordNoun &noun,
                         bool quiet) {
  auto count = [&](uint64_t number) { return countOf(number, noun.singular, noun.plural); };
  if (!result.instrumented) {
    reportNothing(request, result);
    return;
  }
  if (!result.recordError.empty())
    warn(result.recordError + "; " +
         (result.lostToFailure == 0 ? "how much of the record is missing is unknown"
                                    : count(result.lostToFailure) + " lost"));
  if (result.lostToBuffer != 0)
    warn(count(result.lostToBuffer) + " lost, as the recorder's buffer was full");
  if (result.meaningless != 0)
    warn(count(result.meaningless) + " not recorded, as no function has such an id");
  reportSections(result);
  for (const std::string &problem : result.problems)
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
  // Records in warpo's format contain names and a rate.
  if (target.format == "warpo") {
    note(line + ")");
    return;
  }
  if (result.rate)
    line +=
        formatv("; no names, times in counts of this machine: --rate={0:f6})", *result.rate).str();
  else
    line += "; no names, times in counts)";
  note(line);
}

template <typename T>
static void printFrames(ArrayRef<T> frames, function_ref<std::string(const T &)> describe) {
  for (const T &frame : frames.take_front(maxTrapFrames))
    errs() << "  " << describe(frame) << '\n';
  if (frames.size() > maxTrapFrames)
    errs() << "  ... and " << frames.size() - maxTrapFrames << " more\n";
}

void warpo::reportTrap(const Trap &trap, ArrayRef<std::string> stack,
                       ArrayRef<std::string> callPlaces, FunctionTable &functions) {
  note("trap: " + trap.message);
  printFrames<std::string>(stack, [](const std::string &frame) { return "at " + frame; });
  if (trap.openCalls.empty())
    return;
  errs() << "calls that were open, innermost first:\n";
  printFrames<OpenCall>(trap.openCalls, [&](const OpenCall &call) -> std::string {
    // Only the record has its name.
    if (isSection(call.id))
      return "(section)";
    std::string line =
        displayName(demangleName(functions[functions.idsOf(call.module).find(call.id)].name));
    size_t number = size_t(&call - trap.openCalls.data());
    bool hasPlace = number < callPlaces.size() && !callPlaces[number].empty();
    return hasPlace ? line + ", " + callPlaces[number] : line;
  });
}
