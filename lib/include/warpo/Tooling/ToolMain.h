//===- ToolMain.h - What every tool's main does ---------------------------===//
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

/// What the tools' exit codes mean.
enum class ToolResult {
  done = 0,
  failed = 1,
  /// Done, but the input was damaged: what was wrong has been said on stderr, with counts.
  damaged = 2,
  /// Done, and something has increased by more than --fail-above allows, or is left that
  /// --fail-on-leaks does not.
  increased = 3,
};

using FlagOption = llvm::cl::opt<bool>;
using NumberOption = llvm::cl::opt<uint64_t>;
using TextOption = llvm::cl::opt<std::string>;
using TextsOption = llvm::cl::list<std::string>;

/// What --help says of an option: a modifier, for cl::desc, cl::value_desc and cl::cat.
struct OptionHelp {
  llvm::cl::OptionCategory &group;
  llvm::StringRef text, value;

  void apply(llvm::cl::Option &option) const {
    option.addCategory(group);
    option.setDescription(text);
    option.setValueStr(value);
  }
};

/// A group of options in --help, which shows no others; groups are sorted by name.
class OptionGroup : public llvm::cl::OptionCategory {
public:
  explicit OptionGroup(llvm::StringRef name);
  OptionHelp option(llvm::StringRef text, llvm::StringRef value = "") {
    return {*this, text, value};
  }
};

/// What warpo-instrument inserts into which functions.
OptionGroup &toolOptions();
// Of the groups that most tools have.
OptionHelp inputOption(llvm::StringRef text, llvm::StringRef value = "");
OptionHelp viewOption(llvm::StringRef text, llvm::StringRef value = "");
OptionHelp outputOption(llvm::StringRef text, llvm::StringRef value = "");

/// The value of an option; nothing if it was not given.
template <typename T> std::optional<T> given(const llvm::cl::opt<T> &option) {
  return option.getNumOccurrences() > 0 ? std::optional<T>(option) : std::nullopt;
}

/// A modifier of an option that names files to be read. They are known before the tool begins, so
/// that an output which is one of them is refused at once.
llvm::cl::cb<void, const std::string &> namesInput();

/// What --help says, beside the options.
struct ToolInfo {
  /// One or two sentences.
  llvm::StringRef overview;
  /// Commands of a line each.
  llvm::StringRef examples;
  /// Where to read on.
  llvm::StringRef page;
  /// Exit code for an error of the tool itself; a tool that passes on another program's code needs
  /// its own.
  int failureCode = 1;
};

/// Fails if there is no input, or more than the options allow.
llvm::Error checkInputs(llvm::ArrayRef<std::string> inputs);

/// Parses the command line, checks its options, loads the plugins, calls `run`, prints its error as
/// `<tool>: error: …`, returns the exit code. Standard output is closed at exit, and what that
/// reports is an error too.
int toolMain(int argc, char **argv, const ToolInfo &info,
             llvm::function_ref<llvm::Expected<ToolResult>()> run);
/// The same for a tool whose exit code is not one of ToolResult.
int toolMainWithCode(int argc, char **argv, const ToolInfo &info,
                     llvm::function_ref<llvm::Expected<int>()> run);

/// The command that started the tool, so that a shell can be given it.
std::string commandLine();

/// What a tool's --list-… does: the members of a registry on standard output.
template <typename T> llvm::Expected<ToolResult> printRegistry() {
  if (llvm::Error error = Registry<T>::print(llvm::outs()))
    return error;
  return ToolResult::done;
}

/// `<tool>: warning: …` on stderr.
void warn(const llvm::Twine &message);
/// `<tool>: …` on stderr.
void note(const llvm::Twine &message);
/// The same, unless there was such a note of this subject.
void noteOnce(llvm::StringRef subject, const llvm::Twine &message);

} // namespace warpo

#endif
