//===- CommandTool.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/CommandTool.h"
#include "warpo/Support/Errors.h"
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
    {"flamegraph", "warpo-flamegraph", "Flame graphs, collapsed stacks, pprof and more"},
    {"timeline", "warpo_trace_visualizer", "What happened when: for Perfetto and other viewers"},
    {"record-dump", "warpo-record-dump", "Summarise, check and convert records"},
    {"instrument", "warpo-instrument", "Insert trace points, fuel and the like into a module"},
    {"run", "warpo-run", "Run a program in one of the engines and record it"},
    {"order", "warpo-order", "The order in which functions ran first"},
    {"reorder", "warpo-reorder", "Put a module's functions into an order"},
};

constexpr StringLiteral prefix = "warpo-";

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

/// Commands that others have put on the PATH.
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
  outs() << "OVERVIEW: Shows where WebAssembly programs spend their time.\n\n"
            "USAGE: warpo <command> [options]\n\n"
            "COMMANDS:\n";
  for (const Command &command : ownCommands)
    outs() << "  " << left_justify(command.name, 13) << command.description << '\n';
  if (auto further = findFurtherCommands(); !further.empty()) {
    outs() << "\nALSO ON THE PATH:\n";
    for (const std::string &command : further)
      outs() << "  " << command << '\n';
  }
  outs() << "\nEXAMPLES:\n"
            "  warpo record app.wasm\n"
            "  warpo help flamegraph\n\n"
            "SEE ALSO: README.md\n";
}

Error unknown(StringRef command) {
  std::string message = ("unknown command '" + command + "'").str();
  StringRef extension = sys::path::extension(command);
  if (is_contained({".wasm", ".wat", ".js", ".mjs", ".cjs"}, extension))
    return makeError(message + "; to record it: warpo record " + command);
  if (is_contained({".warpo", ".rec"}, extension))
    return makeError(message + "; to see what is in it: warpo open " + command);
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

} // namespace

Expected<int> warpo::runCommand(ArrayRef<char *> arguments) {
  arguments = arguments.drop_front();
  StringRef command = arguments.empty() ? "" : StringRef(arguments.front());
  if (is_contained({"version", "--version", "-V"}, command)) {
    outs() << "warpo " WARPO_VERSION_STRING "\n";
    return 0;
  }
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
