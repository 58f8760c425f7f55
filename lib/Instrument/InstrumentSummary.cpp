//===- InstrumentSummary.cpp - Describes the result to the user -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

static uint64_t countSelected(const InstrumentedModule &result, Selection selection) {
  return uint64_t(llvm::count_if(result.functions, [&](const FunctionReport &function) {
    return function.selection == selection;
  }));
}

static std::string growth(uint64_t before, uint64_t after) {
  double percent = 100.0 * (double(after) - double(before)) / double(before);
  return formatv("{0} bytes became {1} ({2}{3:F1} %)", before, after, percent < 0 ? "" : "+",
                 percent);
}

std::vector<std::string> warpo::summarize(const InstrumentedModule &result) {
  std::vector<std::string> lines;
  uint64_t imported = uint64_t(llvm::count_if(result.functions, [](const FunctionReport &function) {
    return function.isImported && function.id;
  }));
  const wasm::EditStatistics &statistics = result.statistics;
  if (result.editsFunctions)
    lines.push_back(formatv(
        "instrumented {0} and {1}: {2}, {3}", countOf(statistics.editedFunctions, "function"),
        countOf(imported, "imported function"), countOf(statistics.exits, "exit"),
        countOf(statistics.redirectedCalls, "call") + " and " +
            countOf(statistics.redirectedReferences, "reference") + " of imported functions"));

  if (result.markedFunctions)
    lines.push_back(countOf(*result.markedFunctions, "function") +
                    " that references or the host may reach: each call records how");
  if (result.fuelCosts) {
    std::string line = "counts fuel at " + countOf(statistics.runs, "straight run");
    if (size_t changed = result.fuelCosts->changes().size())
      line += ", by costs " + result.fuelCosts->name() + " (" + countOf(changed, "instruction") +
              " with another cost than usual)";
    lines.push_back(line);
  }
  if (statistics.surroundedCalls)
    lines.push_back("traced " + countOf(statistics.surroundedCalls, "call") +
                    " of imported functions where they are; tail calls and references are not");
  if (result.exceptionForm != wasm::ExceptionForm::none) {
    bool legacy = result.exceptionForm == wasm::ExceptionForm::legacy;
    lines.push_back(formatv("{0} may end by an exception, which is recorded in the {1} form{2}",
                            countOf(statistics.catchingFunctions, "function"),
                            legacy ? "legacy" : "exnref",
                            statistics.usesLegacyExceptions || statistics.usesExnref
                                ? ""
                                : " (--unwind=none for engines without exceptions)"));
  }

  static const struct {
    Selection selection;
    const char *reason;
  } reasons[] = {
      {Selection::builtin, "imported from module builtin"},
      {Selection::library, "of AssemblyScript's library and compiler (--all instruments them)"},
      {Selection::notIncluded, "that no --include matches"},
      {Selection::excluded, "that --exclude matches"},
      {Selection::small, "with fewer instructions than --min-instructions"},
      {Selection::budget, "to keep within --budget"},
  };
  for (const auto &[selection, reason] : reasons)
    if (uint64_t count = countSelected(result, selection))
      lines.push_back("left out " + countOf(count, "function") + " " + reason);
  if (result.keptReferences)
    lines.push_back(
        "left references to " + countOf(result.keptReferences, "imported function") +
        " as they are, since the program could notice a change: calls through them are not traced");
  if (!statistics.droppedSections.empty())
    lines.push_back("dropped what describes the old code: section " +
                    join(statistics.droppedSections, ", "));
  if (!statistics.keptDebugSections.empty())
    lines.push_back("kept although it describes the old code: section " +
                    join(statistics.keptDebugSections, ", "));
  if (result.places.bytes)
    lines.push_back("records the source places of " + countOf(result.places.functions, "function") +
                    " (" + result.places.origin + "), in " + countOf(result.places.bytes, "byte"));
  lines.push_back(formatv("module id {0:x16}, ", result.identity.moduleId).str() +
                  growth(result.originalSize, result.bytes.size()));
  return lines;
}

std::vector<std::string> warpo::warnings(const InstrumentedModule &result) {
  std::vector<std::string> lines = result.warnings;
  for (const std::string &problem : result.places.problems)
    lines.push_back((result.places.origin.empty() ? "no source places: " : "source places: ") +
                    problem);
  if (!result.places.leftOut.empty())
    lines.push_back("there is no room for all source places: without " +
                    join(result.places.leftOut, ", "));
  if (!result.damagedNames.empty())
    lines.push_back("the names of the module are dropped, since they are damaged: " +
                    result.damagedNames);
  // https://webassembly.github.io/spec/js-api/#limits
  constexpr uint64_t mostOfEngines = 7'654'321;
  if (uint64_t largest = result.statistics.largestBody; largest > mostOfEngines)
    lines.push_back("the largest function has " + utostr(largest) +
                    " bytes now, and engines of JavaScript take " + utostr(mostOfEngines));
  bool isChosen = any_of(result.functions, [](const FunctionReport &each) { return each.id != 0; });
  if (!isChosen && countSelected(result, Selection::notIncluded) > 0)
    lines.push_back("no function is instrumented: --include matches no name");
  uint64_t nameless = uint64_t(result.namedByExport) + result.unnamed;
  if (!nameless)
    return lines;
  std::string text = countOf(nameless, "function") + " without a name in the module";
  if (result.unnamed)
    text += ", " + utostr(result.unnamed) + " of them without an export too";
  lines.push_back(
      text +
      ": compile with names to see them (asc --debug; clang -g, linking without -O; wasm-opt "
      "-g), or give those that were stripped (--symbols)");
  return lines;
}
