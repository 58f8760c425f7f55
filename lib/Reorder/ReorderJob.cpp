//===- ReorderJob.cpp - Reads the input, writes the outputs ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Reorder/ReorderJob.h"
#include "warpo/Counts/BranchHints.h"
#include "warpo/Counts/FrequencyHints.h"
#include "warpo/Order/OrderList.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputSet.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Wasm/SourceMapFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

static Error checkJob(const ReorderJob &job) {
  if (job.outputSourceMap == "-")
    return makeError("--output-source-map needs a file, which the module can name");
  if (job.order.empty() && (job.hints || !job.startup.empty()))
    return makeError(Twine(job.hints ? "--hints" : "--startup") + " needs --order");
  if (job.counts.empty() && job.frequencies)
    return makeError("--hints=freq needs --counts");
  if (job.readTrace && !job.frequencies)
    return makeError("--trace needs --hints=freq");
  if (!job.sourceMap.empty() && job.outputSourceMap.empty())
    return makeError("--source-map needs --output-source-map");
  return Error::success();
}

// The functions of a list; none if there is no list. Problems with it are described in one
// sentence.
static Expected<std::vector<uint32_t>> readOrder(StringRef path, const OrderModule &module,
                                                 std::vector<std::string> &problems) {
  if (path.empty())
    return std::vector<uint32_t>();
  auto list = readOrderList(path);
  if (!list)
    return list.takeError();
  auto order = resolveOrder(*list, module);
  if (!order)
    return order.takeError();
  if (size_t count = order->problems.size())
    problems.push_back(std::to_string(count) + " of " + countOf(list->lines.size(), "line") +
                       " left out: " + order->problems.front().message +
                       (count > 1 ? ", and others" : ""));
  return std::move(order->functions);
}

static uint64_t sizeOf(const wasm::CodeHints &hints) {
  uint64_t size = 0;
  for (const auto &[function, ofFunction] : hints)
    size += ofFunction.size();
  return size;
}

static Error addFrequencies(const ReorderJob &job, const ModuleCounts &counts,
                            ReorderOptions &options, ReorderResult &result) {
  TracedCalls traced;
  if (job.readTrace)
    if (Error error = job.readTrace(counts.module()).moveInto(traced))
      return error;
  auto found = findFrequencyHints(counts, traced);
  if (!found)
    return found.takeError();
  for (const auto &[section, hints] : {std::pair(wasm::frequencySection, &found->frequencies),
                                       std::pair(wasm::callTargetsSection, &found->targets)})
    if (!hints->empty())
      options.codeHints.push_back({section.str(), wasm::encodeCodeHints(*hints)});
  result.frequencies = sizeOf(found->frequencies);
  result.callTargets = sizeOf(found->targets);
  return Error::success();
}

// The hints that follow from counts.
static Error addHints(const ReorderJob &job, const wasm::Module &module, ReorderOptions &options,
                      ReorderResult &result) {
  auto input = readWholeInput(job.counts);
  if (!input)
    return input.takeError();
  CountSums sums;
  if (Error error =
          sums.add(arrayRefFromStringRef((*input)->getBuffer()), (*input)->getBufferIdentifier()))
    return error;
  auto counts = ModuleCounts::create(module, sums);
  if (!counts)
    return counts.takeError();
  BranchHints branches = findBranchHints(*counts);
  result.hintedBranches = sizeOf(branches.hints);
  result.executedBranches = branches.executedBranches;
  options.codeHints.push_back({branchHintSection.str(), wasm::encodeCodeHints(branches.hints)});
  return job.frequencies ? addFrequencies(job, *counts, options, result) : Error::success();
}

static Expected<std::optional<wasm::SourceMap>> findWantedSourceMap(const ReorderJob &job,
                                                                    ArrayRef<uint8_t> module) {
  if (job.outputSourceMap.empty())
    return std::nullopt;
  auto map = findSourceMap(module, job.input, job.sourceMap);
  if (map && !*map)
    return noSourceMap(job.input);
  return map;
}

Expected<ReorderResult> warpo::runReorderJob(const ReorderJob &job) {
  if (Error error = checkJob(job))
    return error;
  ReorderResult result;
  std::optional<wasm::SourceMap> sourceMap;
  // Opened first, so that an unwritable output is reported at once.
  OutputSet outputs;
  auto writeModule = [&](raw_ostream &os) {
    os << toStringRef(ArrayRef<uint8_t>(result.module.bytes));
  };
  if (Error error = outputs.add(job.output, writeModule, "wasm"))
    return error;
  if (Error error = outputs.add(job.outputSourceMap, [&](raw_ostream &os) {
        os << sourceMap->withMappings(result.module.sourceMappings,
                                      sys::path::filename(job.output));
      }))
    return error;

  auto input = readModuleFile(job.input);
  if (!input)
    return input.takeError();
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*input)->getBuffer());
  auto module = wasm::readModule(bytes, (*input)->getBufferIdentifier());
  if (!module)
    return module.takeError();
  auto orderModule = OrderModule::create(*module);
  if (!orderModule)
    return orderModule.takeError();
  result.damagedNames = module->damagedNames;
  result.isOrdered = !job.order.empty();
  auto order = readOrder(job.order, *orderModule, result.problems);
  if (!order)
    return order.takeError();
  auto startup = readOrder(job.startup, *orderModule, result.problems);
  if (!startup)
    return startup.takeError();
  auto found = findWantedSourceMap(job, bytes);
  if (!found)
    return found.takeError();
  sourceMap = std::move(*found);

  ReorderOptions options;
  options.customSections.keepDebug = job.keepDebug;
  options.hints = job.hints;
  options.measure = job.measure && result.isOrdered;
  if (!job.startup.empty())
    options.startup = *startup;
  if (!job.counts.empty())
    if (Error error = addHints(job, *module, options, result))
      return error;
  if (sourceMap) {
    options.sourceMap = &*sourceMap;
    options.newSourceMapUrl = relativeUrl(job.outputSourceMap, job.output);
  }
  auto reordered = reorderModule(*module, *order, options);
  if (!reordered)
    return reordered.takeError();
  result.module = std::move(*reordered);

  if (Error error = outputs.write())
    return error;
  return result;
}
