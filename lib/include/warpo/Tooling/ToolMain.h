//===- ToolMain.h - Shared by all tools -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_TOOLMAIN_H
#define WARPO_TOOLING_TOOLMAIN_H

#include "warpo/Support/Registry.h"
#include "warpo/Tooling/OptionRules.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace warpo {

/// The tools' exit codes.
enum class ToolResult {
  done = 0,
  failed = 1,
  /// Done, but the input was damaged, as reported on stderr.
  damaged = 2,
  /// Done, but an increase exceeds --fail-above, or leaks exceed --fail-on-leaks.
  increased = 3,
};

using FlagOption = llvm::cl::opt<bool>;
using NumberOption = llvm::cl::opt<uint64_t>;
using TextOption = llvm::cl::opt<std::string>;
using TextsOption = llvm::cl::list<std::string>;

/// A modifier with an option's --help, instead of cl::desc, cl::value_desc and cl::cat.
struct OptionHelp {
  llvm::cl::OptionCategory &group;
  llvm::StringRef text, value;

  void apply(llvm::cl::Option &option) const {
    option.addCategory(group);
    option.setDescription(text);
    option.setValueStr(value);
  }
};

/// A group of options in --help, which shows only options in groups, sorted by the groups' names.
class OptionGroup : public llvm::cl::OptionCategory {
public:
  explicit OptionGroup(llvm::StringRef name);
  OptionHelp option(llvm::StringRef text, llvm::StringRef value = "") {
    return {*this, text, value};
  }
};

/// Options on what warpo-instrument inserts into which functions.
OptionGroup &toolOptions();
// Options in groups that most tools have.
OptionHelp inputOption(llvm::StringRef text, llvm::StringRef value = "");
OptionHelp viewOption(llvm::StringRef text, llvm::StringRef value = "");
OptionHelp outputOption(llvm::StringRef text, llvm::StringRef value = "");

/// The value of an option; nothing if it was not given.
template <typename T> std::optional<T> given(const llvm::cl::opt<T> &option) {
  return option.getNumOccurrences() > 0 ? std::optional<T>(option) : std::nullopt;
}

/// A modifier for an option that names input files. These are known before the tool begins, so that
/// an output that would overwrite one of them is rejected at once.
llvm::cl::cb<void, const std::string &> namesInput();

/// A modifier for an option that makes the tool quiet.
llvm::cl::cb<void, const bool &> silencesNotes();

/// Further texts of --help.
struct ToolInfo {
  /// One or two sentences.
  llvm::StringRef overview;
  /// Commands, one per line.
  llvm::StringRef examples;
  /// The page with more documentation.
  llvm::StringRef page;
  /// Exit code for an error of the tool itself. Different for a tool that forwards another
  /// program's exit code.
  int failureCode = 1;
};

/// Fails if there is no input, or more inputs than the options allow.
llvm::Error checkInputs(llvm::ArrayRef<std::string> inputs);

/// Parses the command line, checks its options, loads plugins, calls `run`, prints its error as
/// `<tool>: error: …` and returns the exit code. Closes standard output at exit; an error from that
/// counts as well.
int toolMain(int argc, char **argv, const ToolInfo &info,
             llvm::function_ref<llvm::Expected<ToolResult>()> run);
/// The same for a tool with exit codes that are not ToolResult.
int toolMainWithCode(int argc, char **argv, const ToolInfo &info,
                     llvm::function_ref<llvm::Expected<int>()> run);

/// The command that started the tool, quoted for a shell.
std::string commandLine();

/// Implements --list-…: prints the members of a registry to standard output.
template <typename T> llvm::Expected<ToolResult> printRegistry() {
  if (llvm::Error error = Registry<T>::print(llvm::outs()))
    return error;
  return ToolResult::done;
}

/// Prints `<tool>: warning: …` on stderr.
void warn(const llvm::Twine &message);
/// Prints `<tool>: …` on stderr, unless the tool is to be quiet.
void note(const llvm::Twine &message);
/// The same, but also if the tool is to be quiet: says why it ends with ToolResult::increased.
void explainExitCode(const llvm::Twine &message);
/// The same, unless there was a note with this subject before.
void noteOnce(llvm::StringRef subject, const llvm::Twine &message);

} // namespace warpo

#endif
