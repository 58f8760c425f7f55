//===- ToolMain.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ToolMain.h"
#include "Completion.h"
#include "HelpText.h"
#include "ManualPage.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/PluginLoader.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static std::string toolName = "warpo";
static int failureCode = 1;

static ArrayRef<char *> commandWords;

std::string warpo::commandLine() {
  std::string result = toolName;
  for (const char *word : commandWords.drop_front())
    result += " " + shellWord(word);
  return result;
}

static TextsOption loadPluginOption("load-plugin",
                                    inputOption("Load a plugin (may be repeated)", "file.so"),
                                    namesInput());

static std::vector<std::string> &namedInputs() {
  static std::vector<std::string> names;
  return names;
}

cl::cb<void, const std::string &> warpo::namesInput() {
  return cl::callback([](const std::string &path) {
    if (!path.empty())
      namedInputs().push_back(path);
  });
}

void warpo::noteOnce(StringRef subject, const Twine &message) {
  static StringSet<> said;
  if (said.insert(subject).second)
    note(message);
}

/// Removes folders of a TemporaryFolder from a message: tools run copies of modules there, but
/// users know only the modules' names.
static std::string shown(std::string text) {
  SmallString<128> temporary;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, temporary);
  Regex folderOfCopy(Regex::escape(temporary.str().rtrim('/')) +
                     "/+warpo(-[a-z]+)?-[0-9a-f]+/[0-9]+/");
  while (folderOfCopy.match(text))
    text = folderOfCopy.sub("", text);
  return displayText(text);
}

void warpo::warn(const Twine &message) {
  outs().flush();
  WithColor::warning(errs(), toolName) << shown(message.str()) << '\n';
}

static bool areNotesSilent = false;

cl::cb<void, const bool &> warpo::silencesNotes() {
  return cl::callback([](const bool &isSilent) { areNotesSilent = isSilent; });
}

void warpo::note(const Twine &message) {
  if (!areNotesSilent)
    explainExitCode(message);
}

void warpo::explainExitCode(const Twine &message) {
  outs().flush();
  errs() << toolName << ": " << shown(message.str()) << '\n';
}

// Prints no error for a closed pipe: a reader such as `head` has read enough. Only the exit code
// shows it.
static void report(Error error) {
  outs().flush();
  handleAllErrors(std::move(error), [](const ErrorInfoBase &info) {
    if (info.convertToErrorCode() != std::errc::broken_pipe)
      WithColor::error(errs(), toolName) << shown(info.message()) << '\n';
  });
}

// If a standard descriptor is closed, the next opened file would get it, and then receive what is
// written to standard output. Here, reading input and writing output fail with EBADF instead;
// messages are dropped.
static void reserveStandardDescriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0)
      (void)open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

// Called at exit, as --help and similar options exit while options are parsed. Some file systems
// report a full disk only in close().
static void closeStandardOutput() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error();
  if (close(STDOUT_FILENO) != 0 && !code)
    code = std::error_code(errno, std::generic_category());
  if (!code)
    return;
  report(fileError("<stdout>", code));
  _exit(failureCode);
}

Error warpo::checkInputs(ArrayRef<std::string> inputs) {
  if (inputs.empty())
    return makeError("no record is given (a file, or - for standard input)");
  return inputs.size() == 1 ? Error::success()
                            : checkNeeds(Need::oneRecord, Twine(inputs.size()) + " are given");
}

static Error enterNamedInputs() {
  if (llvm::count(namedInputs(), "-") > 1)
    return makeError("two inputs come from standard input");
  for (const std::string &path : namedInputs())
    if (Error error = FilesInUse::enterInput(path))
      return error;
  return Error::success();
}

/// Replaces `--output`, as other programs call it, by `-o` in the arguments up to `--`, which
/// precedes the program's arguments.
static std::vector<const char *> withShortOutput(int argc, char **argv, StringSaver &made) {
  std::vector<const char *> arguments(argv, argv + argc);
  const auto &known = cl::getRegisteredOptions();
  if (!known.contains("o") || known.contains("output"))
    return arguments;
  for (size_t i = 1; i < arguments.size() && StringRef(arguments[i]) != "--"; ++i) {
    StringRef argument = arguments[i];
    if (argument == "--output")
      arguments[i] = "-o";
    else if (argument.consume_front("--output="))
      arguments[i] = made.save("-o=" + argument).data();
  }
  return arguments;
}

static ManualPage manualPage(const ToolInfo &info) {
  ManualPage page{.tool = toolName,
                  .overview = info.overview,
                  .usage = usageArguments(),
                  .groups = shownOptions(),
                  .exitCodes = {},
                  .examples = info.examples,
                  .page = info.page};
  // A tool that forwards another program's exit code says so in its overview.
  if (info.failureCode != int(ToolResult::failed))
    return page;
  page.exitCodes = {{int(ToolResult::done), "Done."}, {int(ToolResult::failed), "Failed."}};
  const auto &known = cl::getRegisteredOptions();
  if (known.contains("strict"))
    page.exitCodes.emplace_back(int(ToolResult::damaged),
                                "Done, but the input was damaged; --strict makes that 1.");
  if (known.contains("fail-on-leaks"))
    page.exitCodes.emplace_back(
        int(ToolResult::increased),
        "Done, and something has increased by more than --fail-above allows, or is left that "
        "--fail-on-leaks does not.");
  else if (known.contains("fail-above"))
    page.exitCodes.emplace_back(
        int(ToolResult::increased),
        "Done, and something has increased by more than --fail-above allows.");
  return page;
}

int warpo::toolMainWithCode(int argc, char **argv, const ToolInfo &info,
                            function_ref<Expected<int>()> run) {
  toolName = sys::path::filename(argv[0]).str();
  commandWords = ArrayRef(argv, size_t(argc));
  failureCode = info.failureCode;
  reserveStandardDescriptors();
  // Created before the handler is registered, so that they are destroyed later.
  outs(), errs();
  std::atexit(closeStandardOutput);
  FilesInUse filesInUse;
  // A closed pipe is then a normal write error, which leads to our exit code and the removal of
  // incomplete files.
  std::signal(SIGPIPE, SIG_IGN);
  std::string overview = fitHelp(info);
  cl::SetVersionPrinter([](raw_ostream &os) { os << "warpo " WARPO_VERSION_STRING "\n"; });
  std::string problems;
  raw_string_ostream problemStream(problems);
  BumpPtrAllocator room;
  StringSaver made(room);
  std::vector<const char *> arguments = withShortOutput(argc, argv, made);
  // For the build and for shells. These are not options, as any word may follow.
  StringRef asked = argc > 1 ? argv[1] : "";
  if (asked == "--manual-page") {
    writeManualPage(manualPage(info), outs());
    return 0;
  }
  if (asked == "--complete") {
    Completion completion = completeWords(std::vector<StringRef>(argv + 2, argv + argc));
    print(completion, outs());
    if (completion.list.empty())
      return 0;
    arguments = {argv[0], made.save(completion.list).data()};
  }
  if (!cl::ParseCommandLineOptions(int(arguments.size()), arguments.data(), overview,
                                   &problemStream)) {
    errs() << problemStream.str();
    return info.failureCode;
  }
  Error failed = checkOptions();
  if (!failed)
    failed = enterNamedInputs();
  if (!failed)
    failed = loadPlugins(ArrayRef<std::string>(loadPluginOption));
  Expected<int> code = failed ? Expected<int>(std::move(failed)) : run();
  if (code)
    return *code;
  report(code.takeError());
  return failureCode;
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
