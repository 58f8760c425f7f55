//===- OpenTool.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/OpenTool.h"
#include "../common/OtherTools.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ProfileTool.h"
#include "warpo/Tooling/TimelineTool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;
using namespace warpo;

/// The words of a command with `path` in place of `%s`, or at its end.
static std::vector<std::string> withPath(StringRef command, const std::string &path) {
  SmallVector<StringRef> words;
  command.split(words, ' ', -1, /*KeepEmpty=*/false);
  std::vector<std::string> result;
  bool isIn = false;
  for (StringRef word : words) {
    auto [before, after] = word.split("%s");
    isIn |= before.size() < word.size();
    result.push_back(before.size() < word.size() ? (before + path + after).str() : word.str());
  }
  if (!isIn)
    result.push_back(path);
  return result;
}

static std::vector<std::string> knownBrowsers() {
  std::vector<std::string> commands;
  // As usual, `:` separates commands to be tried in order.
  SmallVector<StringRef> given;
  if (const char *browsers = std::getenv("BROWSER"))
    StringRef(browsers).split(given, ':', -1, /*KeepEmpty=*/false);
  for (StringRef command : given)
    if (!command.trim().empty())
      commands.push_back(command.str());
#ifdef __APPLE__
  commands.push_back("open");
#else
  // Without a display, xdg-open would start a browser in this terminal.
  if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY"))
    commands.push_back("xdg-open");
#endif
  return commands;
}

/// Returns whether a browser has opened the file.
static bool openInBrowser(const std::string &path) {
  for (StringRef command : knownBrowsers()) {
    std::vector<std::string> words = withPath(command, path);
    auto program = sys::findProgramByName(words.front());
    if (!program)
      continue;
    auto code = runProgram(*program, std::move(words), /*outputToStderr=*/true);
    if (code && *code == 0)
      return true;
    if (!code)
      consumeError(code.takeError());
  }
  return false;
}

/// A path for a report of `record`, in a new folder that only the user can read.
static Expected<std::string> temporaryReport(StringRef record) {
  std::string stem = record == "-" ? "stdin" : sys::path::stem(record).str();
  SmallString<128> folder;
  std::error_code code = sys::fs::createUniqueDirectory("warpo-open", folder);
  if (!code)
    code = sys::fs::setPermissions(folder, sys::fs::owner_all);
  if (code)
    return fileError("temporary folder", code);
  return (folder + "/" + stem + ".html").str();
}

namespace {

/// Examines the first entries of a record.
class FirstEntries : public EventSink {
public:
  Error events(const EventBatch &batch) override {
    hasCalls_ |= !batch.empty();
    return Error::success();
  }
  Error beside(const SideBatch &batch) override {
    hasSamples_ |= !batch.entries.samples.empty();
    return Error::success();
  }
  Error finish() override { return Error::success(); }
  bool done() const override { return hasCalls_ || hasSamples_; }
  bool hasCallsAlone() const { return hasCalls_ && !hasSamples_; }

private:
  bool hasCalls_ = false;
  bool hasSamples_ = false;
};

} // namespace

/// Whether a report with a timeline shows everything: there are calls, and time is the only
/// measure. Errors are reported when the record is read again.
static bool hasTimeline(ArrayRef<std::string> records, const ReadingOptions &reading) {
  // A pipe can be read only once.
  if (records.size() != 1 || records.front() == "-")
    return false;
  auto input = RecordInput::openAll(records, reading);
  if (!input) {
    consumeError(input.takeError());
    return false;
  }
  FirstEntries first;
  auto result = (*input)->slice(first);
  if (!result) {
    consumeError(result.takeError());
    return false;
  }
  const RecordHeader &header = (*input)->reader().header();
  return first.hasCallsAlone() && header.hasTime() && header.columns().empty();
}

static Expected<ToolResult> writeReport(ArrayRef<std::string> records, const std::string &report) {
  // Created after the command line was parsed, so that options have their default values.
  static ReadingOptions reading(/*showsFunctions=*/false, /*takesSymbols=*/false);
  static ProfileOptions profile;
  if (hasTimeline(records, reading))
    return writeTimeline({.records = records,
                          .output = report,
                          .format = "html",
                          .options = {},
                          .clock = TimelineRequest::Clock::timeOrTicks},
                         reading);
  return writeProfile(
      {.inputs = records, .output = report, .format = "html", .formatOptions = {}, .title = ""},
      reading, profile);
}

Expected<ToolResult> warpo::openReport(ArrayRef<std::string> records, StringRef output) {
  std::string report = output.str();
  if (report.empty()) {
    auto path = temporaryReport(records.front());
    if (!path)
      return path.takeError();
    report = *path;
  }
  auto result = writeReport(records, report);
  if (!result) {
    if (output.empty())
      sys::fs::remove_directories(sys::path::parent_path(report));
    return result.takeError();
  }
  if (report == "-")
    return result;
  SmallString<128> absolute(report);
  sys::fs::make_absolute(absolute);
  bool isOpen = openInBrowser(absolute.str().str());
  note((isOpen ? "the report is " : "no browser could be opened; the report is ") + absolute.str());
  return result;
}
