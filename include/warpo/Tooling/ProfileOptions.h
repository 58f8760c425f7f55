//===- ProfileOptions.h - The views that a tool shows profiles in ---------===//
//
// The options --focus, --invert, …, and the one order in which their views are taken, see
// docs/views.md.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_PROFILEOPTIONS_H
#define WARPO_TOOLING_PROFILEOPTIONS_H

#include "warpo/Profile/Profile.h"
#include "warpo/Support/NameGlobs.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

/// What of a record makes its profile.
struct ProfileSource {
  CallTreeOptions limits = {};
  /// By default samples where there are no calls.
  enum class Part : uint8_t { any, calls, samples } part = Part::any;
  /// Whether the phases of the host are the roots; or those of them that have fuel.
  enum class Roots : uint8_t { calls, phases, phasesWithFuel } roots = Roots::calls;
};

/// The command line options of a tool that shows profiles. A tool has one, static, so that the
/// options are known before main.
struct ProfileOptions {
  ProfileOptions();

  llvm::cl::opt<std::string> weight;
  llvm::cl::opt<bool> noTime;
  llvm::cl::opt<uint32_t> maxContexts;
  llvm::cl::opt<bool> noDemangle;
  llvm::cl::list<std::string> focus;
  llvm::cl::list<std::string> ignore;
  llvm::cl::list<std::string> root;
  llvm::cl::list<std::string> module;
  llvm::cl::list<std::string> hide;
  llvm::cl::opt<bool> foldRecursion;
  llvm::cl::opt<bool> perModule;
  llvm::cl::opt<bool> invert;
  llvm::cl::opt<uint32_t> maxDepth;
  llvm::cl::opt<std::string> min;
  llvm::cl::opt<bool> calls;
  llvm::cl::opt<bool> samples;
  /// `roots`; empty if it was given without a value, which a tool may take for something else.
  llvm::cl::opt<std::string> phases;

  /// How deep a record's calls are to be counted, so that --max-depth finds what it needs.
  ProfileSource source() const;
};

/// The views that options ask for: first checked, so that a slip is told before a record is read.
class ProfileViews {
public:
  static llvm::Expected<ProfileViews> create(const ProfileOptions &options);

  /// The profile in these views. Says on stderr what is left out. An error if it does not have the
  /// weight that shall be shown.
  llvm::Expected<Profile> apply(Profile profile) const;

private:
  using View = Profile (*)(const Profile &, const NameGlobs &);
  struct GlobStep {
    std::string option;
    NameGlobs globs;
    View view;
  };

  explicit ProfileViews(const ProfileOptions &options) : options_(options) {}
  llvm::Error addStep(const llvm::cl::list<std::string> &option, View view);
  Profile inverted(const Profile &profile) const;

  const ProfileOptions &options_;
  std::vector<GlobStep> globSteps_;
  std::optional<double> minShare_;
};

/// A share as --min takes it, `0.1%` or `0.001`, as a number from 0 to 1.
llvm::Expected<double> parseShare(llvm::StringRef text, llvm::StringRef option);

} // namespace warpo

#endif
