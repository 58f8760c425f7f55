//===- ReadingOptions.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Demangle.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ReadingTool.h"

using namespace llvm;
using namespace warpo;

ReadingOptions::ReadingOptions(bool showsFunctions, bool takesSymbols) {
  // Tools that read records only for another one of their options create these when they need them.
  if (cl::getRegisteredOptions().count("q") == 0)
    quiet.emplace("q", outputOption("Say nothing unless something is wrong"), silencesNotes());
  if (takesSymbols) {
    symbols.emplace("symbols",
                    inputOption("Names for a stripped module: Emscripten's symbols, the module "
                                "with names, or a source map (may be repeated)",
                                "[module=]file"),
                    namesInput(), excludes({"mapping"}));
    placesFrom.emplace("places-from",
                       inputOption("Source places that the record lacks, from the original or the "
                                   "instrumented module (may be repeated)",
                                   "module"));
  }
  if (!showsFunctions)
    return;
  showKinds.emplace(
      "show-kinds",
      viewOption("Distinguish how functions were entered: f, f [reference], f [host]"),
      needs(Need::singleCalls));
  joinImports.emplace("join-imports",
                      viewOption("Count calls of imports that lead to another module as part of "
                                 "their callers"),
                      needs(Need::singleCalls));
  trimPath.emplace("trim-path",
                   viewOption("Remove this prefix from the paths of source files", "folder"));
  sourceRoot.emplace("source-root",
                     viewOption("The folder for relative paths of source files", "folder"));
  noInlines.emplace(
      "no-inlines",
      viewOption("Count inlined functions as part of the function that contains them"));
}

std::optional<SourcePaths> ReadingOptions::sourcePaths() const {
  bool isGiven = trimPath && (!trimPath->empty() || !sourceRoot->empty());
  if (!isGiven)
    return std::nullopt;
  return SourcePaths({trimPath->begin(), trimPath->end()}, *sourceRoot);
}

Expected<SourceUrl> LinkOptions::url() const {
  return sourceUrl.getNumOccurrences() > 0 ? SourceUrl::create(sourceUrl) : SourceUrl();
}

Expected<std::vector<OutputLabel>> LabelOptions::labels() const {
  std::vector<OutputLabel> labels;
  for (StringRef given : label) {
    auto [key, value] = given.split('=');
    if (key.empty() || key.size() == given.size())
      return makeError("--label=" + given + ": expected <key>=<value>");
    if (any_of(labels, [&](const OutputLabel &other) { return other.key == key; }))
      return makeError("--label=" + given + ": '" + key + "' has a value already");
    labels.push_back({key.str(), value.str()});
  }
  return labels;
}

std::optional<Expected<ToolResult>> ReadingOptions::list() const {
  if (listSlicers)
    return printRegistry<Slicer>();
  if (listInputFormats)
    return printRegistry<RecordFormat>();
  return std::nullopt;
}

Expected<std::optional<TimeScale>> ReadingOptions::givenScale() const {
  if (!given(rate))
    return std::nullopt;
  auto scale = TimeScale::parse(rate);
  if (!scale)
    return makeError("--rate: " + toString(scale.takeError()));
  return *scale;
}

CallOptions::Renaming CallOptions::renaming() const {
  return noDemangle ? nullptr : fullNames ? demangleName : briefName;
}

Error CallOptions::check() const {
  if (given(maxDepth) && maxDepth == 0)
    return makeError("--max-depth=0 leaves nothing to show");
  if (given(phases) && !phaseRoots())
    return makeError("--phases=" + phases +
                     ": unknown (known: "
                     "roots; warpo-report --phases makes a table of them)");
  return Error::success();
}
