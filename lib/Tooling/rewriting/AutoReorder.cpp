//===- AutoReorder.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Starts a tool for each step, like a shell script, and compares runs of the program.
//
//===----------------------------------------------------------------------===//

#include "warpo/Tooling/AutoReorder.h"
#include "../common/ModuleStores.h"
#include "../common/OtherTools.h"
#include "Gain.h"
#include "ProgramTrial.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

namespace {

/// The variants of a module, each in a separate folder, as programs see their module's name.
struct Forms {
  std::string before;
  std::string counted;
  std::string after;
};

class AutoReorder {
public:
  AutoReorder(const AutoReorderOptions &options, const TemporaryFolder &folder, bool quiet)
      : options_(options), folder_(folder), quiet_(quiet) {}

  Error prepare(StringRef name, StringRef module);
  Error train(bool keepDebug);
  /// Compares the tests; returns whether every engine could run some, and none has changed.
  Expected<bool> compare();
  /// Returns whether the new variant takes less time in some engine, and more in none.
  Expected<bool> measure();
  const Forms &forms() const { return forms_; }

private:
  Error learn(StringRef arguments, size_t number);
  ProgramTrials trialsIn(StringRef engine) const;
  /// The same in all steps, and as messages name them.
  std::vector<std::string> engines() const {
    std::vector<std::string> names(options_.engines.begin(), options_.engines.end());
    if (names.empty())
      names.push_back("auto");
    for (std::string &name : names)
      name = chosenEngine(name).str();
    return names;
  }
  Expected<double> secondsOfTests(const ProgramTrials &trials, StringRef module) const;
  Expected<Gain> measureIn(StringRef engine) const;
  void say(const Twine &message) const {
    if (!quiet_)
      note(message);
  }

  const AutoReorderOptions &options_;
  const TemporaryFolder &folder_;
  bool quiet_;
  Forms forms_;
  std::vector<std::string> records_;
  std::string counts_;
};

} // namespace

ProgramTrials AutoReorder::trialsIn(StringRef engine) const {
  std::vector<std::string> options{("--engine=" + engine).str()};
  for (const std::string &variable : options_.environment)
    options.push_back("--env=" + variable);
  if (!options_.host.empty())
    options.push_back("--host=" + options_.host);
  return ProgramTrials(folder_, std::move(options),
                       {options_.directories.begin(), options_.directories.end()});
}

Error AutoReorder::prepare(StringRef name, StringRef module) {
  for (auto [path, folder] : {std::pair(&forms_.before, "before"),
                              {&forms_.counted, "counted"},
                              {&forms_.after, "after"}}) {
    auto made = folder_.makeFolder(folder);
    if (!made)
      return made.takeError();
    *path = (*made + "/" + name).str();
  }
  if (Error error = writeOutput(forms_.before, [&](raw_ostream &os) {
        os << module;
        return Error::success();
      }))
    return error;
  auto stores = counterStoreOptions(engines().front());
  if (!stores)
    return stores.takeError();
  std::vector<std::string> arguments{"-q", "--instrumentation=counts,order"};
  append_range(arguments, *stores);
  arguments.insert(arguments.end(), {forms_.before, "-o", forms_.counted});
  return runStep("warpo-instrument", arguments);
}

Error AutoReorder::learn(StringRef arguments, size_t number) {
  std::string stem = folder_.file("train-" + Twine(number));
  auto result =
      trialsIn(engines().front()).run(forms_.counted, arguments, {"--record=" + stem + ".order"});
  if (!result)
    return result.takeError();
  records_.push_back(stem + ".order");
  auto counts = readWholeInput(stem + ".counts");
  if (!counts)
    return joinErrors(makeError("--train='" + arguments + "' has counted nothing"),
                      counts.takeError());
  counts_ += (*counts)->getBuffer();
  say("learnt from '" + arguments + "' (exit code " + Twine(result->exitCode) + ")");
  return Error::success();
}

Error AutoReorder::train(bool keepDebug) {
  for (const auto &[number, arguments] : enumerate(options_.train))
    if (Error error = learn(arguments, number))
      return error;
  std::string counts = folder_.file("all.counts"), order = folder_.file("app.order");
  if (Error error = writeOutput(counts, [&](raw_ostream &os) {
        os << counts_;
        return Error::success();
      }))
    return error;
  std::vector<std::string> ordering{"--no-progress", "--module-file=" + forms_.before, "-o", order};
  append_range(ordering, records_);
  if (Error error = runStep("warpo-order", ordering))
    return error;
  std::vector<std::string> reordering{"--order=" + order, "--counts=" + counts, forms_.before, "-o",
                                      forms_.after};
  if (keepDebug)
    reordering.push_back("--keep-debug");
  if (quiet_)
    reordering.push_back("-q");
  return runStep("warpo-reorder", reordering);
}

Expected<bool> AutoReorder::compare() {
  for (const std::string &engine : engines()) {
    ProgramTrials trials = trialsIn(engine);
    bool isCompared = false;
    for (const std::string &test : options_.test) {
      auto first = trials.run(forms_.before, test);
      if (!first)
        return first.takeError();
      auto second = trials.run(forms_.before, test);
      if (!second)
        return second.takeError();
      if (std::string difference = differenceOf(*first, *second); !difference.empty()) {
        warn("'" + Twine(test) + "' is not compared: two runs of the original module differ in " +
             difference);
        continue;
      }
      auto after = trials.run(forms_.after, test);
      if (!after)
        return after.takeError();
      if (std::string difference = differenceOf(*first, *after); !difference.empty()) {
        warn("kept the module as it was: '" + Twine(test) + "' differs in " + difference);
        return false;
      }
      isCompared = true;
    }
    if (!isCompared) {
      warn("kept the module as it was: with engine " + engine + " no test could be compared");
      return false;
    }
  }
  return true;
}

Expected<double> AutoReorder::secondsOfTests(const ProgramTrials &trials, StringRef module) const {
  double seconds = 0;
  for (const std::string &test : options_.test) {
    auto result = trials.run(module, test);
    if (!result)
      return result.takeError();
    seconds += result->seconds;
  }
  return seconds;
}

Expected<Gain> AutoReorder::measureIn(StringRef engine) const {
  ProgramTrials trials = trialsIn(engine);
  std::vector<double> gains;
  for (uint64_t round = 0; round != options_.rounds; ++round) {
    // Alternates the order of both variants.
    double seconds[2];
    for (bool isSecond : {false, true}) {
      bool isAfter = isSecond != bool(round % 2);
      auto measured = secondsOfTests(trials, isAfter ? forms_.after : forms_.before);
      if (!measured)
        return measured.takeError();
      seconds[isAfter] = *measured;
    }
    gains.push_back(seconds[0] > 0 ? 1 - seconds[1] / seconds[0] : 0);
  }
  return gainOf(std::move(gains));
}

Expected<bool> AutoReorder::measure() {
  bool isFaster = false, isSlower = false;
  for (const std::string &engine : engines()) {
    auto gain = measureIn(engine);
    if (!gain)
      return gain.takeError();
    isFaster |= gain->least > 0;
    isSlower |= gain->most < 0;
    std::string text;
    raw_string_ostream(text) << format("%.1f %% less CPU time (%.1f to %.1f %%, ",
                                       100 * gain->median, 100 * gain->least, 100 * gain->most);
    say("engine " + engine + ": " + text + Twine(uint64_t(options_.rounds)) + " rounds)");
  }
  if (isSlower)
    say("kept the module as it was: the new one is slower");
  else if (!isFaster)
    say("kept the module as it was: there is no measurable gain");
  return isFaster && !isSlower;
}

static Error checkAuto(const AutoReorderOptions &options, StringRef input) {
  constexpr uint64_t leastRounds = 10, mostRounds = 1000;
  if (input == "-")
    return makeError("--auto needs a file: programs see its name");
  if (options.train.empty() || options.test.empty())
    return makeError(Twine("--auto needs ") +
                     (options.train.empty() ? "--train: the arguments of a run to learn from"
                                            : "--test: the arguments of a run to measure") +
                     ", as in --train='a.md' --test='b.md'");
  if (all_of(options.test,
             [&](const std::string &test) { return is_contained(options.train, test); }))
    return makeError("--auto needs a --test that is not a --train");
  if (options.rounds < leastRounds || options.rounds > mostRounds)
    return makeError("--rounds=" + Twine(uint64_t(options.rounds)) + " is not between " +
                     Twine(leastRounds) + " and " + Twine(mostRounds));
  return Error::success();
}

Expected<ToolResult> warpo::reorderByItself(const AutoReorderOptions &options,
                                            const std::string &input, const std::string &output,
                                            bool keepDebug, bool quiet) {
  if (Error error = checkAuto(options, input))
    return error;
  auto file = OutputFile::create(output);
  if (!file)
    return file.takeError();
  // Otherwise each run of the original would assemble its text.
  auto module = readModuleFile(input);
  if (!module)
    return module.takeError();
  auto folder = TemporaryFolder::create("warpo-reorder");
  if (!folder)
    return folder.takeError();
  AutoReorder job(options, *folder, quiet);
  if (Error error = job.prepare(sys::path::filename(input), (*module)->getBuffer()))
    return error;
  if (Error error = job.train(keepDebug))
    return error;
  auto isBetter = job.compare();
  if (isBetter && *isBetter)
    isBetter = job.measure();
  if (!isBetter)
    return isBetter.takeError();
  auto result = readWholeInput(*isBetter ? job.forms().after : job.forms().before);
  if (!result)
    return result.takeError();
  (*file)->os() << (*result)->getBuffer();
  if (Error error = (*file)->commit())
    return error;
  return ToolResult::done;
}
