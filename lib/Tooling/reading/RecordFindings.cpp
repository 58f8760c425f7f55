//===- RecordFindings.cpp - What was wrong with a record ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/Quantities.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Tooling/ReadingTool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

void RecordInput::reportOverlap(const OverlapFinder &finder) const {
  std::optional<OverlapFinder::Overlap> overlap = finder.overlap();
  // Recorders that record suspensions, or what started each stack, know to which stack each call
  // belongs.
  if (!overlap || functions_->hasSuspendedStacks() || !reader_->header().switches.empty())
    return;
  auto nameOf = [&](StreamIndex stream) {
    return functions_->describe(reader_->header().streams[stream]);
  };
  // Once, even for several records.
  noteOnce("overlap", title() + ": calls of " + nameOf(overlap->first) + " and of " +
                          nameOf(overlap->second) +
                          " overlap in time, and each has a stack of its own; if they ran on one "
                          "thread, --one-stack "
                          "gives them one");
}

/// If recording took a larger part of the time, the rest is mostly the error of what was
/// subtracted.
static constexpr double mostSubtracted = 0.8;
/// The range of what is left is stated if its ends are further apart than this share of it.
static constexpr double notableRange = 0.1;
/// Limits of what fetching a new time costs beyond what the record states: nanoseconds per step,
/// and share of the time. See the rings in benchmarks/programs.py, clock `thread` against `none`.
static constexpr double mostOfFetch = 100;
static constexpr double mostFetching = 0.1;

/// An upper bound of what fetching new times took beyond what is subtracted: it may take longer in
/// the program than in the loop that the recorder measures. The bound is as much again as the
/// record states, or what the limits allow if that is more.
static double fetchingIn(const ProbeSubtraction &subtraction) {
  const std::optional<TimeScale> &scale = subtraction.header().measures.front().scale;
  if (!subtraction.isClockCoarse() || !scale)
    return 0;
  double steps = double(subtraction.steps());
  return std::max(steps * subtraction.costOfStep(),
                  std::min(mostFetching * double(subtraction.recorded()),
                           steps * mostOfFetch / scale->nanosecondsPerCount()));
}

static void reportWaits(const ProbeSubtraction &subtraction, StringRef title) {
  double recorded = double(subtraction.recorded());
  const ClockWaits &waits = subtraction.clockWaits();
  if (waits.areMost()) {
    auto share = [&](double cost) {
      return recorded == 0 ? 0 : std::min(1.0, double(subtraction.entries()) * cost / recorded);
    };
    note(formatv("{0}: nothing is subtracted, as the clock stood still while {1:f0} % of the "
                 "entries were recorded: the thread that keeps it had no processor. The times are "
                 "a guess, {2:f0} to {3:f0} % of which are the program's; --time-from takes "
                 "undistorted times",
                 title, 100 * waits.entryShare(), 100 - 100 * share(subtraction.range().most),
                 100 - 100 * share(subtraction.range().least))
             .str());
  } else if (subtraction.waits() > 0) {
    double waited = double(subtraction.waited());
    note(formatv("{0}: {1:f1} % of the time is left out: {2}, in functions that otherwise take far "
                 "less; most likely the program or the thread that keeps the clock waited for a "
                 "processor",
                 title, 100 * waited / (waited + recorded),
                 countOf(subtraction.waits(), "step of the clock of a millisecond and more",
                         "steps of the clock of a millisecond and more"))
             .str());
  }
}

void RecordInput::reportSubtraction() const {
  if (subtractions_.empty())
    return;
  for (const auto &[subtraction, path] : zip(subtractions_, paths_))
    reportWaits(*subtraction, inputTitle(path));
  double all = 0;
  double left = 0;
  double most = 0;
  double least = 0;
  double fetching = 0;
  bool isSubtracted = false;
  for (const ProbeSubtraction *subtraction : subtractions_) {
    if (subtraction->clockWaits().areMost())
      continue;
    isSubtracted = true;
    const ProbeRange &range = subtraction->range();
    double entries = double(subtraction->entries());
    double recorded = double(subtraction->recorded());
    double program = recorded - double(subtraction->subtracted());
    all += recorded;
    left += program;
    most += std::min(recorded, program + entries * (range.likely - range.least));
    least += std::max(0.0, program - entries * (range.most - range.likely));
    fetching += fetchingIn(*subtraction);
  }
  double percent = all == 0 ? 0 : 100 / all;
  std::string text = formatv("subtracted {0:f1} % of the time, the cost of recording",
                             all == 0 ? 0 : 100 - left * percent);
  bool isGuess = all > 0 && least < (1 - mostSubtracted) * all;
  least = std::max(0.0, least - fetching);
  if (isGuess)
    text += formatv(": the times are a guess: depending on the cost of a trace point, {0:f1} to "
                    "{1:f1} % are the program's; --time-from takes undistorted times",
                    least * percent, most * percent);
  else if (most - least > notableRange * left)
    text +=
        formatv(": depending on the cost of a trace point, {0:f1} to {1:f1} % are the program's",
                least * percent, most * percent);
  if (isSubtracted)
    note(text);
  if (!switchesMove_ && !reader_->header().switches.empty())
    warn(title() + ": a pipe is read only once, so entries have moved, but not the times at which "
                   "one stack starts or resumes another: arrows may be missing, and "
                   "--async=joined may put tasks below other calls");
}

/// From this share of the time on, outputs state the cost of recording.
static constexpr double notableProbeShare = 0.25;

std::optional<ProbeShare::Share> RecordInput::notableProbes() const {
  if (!reader_->header().hasTime() || probeShare_.entries() < leastLeafCalls)
    return std::nullopt;
  ProbeShare::Share share = probeShare_.of(reader_->probe());
  return share.likely > notableProbeShare ? std::optional(share) : std::nullopt;
}

ProbeCost RecordInput::notableProbeCost() const {
  return notableProbes() ? probeShare_.range(reader_->probe()).cost : ProbeCost();
}

/// Empty if the range rounds to a single whole percentage.
static std::string describeRange(const ProbeShare::Share &share) {
  std::string least = formatv("{0:f0}", 100 * share.least);
  std::string most = formatv("{0:f0}", 100 * share.most);
  return least == most ? "" : " (" + least + " to " + most + " %)";
}

void RecordInput::reportProbes() const {
  std::optional<ProbeShare::Share> share;
  if (reportsProbes_)
    share = notableProbes();
  if (share)
    note(
        formatv(
            "{0}: recording took about {1:f0} % of the time{2}, mostly in small "
            "functions: sample the program as it is (warpo record; --time-from shows both), leave "
            "out small functions (warpo-instrument --budget=2 --from={3} "
            "--time-from=samples.warpo app.wasm -o traced.wasm), or estimate (--subtract-overhead)",
            title(), 100 * share->likely, describeRange(*share),
            paths_.front() == "<stdin>" ? "run.warpo" : shellWord(paths_.front()))
            .str());
}

void RecordInput::reportLateStart(uint64_t from, const SlicingResult &result) const {
  uint64_t lasted = result.lastTime.value_or(0) - result.firstTime.value_or(0);
  if (!result.lastTime || lasted >= from)
    return;
  const Measure clock = measures().front();
  warn("--from=" + options_.from + " is after the end of " + title() + ", which lasts " +
       formatWeight(clock.shown(lasted), clock.shownUnit()));
}

void RecordInput::reportEarlierEntry(uint64_t counts) const {
  const Measure clock = measures().front();
  note("--from and --to count from the entry that " + title() + " begins with, which is " +
       formatWeight(clock.shown(counts), clock.shownUnit()) +
       " after the earliest one; in a .warpo file with an index they count from the earliest");
}

void RecordInput::addFunctionDamage() {
  if (functions_->hasIndistinctIds())
    damage_.add(
        "record of more unknown ids than can be distinguished: the rest count as one function",
        "records of more unknown ids than can be distinguished: the rest count as one function", 1,
        [&] { return paths_.front(); });
  if (functions_->strayOffsets() > 0)
    damage_.add("place of a frame that is in another function's code",
                "places of frames that are in another function's code", functions_->strayOffsets(),
                [&] { return paths_.front(); });
  if (functions_->hasMapping() && functions_->unknownIds() > 0)
    damage_.add("function id that the mapping does not have",
                "function ids that the mapping does not have", functions_->unknownIds(),
                [&] { return mapping_.empty() ? paths_.front() : mapping_; });
}

// No note if the user gave a mapping or a rate.
void RecordInput::reportMissing() const {
  bool showsFunctions = options_.showKinds.has_value();
  bool isNameless = functions_->unknownIds() > 0 && !functions_->hasMapping();
  if (showsFunctions && isNameless && reader_->header().hasTime() && !scale_)
    noteOnce("nameless",
             title() + " has no names of functions, and does not say how long a count of its clock "
                       "is: --mapping=<file> takes the names (warpo-instrument "
                       "--trace-point-mapping-file writes them), --rate=ns the rate that warpo-run "
                       "printed; records in the format warpo have both");
}

void RecordInput::reportDamage() const {
  for (const std::string &message : damage_.messages())
    warn(message);
  // The process of a crash-safe recorder is alive or was killed.
  for (const std::string &path : paths_)
    if (sys::fs::exists(path + ".live"))
      note(path + ".live holds events that are not yet in the record: if the process was killed, "
                  "warpo-record-dump --recover adds them");
}

Expected<ToolResult> RecordInput::finish() {
  reportSubtraction();
  reportProbes();
  reportMissing();
  if (damage_.empty())
    return ToolResult::done;
  if (options_.strict)
    return makeError(join(damage_.messages(), "; "));
  reportDamage();
  return ToolResult::damaged;
}

Expected<ToolResult> RecordInput::finish(OutputFile &file) {
  auto verdict = finish();
  if (verdict)
    if (Error error = file.commit())
      return error;
  return verdict;
}
