//===- PlainPlaces.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An instrumented module contains its source locations, which recorders copy. An uninstrumented
// module has only debug information, if any, which recorders do not read.
//
//===----------------------------------------------------------------------===//

#include "PlainPlaces.h"
#include "../common/OtherTools.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Errors.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;

static bool describesFunctions(const LocatorInput &input) {
  auto places = locateModule(input);
  if (places && !places->functions.empty())
    return true;
  std::string problem;
  if (!places)
    problem = toString(places.takeError());
  else if (!places->problems.empty())
    problem = places->problems.front();
  if (!problem.empty())
    warn(input.module.fileName + ": no source places: " + problem);
  return false;
}

/// False for standard input, which cannot be read again, and for an unreadable module, which the
/// engine has reported.
static bool hasDebugInformation(StringRef path) {
  if (path == "-")
    return false;
  auto file = readModuleFile(path);
  if (!file)
    return consumeError(file.takeError()), false;
  auto module = wasm::readModule(arrayRefFromStringRef((*file)->getBuffer()), path);
  if (!module)
    return consumeError(module.takeError()), false;
  const LocatorInput input = {*module, path, "", ""};
  // Reading DWARF takes long. If the module still has names, it usually describes functions; an
  // optimising linker may remove both.
  bool isLikely = module->findCustomSection(".debug_info") && !module->names.functions.empty();
  return canLocate(input) && (isLikely || describesFunctions(input));
}

Error warpo::addPlainPlaces(StringRef record, ArrayRef<std::string> modules,
                            const TemporaryFolder &folder) {
  std::string placed = folder.file("placed.warpo");
  std::vector<std::string> arguments{"--format=warpo", "-o", placed, record.str()};
  size_t withoutPlaces = arguments.size();
  for (const std::string &module : modules)
    if (hasDebugInformation(module))
      arguments.push_back("--places-from=" + module);
  if (arguments.size() == withoutPlaces)
    return Error::success();
  auto code = runTool("warpo-record-dump", arguments);
  if (!code)
    return code.takeError();
  // The tool has reported why it wrote nothing.
  if (!sys::fs::exists(placed))
    return Error::success();
  std::error_code copied = sys::fs::copy_file(placed, record);
  return copied ? fileError(record, copied) : Error::success();
}
