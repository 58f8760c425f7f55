//===- BudgetTool.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/BudgetTool.h"
#include "EarlierRun.h"
#include "warpo/Instrument/ProbeBudget.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

namespace {

/// The basis of a prediction.
struct UseModel {
  std::vector<FunctionUse> uses;
  ProbeBudget budget;
  /// The same with the bounds of the cost of trace points.
  ProbeBudget least, most;
  /// Describes the source, for messages.
  std::string source;
};

} // namespace

/// Nanoseconds for the trace points of a call in a quiet loop, as stated in records of one machine.
/// Their ratios are similar on others.
static double typicalCallCost(ProbeClock clock) {
  switch (clock) {
  case ProbeClock::exact:
    return 80;
  case ProbeClock::thread:
    return 6;
  case ProbeClock::none:
  case ProbeClock::fuel:
    return 4;
  case ProbeClock::counter:
    return 22;
  case ProbeClock::monotonic:
    return 60;
  }
  return 0;
}

static double sumOf(ArrayRef<double> numbers) {
  double sum = 0;
  for (double number : numbers)
    sum += number;
  return sum;
}

static std::vector<FunctionUse> usesOf(const EarlierRun &trace, ArrayRef<double> self) {
  std::vector<FunctionUse> uses;
  for (auto [function, plain] : zip_equal(trace.functions, self))
    uses.push_back({double(function.calls), plain, function.callees > 0, function.isTraced});
  return uses;
}

// The ratio between the costs of trace points with the requested clock and with the run's.
static double clockFactor(const BudgetRequest &request, const EarlierRun &trace) {
  if (!request.clock)
    return 1;
  return typicalCallCost(*request.clock) / trace.statedCallCost;
}

// If the run does not state the cost of its trace points, assumes the requested clock.
static void assumeClock(const BudgetRequest &request, EarlierRun &trace) {
  if (!request.clock || !trace.isProbed || trace.statedCallCost > 0)
    return;
  trace.statedCallCost = typicalCallCost(*request.clock);
  trace.begin = trace.end = trace.statedCallCost / 2;
}

static Error checkTrace(const EarlierRun &trace, const EarlierRun *samples) {
  if (!trace.hasCalls)
    return fileError(trace.title, "has samples only: a trace tells how often functions are called "
                                  "(--time-from takes the samples)");
  if (samples && samples->hasCalls)
    return makeError("--time-from: " + samples->title + " has calls, and no samples");
  if (samples && samples->time() == 0)
    return makeError("--time-from: " + samples->title + " has no time of the module");
  if (samples && !trace.isProbed)
    return makeError("--time-from: " + trace.title + " has the time of samples already");
  if (trace.calls() == 0)
    return fileError(trace.title, "has no call of a function of the module");
  return Error::success();
}

// For a profile, whose times are not distorted by trace points.
static Expected<UseModel> modelOfProfile(const BudgetRequest &request, const EarlierRun &profile) {
  if (!request.clock)
    return fileError(profile.title,
                     "a saved profile does not say what a trace point costs; --budget-clock does");
  ProbeBudget budget{request.times, typicalCallCost(*request.clock), profile.time()};
  return UseModel{usesOf(profile, profile.plainSelf()), budget, budget, budget, profile.title};
}

/// The program's time in `trace` if its trace points took `times` their likely cost.
static double plainTimeOf(const EarlierRun &trace, double times) {
  return trace.elsewhere + sumOf(trace.plainSelf(times));
}

/// The program's time by its samples. If it waited for a processor, they say more, and trace points
/// seem to be cheap: then it is at most what the trace itself leaves, and a warning says so.
static double sampledTime(const EarlierRun &trace, const EarlierRun &samples,
                          BudgetReport &report) {
  double most = trace.begin + trace.end > 0 ? plainTimeOf(trace, trace.least) : trace.time();
  // The bound is an estimate, too.
  constexpr double tolerance = 1.25;
  if (samples.time() <= tolerance * most || most == 0)
    return samples.time();
  report.warnings.push_back("--time-from: " + samples.title + " took " +
                            formatTime(uint64_t(samples.time())) + ", but " + trace.title +
                            " without its trace points at most " + formatTime(uint64_t(most)) +
                            "; using that (prefer the shortest of several runs of samples)");
  return most;
}

static Expected<UseModel> modelOfTrace(const BudgetRequest &request, const EarlierRun &trace,
                                       const EarlierRun *samples, BudgetReport &report) {
  double factor = clockFactor(request, trace);
  auto budgetOf = [&](double plainTime) {
    double callCost = std::max(0.0, trace.time() - plainTime) / double(trace.calls());
    return ProbeBudget{request.times, callCost * factor, plainTime};
  };
  if (samples) {
    if (samples->time() >= trace.time())
      return makeError("--time-from: " + samples->title + " lasted longer than " + trace.title +
                       ": the two are not of the same work, or it waited for a processor");
    ProbeBudget budget = budgetOf(sampledTime(trace, *samples, report));
    std::vector<double> self = samples->plainSelf();
    for (double &time : self)
      time *= budget.plainTime / samples->time();
    return UseModel{usesOf(trace, self), budget, budget, budget,
                    trace.title + " and the time of " + samples->title};
  }
  if (trace.begin + trace.end == 0)
    return fileError(trace.title, "does not say what a trace point costs: --time-from, with "
                                  "samples of the uninstrumented program, does");
  auto budgetAt = [&](double times) { return budgetOf(plainTimeOf(trace, times)); };
  UseModel model{usesOf(trace, trace.plainSelf()), budgetAt(1), budgetAt(trace.least),
                 budgetAt(trace.most), trace.title};
  if (model.budget.plainTime == 0)
    return fileError(trace.title, "recording took all of its time: use --time-from, with samples "
                                  "of the uninstrumented program");
  return model;
}

static Expected<UseModel> modelOf(const BudgetRequest &request, const wasm::Module &module,
                                  BudgetReport &report) {
  if (request.from.empty()) {
    auto uses = guessUses(module);
    if (!uses)
      return uses.takeError();
    ProbeBudget budget{request.times, typicalCallCost(request.clock.value_or(ProbeClock::exact)),
                       0};
    for (const FunctionUse &use : *uses)
      budget.plainTime += use.self;
    report.warnings.push_back(
        "--budget without --from: functions are left out by a guess from calls, loops and sizes in "
        "the code; use --from, with a record of a run");
    return UseModel{std::move(*uses), budget, budget, budget, "the code alone"};
  }
  auto original = OrderModule::create(module);
  if (!original)
    return original.takeError();
  auto trace = EarlierRun::read(request.from, *original);
  if (!trace)
    return trace.takeError();
  report.result = std::max(report.result, trace->result);
  std::optional<EarlierRun> samples;
  if (!request.timeFrom.empty()) {
    auto read = EarlierRun::read(request.timeFrom, *original);
    if (!read)
      return read.takeError();
    samples = std::move(*read);
    report.result = std::max(report.result, samples->result);
  }
  assumeClock(request, *trace);
  if (trace->isProbed && !samples)
    report.warnings.push_back(
        "--budget without --time-from: the program's own time is estimated from " + trace->title +
        ", and may be wrong by a factor of several; use samples of the uninstrumented program");
  if (Error error = checkTrace(*trace, samples ? &*samples : nullptr))
    return error;
  if (trace->off > 0)
    report.warnings.push_back(trace->title + ": recording was off for " +
                              formatTime(uint64_t(trace->off)) +
                              ", whose calls and time do not count");
  return trace->isProbed ? modelOfTrace(request, *trace, samples ? &*samples : nullptr, report)
                         : modelOfProfile(request, *trace);
}

static std::string percentOf(double part, double whole) {
  return formatv("{0:f1} %", whole > 0 ? 100 * part / whole : 0);
}

static std::string timesOf(double times) { return formatv("{0:f2}", times); }

// The predicted times with the kept functions, and with all.
static std::string prediction(const UseModel &model, const BudgetChoice &choice) {
  std::string text = "predicted: " + timesOf(model.budget.slowDown(choice.keptCalls)) +
                     " times the time of the program as it is";
  double least = model.least.slowDown(choice.keptCalls);
  double most = model.most.slowDown(choice.keptCalls);
  if (most - least > 0.005)
    text += " (" + timesOf(least) + " to " + timesOf(most) +
            " depending on the cost of a trace point; --time-from is more exact)";
  return text + "; with all of them " + timesOf(model.budget.slowDown(choice.calls)) + ", by " +
         model.source;
}

static void reportChoice(const UseModel &model, const BudgetChoice &choice,
                         ArrayRef<FunctionReport> functions, size_t candidates,
                         BudgetReport &report) {
  double time = model.budget.plainTime;
  std::vector<uint32_t> listed;
  double hiddenTime = 0;
  uint64_t unknown = 0;
  for (uint32_t function : choice.leftOut) {
    const FunctionUse &use = model.uses[function];
    hiddenTime += use.self;
    unknown += !use.isKnown;
    if (use.isKnown)
      listed.push_back(function);
  }
  report.notes.push_back("--budget left out " + countOf(choice.leftOut.size(), "function") +
                         " of " + utostr(candidates) + ", with " +
                         percentOf(choice.calls - choice.keptCalls, choice.calls) +
                         " of the calls and " + percentOf(hiddenTime, time) +
                         " of the time, which counts for their callers");
  report.notes.push_back(prediction(model, choice));
  if (unknown > 0)
    report.notes.push_back("left out " + countOf(unknown, "function") +
                           " that had no trace points in the earlier run: how often they are "
                           "called is not known");
  llvm::sort(listed, [&](uint32_t a, uint32_t b) {
    return std::tie(model.uses[b].calls, a) < std::tie(model.uses[a].calls, b);
  });
  static constexpr size_t shown = 10;
  for (uint32_t function : ArrayRef(listed).take_front(shown))
    report.notes.push_back("left out " + functions[function].name.str() + ": " +
                           countOf(uint64_t(model.uses[function].calls), "call") + ", " +
                           percentOf(model.uses[function].self, time) + " of the time");
  if (listed.size() > shown)
    report.notes.push_back("left out " + countOf(listed.size() - shown, "further function") +
                           ": --info-file has them all");
  if (choice.hotLeftOut.empty())
    return;
  std::vector<std::string> names;
  for (uint32_t function : choice.hotLeftOut)
    names.push_back(functions[function].name.str() + " (" +
                    percentOf(model.uses[function].self, time) + ")");
  report.warnings.push_back("left out although above 1 % of the time, as those alone would take " +
                            timesOf(model.budget.slowDown(choice.hotCalls)) +
                            " times the time of the program: " + join(names, ", "));
}

Expected<std::vector<uint32_t>> warpo::leaveOutByBudget(const BudgetRequest &request,
                                                        const wasm::Module &module,
                                                        ArrayRef<FunctionReport> functions,
                                                        BudgetReport &report) {
  auto model = modelOf(request, module, report);
  if (!model)
    return model.takeError();
  std::vector<uint32_t> candidates;
  for (const FunctionReport &function : functions)
    if (function.selection == Selection::taken)
      candidates.push_back(function.index);
  BudgetChoice choice = chooseWithinBudget(model->uses, candidates, model->budget);
  reportChoice(*model, choice, functions, candidates.size(), report);
  return std::move(choice.leftOut);
}
