//===- Advice.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Advice.h"
#include "../common/OtherTools.h"
#include "../running/OldRecord.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

namespace {

/// The module in suggested commands. For a script, the files of modules are unknown.
struct NamedModule {
  std::string path = "<module>.wasm";
  /// The beginning of names of files made from it.
  std::string stem;
};

} // namespace

/// Suggests commands that reorder the module by the record.
static void showOrderCommands(StringRef record, const NamedModule &module) {
  std::string order = shellWord(module.stem + ".order");
  note("next: warpo order --module-file=" + module.path + " " + shellWord(record) + " -o " + order);
  note("      warpo reorder " + module.path + " --order=" + order + " -o " +
       shellWord(module.stem + ".ordered.wasm"));
}

/// Suggests commands that show counts, and optimise the module with them.
static void showCountsCommands(StringRef counts, const NamedModule &module) {
  std::string file = shellWord(counts);
  note("next: warpo annotate --module-file=" + module.path + " " + file);
  note("      warpo reorder --counts=" + file + " " + module.path + " -o " +
       shellWord(module.stem + ".better.wasm"));
}

/// Shows where the time went, and suggests commands that show more.
static Expected<int> showRecord(const RecordToolOptions &options, StringRef record) {
  std::vector<std::string> arguments{"--format=bars", "--top=10", record.str()};
  if (options.fuel)
    arguments.push_back("--weight=fuel");
  if (options.heap)
    arguments = {"--heap", record.str()};
  if (given(options.failOnLeaks))
    arguments.push_back("--fail-on-leaks=" + options.failOnLeaks);
  if (options.quiet)
    arguments.insert(arguments.end(), {"-o", "/dev/null"});
  auto code = runTool("warpo-report", arguments, /*outputToStderr=*/true);
  if (!code)
    return code.takeError();
  // The tool has reported the error.
  if (options.quiet || (*code != 0 && *code != int(ToolResult::increased)))
    return code;
  std::string file = shellWord(record);
  note("next: warpo open " + file);
  if (isRecordFile(record))
    note("      warpo timeline " + file + " -o " +
         shellWord((sys::path::stem(record) + ".pftrace").str()) + "   # ui.perfetto.dev");
  return code;
}

Expected<int> warpo::showRecorded(const RecordToolOptions &options, StringRef record,
                                  bool isModule) {
  NamedModule module;
  if (isModule)
    module.path = shellWord(options.program);
  module.stem = sys::path::stem(isModule ? StringRef(options.program) : record).str();
  if (options.order)
    showOrderCommands(record, module);
  else if (options.counts)
    showCountsCommands(record, module);
  else
    return showRecord(options, record);
  return 0;
}
