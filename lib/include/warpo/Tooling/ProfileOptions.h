//===- ProfileOptions.h - The views of profiles ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The options --focus, --invert, …, and the fixed order in which their views are applied, see
// docs/views.md.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_PROFILEOPTIONS_H
#define WARPO_TOOLING_PROFILEOPTIONS_H

#include "warpo/Profile/Profile.h"
#include "warpo/Profile/Views.h"
#include "warpo/Support/NameGlobs.h"
#include "warpo/Tooling/KnownValues.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

/// How a profile is made from a record.
struct ProfileSource {
  CallTreeOptions limits = {};
  RecordPart part = RecordPart::any;
  /// Whether to count the time for which stacks were suspended.
  bool countsSuspensions = false;
  /// Whether to put tasks below the calls that started them.
  bool joinsTasks = false;
  /// Whether functions without contexts are sufficient: their sums are exact whatever the limits
  /// are.
  bool isFlat = false;
  /// The shown weight; empty: the default.
  std::string weight = {};
  /// Whether the phases of the host are the roots; if `weight` is a column of the record, only
  /// phases for which its amount is known.
  enum class Roots : uint8_t { calls, phases } roots = Roots::calls;
  /// Whether each thread has a frame, if the record knows threads.
  bool perThread = false;
  /// Whether to distinguish functions by executed lines, as far as samples know them.
  bool showsLines = false;
  /// Whether inlined functions count as part of the function that contains them.
  bool foldsInlined = false;
  /// Whether to distribute the self time of called functions over the functions inlined into them,
  /// and a file with execution counts of their code; empty: distribute by the cost of the code
  /// alone.
  bool splitsInlined = false;
  std::string inlineCounts = {};
  /// Whether to show heaps: never, if there is nothing else, or whenever there are heap events; and
  /// the moment, in the syntax of --at.
  enum class Heap : uint8_t { never, alone, always } heap = Heap::alone;
  std::string heapAt = {};
  /// The length in nanoseconds of windows of time, each of which is a root, see WindowRoots; 0: no
  /// windows.
  uint64_t every = 0;
  /// Samples of the original program that provide the times; empty: times of the input itself.
  std::string timeFrom = {};
};

/// The command line options of a tool that shows profiles. A tool has one static object, so that
/// the options are registered before main.
struct ProfileOptions : CallOptions {
  /// The part selected by --calls and --samples.
  RecordPart part() const;
  /// The source for these options. Its depth suffices for --max-depth.
  ProfileSource source() const;
  bool joinsTasks() const { return async == "joined"; }

  TextOption weight{
      "weight",
      viewOption(
          "What to show: time (default), calls, fuel, samples or another weight; time/fuel: time, "
          "and time per fuel; for heaps inuse_space, inuse_objects, alloc_space, alloc_objects",
          "name"),
      needs(Need::weights),
      excludes({"no-time"}).when("{time,time/*,*/time}"),
      excludes({"diff"}).when("*/*").because("differences are of a single weight"),
      needs(Need::calls).when("calls"),
      needs(Need::samples).when("samples"),
      needs(Need::heap).when("{alloc,inuse}_{space,objects}")};
  TextOption at{"at",
                viewOption("The moment for weights of heaps: end (default), peak, a time, or the "
                           "end of a phase or a section",
                           "when"),
                needs(Need::sums),
                needs(Need::weights),
                needs(Need::heap),
                excludes({"from", "slices"}).because("what is in use is not known there")};
  TextOption timeFrom{
      "time-from",
      viewOption("Take times from these samples of the uninstrumented program", "record"),
      namesInput(),
      needs(Need::sums),
      needs(Need::weights),
      excludes(
          {"diff", "from", "no-time", "phases", "samples", "slices", "subtract-overhead", "to"})};
  TextOption inlines{"inlines",
                     viewOption("Divide the self time of calls among inlined functions, by the "
                                "cost of their code and these execution counts: an estimate",
                                "counts"),
                     llvm::cl::ValueOptional,
                     namesInput(),
                     needs(Need::sums),
                     needs("places-from").when("?*"),
                     excludes({"no-inlines", "time-from"})};
  FlagOption noTime{"no-time", viewOption("Show calls and no time: the same output on each run")};
  llvm::cl::opt<uint32_t> maxContexts{
      "max-contexts",
      viewOption("Count further calling contexts as (other) (default: 1000000)", "n"),
      llvm::cl::init(CallTreeBuilder::Options().maxContexts), needs(Need::sums)};
  TextsOption focus{"focus", viewOption("Only stacks with a matching function", "glob"),
                    needs(Need::sums)};
  TextsOption ignore{"ignore", viewOption("Only stacks without a matching function", "glob"),
                     needs(Need::sums)};
  TextsOption root{"root", viewOption("Start stacks at their outermost matching function", "glob"),
                   needs(Need::sums)};
  TextsOption module{"module",
                     viewOption("Only functions of matching modules, by id or name", "glob"),
                     needs(Need::sums)};
  TextsOption hide{"hide", viewOption("Count matching functions as part of their callers", "glob"),
                   needs(Need::sums)};
  FlagOption foldRecursion{"fold-recursion",
                           viewOption("Count recursive calls as part of the outer one"),
                           needs(Need::sums)};
  FlagOption perModule{"per-module",
                       viewOption("Add a frame for each module, around its outermost calls"),
                       needs(Need::sums)};
  FlagOption perThread{
      "per-thread",
      viewOption("Add a frame for each thread that the record knows, around its calls"),
      needs(Need::sums), needs(Need::singleCalls), excludes({"time-from"})};
  TextOption by{"by",
                viewOption("Group functions by line, file, directory or module, or show each: "
                           "function (default)",
                           "group"),
                oneOf({"function", "line", "file", "directory", "module"}), needs(Need::sums)};
  FlagOption invert{"invert", viewOption("Show callers below their callees"), needs(Need::sums)};
  // A context that is small on one side of a difference may be large on the other.
  TextOption min{
      "min", viewOption("Merge contexts with a smaller share into (small), as in 0.1%", "share"),
      needs(Need::sums), excludes({"diff"})};
  FlagOption wall{"wall", viewOption("Count time while a stack was suspended, or its thread idle")};
  TextOption async{"async",
                   viewOption("Calls of tasks (promises): separate (default), or joined, below the "
                              "calls that started them",
                              "where"),
                   oneOf({"separate", "joined"}),
                   needs(Need::sums),
                   needs(Need::singleCalls).when("joined"),
                   excludes({"one-stack", "per-thread", "samples"}).when("joined")};
  FlagOption calls{"calls",
                   viewOption("Show the calls of a record with calls and samples (default)"),
                   needs(Need::calls), lacks(Need::samples), lacks(Need::heap)};
  FlagOption samples{"samples", viewOption("Show the samples of a record with calls and samples"),
                     needs(Need::samples), lacks(Need::calls), lacks(Need::heap)};
};

/// The views requested by options. These are checked by create(), so that mistakes are reported
/// before a record is read.
class ProfileViews {
public:
  static llvm::Expected<ProfileViews> create(const ProfileOptions &options);

  /// Applies the views, and reports on stderr what they left out. Fails if the profile lacks the
  /// weight to show.
  llvm::Expected<Profile> apply(Profile profile) const;

  /// What the views left out of all shown parts, in the order of the views.
  struct LeftOut {
    struct Sum {
      std::string option;
      std::string unit;
      uint64_t whole = 0;
      uint64_t shown = 0;
    };
    std::vector<Sum> sums;
    uint64_t cutStacks = 0;
  };

  /// The steps of apply(). The first renames functions and looks up functions that views refer to,
  /// which needs all functions of a profile; the second shows a part of its result; the third
  /// reports on stderr what was left out of all parts.
  llvm::Expected<Profile> prepare(Profile profile) const;
  Profile show(Profile part, LeftOut &leftOut) const;
  void report(const LeftOut &leftOut) const;

  /// How the views group functions; nothing: they do not.
  std::optional<FunctionGroup> group() const { return group_; }

  /// Whether the views need more than the functions of a profile.
  bool needContexts() const;

private:
  using View = Profile (*)(const Profile &, const NameGlobs &);
  struct GlobStep {
    const TextsOption &option;
    NameGlobs globs;
    View view;
  };

  explicit ProfileViews(const ProfileOptions &options) : options_(options) {}
  llvm::Error addStep(const TextsOption &option, View view);
  Profile inverted(const Profile &profile, LeftOut &leftOut) const;

  const ProfileOptions &options_;
  std::vector<GlobStep> globSteps_;
  std::optional<double> minShare_;
  std::optional<FunctionGroup> group_;
};

/// Parses a share such as `0.1%` or `0.001` to a number from 0 to 1.
llvm::Expected<double> parseShare(llvm::StringRef text, llvm::StringRef option);

} // namespace warpo

#endif
