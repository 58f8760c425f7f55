//===- ToolMain.cpp -------------------------------------------------------===//

#include "warpo/Tooling/ToolMain.h"
#include "HelpText.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/PluginLoader.h"
#include "warpo/Support/Version.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>

using namespace llvm;
using namespace warpo;

static std::string toolName = "warpo";

cl::OptionCategory &warpo::toolOptions() {
  static cl::OptionCategory category("Options");
  return category;
}

static cl::list<std::string> loadPluginOption("load-plugin",
                                              cl::desc("Load a plugin (may be repeated)"),
                                              cl::value_desc("file.so"), cl::cat(toolOptions()));

void warpo::warn(const Twine &message) {
  outs().flush();
  WithColor::warning(errs(), toolName) << displayText(message.str()) << '\n';
}

void warpo::note(const Twine &message) {
  outs().flush();
  errs() << toolName << ": " << displayText(message.str()) << '\n';
}

static void report(Error error) {
  outs().flush();
  handleAllErrors(std::move(error), [](const ErrorInfoBase &info) {
    WithColor::error(errs(), toolName) << displayText(info.message()) << '\n';
  });
}

int warpo::toolMainWithCode(int argc, char **argv, const ToolInfo &info,
                            function_ref<Expected<int>()> run) {
  toolName = sys::path::filename(argv[0]).str();
  // A closed pipe is an error of a write like any other, told once and with an exit code of ours.
  std::signal(SIGPIPE, SIG_IGN);
  cl::HideUnrelatedOptions(toolOptions());
  fitHelp();
  std::string overview = wrapText(info.overview, 80 - strlen("OVERVIEW: "), 80);
  cl::SetVersionPrinter([](raw_ostream &os) { os << "warpo " WARPO_VERSION_STRING "\n"; });
  std::string problems;
  raw_string_ostream problemStream(problems);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &problemStream)) {
    errs() << problemStream.str();
    return info.failureCode;
  }
  if (Error error = loadPlugins(ArrayRef<std::string>(loadPluginOption))) {
    report(std::move(error));
    return info.failureCode;
  }
  Expected<int> code = run();
  if (!code) {
    report(code.takeError());
    return info.failureCode;
  }
  outs().flush();
  if (outs().has_error()) {
    std::string message = outs().error().message();
    outs().clear_error();
    WithColor::error(errs(), toolName) << "<stdout>: " << message << '\n';
    return info.failureCode;
  }
  return *code;
}

int warpo::toolMain(int argc, char **argv, const ToolInfo &info,
                    function_ref<Expected<ToolResult>()> run) {
  return toolMainWithCode(argc, argv, info, [&]() -> Expected<int> {
    Expected<ToolResult> result = run();
    if (!result)
      return result.takeError();
    return int(*result);
  });
}
