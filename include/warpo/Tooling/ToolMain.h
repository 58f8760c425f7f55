//===- ToolMain.h - What every tool's main does ---------------------------===//

#ifndef WARPO_TOOLING_TOOLMAIN_H
#define WARPO_TOOLING_TOOLMAIN_H

#include "warpo/Support/Registry.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// What the tools' exit codes mean.
enum class ToolResult {
  done = 0,
  failed = 1,
  /// Done, but the input was damaged: what was wrong has been said on stderr, with counts.
  damaged = 2,
  /// Done, and something has increased by more than --fail-above allows.
  increased = 3,
};

/// The category of a tool's own options: --help shows these and no others.
llvm::cl::OptionCategory &toolOptions();

struct ToolInfo {
  /// One or two sentences for --help.
  llvm::StringRef overview;
  /// Exit code for an error of the tool itself; a tool that passes on another program's code needs
  /// its own.
  int failureCode = 1;
};

/// Parses the command line, loads the plugins, calls `run`, prints its error as `<tool>: error: …`,
/// returns the exit code.
int toolMain(int argc, char **argv, const ToolInfo &info,
             llvm::function_ref<llvm::Expected<ToolResult>()> run);
/// The same for a tool whose exit code is not one of ToolResult.
int toolMainWithCode(int argc, char **argv, const ToolInfo &info,
                     llvm::function_ref<llvm::Expected<int>()> run);

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

} // namespace warpo

#endif
