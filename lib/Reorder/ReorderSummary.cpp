//===- ReorderSummary.cpp - What an order came to, in words ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Reorder/ReorderJob.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

static std::string change(StringRef what, uint64_t before, uint64_t after) {
  std::string text = formatv("{0}: {1} before, {2} after", what, before, after);
  if (before)
    text += formatv(" ({0}{1:F2} %)", after < before ? "" : "+",
                    100.0 * (double(after) - double(before)) / double(before));
  return text;
}

static void summarizeLayout(const ReorderedModule &module, std::vector<std::string> &lines) {
  const CodeLayout &before = module.before, &after = module.after;
  auto compressed = [&](StringRef what, std::optional<uint64_t> CodeLayout::*size) {
    if (before.*size && after.*size)
      lines.push_back(change(what, *(before.*size), *(after.*size)));
  };
  lines.push_back("moved " + countOf(module.movedFunctions, "function"));
  lines.push_back(change("bytes of the module", before.moduleSize, after.moduleSize));
  compressed("bytes compressed with gzip", &CodeLayout::gzipSize);
  compressed("bytes compressed with zstd", &CodeLayout::zstdSize);
  lines.push_back(
      change("bytes of code; indices take more or fewer", before.codeSize, after.codeSize));
  lines.push_back(change("bytes of code up to the last function of start-up", before.startupSpan,
                         after.startupSpan));
  lines.push_back(
      change("pages of 4 KiB with functions of start-up", before.startupPages, after.startupPages));
}

std::vector<std::string> warpo::summarize(const ReorderResult &result) {
  std::vector<std::string> lines;
  const ReorderedModule &module = result.module;
  if (result.executedBranches)
    lines.push_back("added hints to " + countOf(result.hintedBranches, "branch", "branches") +
                    " of " + Twine(result.executedBranches).str() + " that were executed");
  if (result.frequencies)
    lines.push_back("added frequencies of " + countOf(result.frequencies, "call") +
                    " and targets of " + Twine(result.callTargets).str());
  if (result.isOrdered)
    summarizeLayout(module, lines);
  if (!module.statistics.droppedSections.empty())
    lines.push_back("dropped what describes the old code: section " +
                    join(module.statistics.droppedSections, ", "));
  if (!module.statistics.keptDebugSections.empty())
    lines.push_back("kept although it describes the old code: section " +
                    join(module.statistics.keptDebugSections, ", "));
  if (!module.statistics.replacedHints.empty())
    lines.push_back("replaced the module's own hints: section " +
                    join(module.statistics.replacedHints, ", "));
  return lines;
}
