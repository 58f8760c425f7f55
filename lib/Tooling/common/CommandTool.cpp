//===- CommandTool.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/CommandTool.h"
#include "Completion.h"
#include "ManualPage.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

struct Command {
  StringLiteral name, tool, description;
};

constexpr Command ownCommands[] = {
    {"record", "warpo-record", "Run a program and record where its time goes"},
    {"open", "warpo-open", "Show a record in the browser"},
    {"report", "warpo-report", "Tables: which functions take the time, what has changed"},
    {"annotate", "warpo-annotate", "Source code with the weight of each line"},
    {"flamegraph", "warpo-flamegraph", "Flame graphs, collapsed stacks, pprof and more"},
    {"timeline", "warpo_trace_visualizer", "Timelines for Perfetto and other viewers"},
    {"record-dump", "warpo-record-dump", "Summarise, check and convert records"},
    {"instrument", "warpo-instrument", "Insert trace points, fuel and the like into a module"},
    {"run", "warpo-run", "Run a program in one of the engines and record it"},
    {"order", "warpo-order", "Compute an order of functions from records"},
    {"reorder", "warpo-reorder", "Put a module's functions into an order"},
};

constexpr StringLiteral prefix = "warpo-";
constexpr StringLiteral overview = "Shows where WebAssembly programs spend their time.";
constexpr StringLiteral usage = "<command> [options]";
constexpr StringLiteral examples = "  warpo record app.wasm\n"
                                   "  warpo help flamegraph";
constexpr StringLiteral page = "README.md";

std::string folderOfThisProgram() {
  return sys::path::parent_path(
             sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&runCommand)))
      .str();
}

/// Empty if there is none.
std::string findTool(StringRef tool) {
  std::string folder = folderOfThisProgram();
  if (auto path = sys::findProgramByName(tool, {folder}))
    return *path;
  auto path = sys::findProgramByName(tool);
  return path ? *path : "";
}

StringRef toolOf(StringRef command, std::string &room) {
  for (const Command &own : ownCommands)
    if (own.name == command)
      return own.tool;
  room = (prefix + command).str();
  return room;
}

/// Commands of other programs on the PATH.
std::set<std::string> findFurtherCommands() {
  std::set<std::string> commands;
  SmallVector<StringRef> folders;
  StringRef path = std::getenv("PATH");
  path.split(folders, ':', -1, /*KeepEmpty=*/false);
  for (StringRef folder : folders) {
    std::error_code code;
    for (sys::fs::directory_iterator file(folder, code), end; file != end && !code;
         file.increment(code)) {
      StringRef name = sys::path::filename(file->path());
      bool isOwn = any_of(ownCommands, [&](const Command &own) { return own.tool == name; });
      if (name.consume_front(prefix) && !isOwn && sys::fs::can_execute(file->path()))
        commands.insert(name.str());
    }
  }
  return commands;
}

void printHelp() {
  outs() << "OVERVIEW: " << overview << "\n\nUSAGE: warpo " << usage << "\n\nCOMMANDS:\n";
  for (const Command &command : ownCommands)
    outs() << "  " << left_justify(command.name, 13) << command.description << '\n';
  if (auto further = findFurtherCommands(); !further.empty()) {
    outs() << "\nALSO ON THE PATH:\n";
    for (const std::string &command : further)
      outs() << "  " << command << '\n';
  }
  outs() << "\nEXAMPLES:\n" << examples << "\n\nSEE ALSO: " << page << '\n';
}

void printManualPage() {
  ManualPage manual{.tool = "warpo",
                    .overview = overview,
                    .usage = usage.str(),
                    .heading = "COMMANDS",
                    .groups = {{"", {}}},
                    .exitCodes = {},
                    .examples = examples,
                    .page = page};
  for (const Command &command : ownCommands)
    manual.groups.front().options.push_back(
        {.name = command.name,
         .spelling = command.name.str(),
         .value = "",
         .description = (command.description + "; its page is " + command.tool + "(1)").str(),
         .values = {}});
  writeManualPage(manual, outs());
}

Error unknown(StringRef command) {
  std::string message = ("unknown command '" + command + "'").str();
  StringRef extension = sys::path::extension(command);
  if (is_contained({".wasm", ".wat", ".js", ".mjs", ".cjs"}, extension))
    return makeError(message + "; to record it: warpo record " + shellWord(command));
  if (is_contained({".warpo", ".rec"}, extension))
    return makeError(message + "; to see what is in it: warpo open " + shellWord(command));
  const Command *nearest = nullptr;
  unsigned distance = 3;
  for (const Command &own : ownCommands)
    if (unsigned d = command.edit_distance(own.name, true, distance); d < distance) {
      nearest = &own;
      distance = d;
    }
  return makeError(message + (nearest ? "; did you mean '" + nearest->name.str() + "'?"
                                      : "; warpo help lists the commands"));
}

/// Does not return if the tool starts.
Error become(StringRef command, ArrayRef<char *> arguments) {
  std::string room;
  StringRef tool = toolOf(command, room);
  std::string path = findTool(tool);
  if (path.empty())
    return command.starts_with("-") || tool == room
               ? unknown(command)
               : makeError("there is no program '" + tool + "' beside warpo or on the PATH");
  std::string name = tool.str();
  std::vector<char *> given{name.data()};
  append_range(given, arguments);
  given.push_back(nullptr);
  outs().flush();
  execv(path.c_str(), given.data());
  return fileError(path, std::error_code(errno, std::generic_category()));
}

/// Prints completions of the last word: commands, or those of the command's tool. Does not call
/// foreign tools, which may treat the request as normal arguments.
Expected<int> complete(ArrayRef<char *> words) {
  bool namesCommand = words.size() == 1 || (words.size() == 2 && StringRef(words[0]) == "help");
  if (namesCommand) {
    Completion completion;
    for (const Command &command : ownCommands)
      completion.candidates.emplace_back(command.name, command.description);
    for (const std::string &command : findFurtherCommands())
      completion.candidates.emplace_back(command, "on the PATH");
    if (words.size() == 1) {
      completion.candidates.emplace_back("help", "Show what a command does");
      completion.candidates.emplace_back("version", "Show the version");
    }
    print(completion, outs());
    return 0;
  }
  if (words.empty() ||
      none_of(ownCommands, [&](const Command &own) { return own.name == words[0]; }))
    return 0;
  static char ask[] = "--complete";
  std::vector<char *> arguments{ask};
  append_range(arguments, words.drop_front());
  return become(words[0], arguments);
}

} // namespace

Expected<int> warpo::runCommand(ArrayRef<char *> arguments) {
  arguments = arguments.drop_front();
  StringRef command = arguments.empty() ? "" : StringRef(arguments.front());
  if (is_contained({"version", "--version", "-V"}, command)) {
    outs() << "warpo " WARPO_VERSION_STRING "\n";
    return 0;
  }
  if (command == "--manual-page") {
    printManualPage();
    return 0;
  }
  if (command == "--complete")
    return complete(arguments.drop_front());
  bool asksForHelp = is_contained({"", "help", "--help", "-h"}, command);
  if (!asksForHelp)
    return become(command, arguments.drop_front());
  if (arguments.size() > 1) {
    static char help[] = "--help";
    char *argument = help;
    return become(arguments[1], argument);
  }
  printHelp();
  return command.empty() ? 1 : 0;
}
