//===- ModuleReorderer.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Reorder/ModuleReorderer.h"
#include "warpo/Support/Shares.h"
#include "warpo/Wasm/CodeHints.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Wasm/SourceMapFile.h"

using namespace llvm;
using namespace warpo;

static std::vector<uint32_t> newIndices(ArrayRef<uint32_t> functions,
                                        const wasm::FunctionPermutation &permutation) {
  std::vector<uint32_t> moved;
  for (uint32_t function : functions)
    moved.push_back(permutation.newIndex(function));
  return moved;
}

static SmallVector<uint8_t, 0> encodePriorities(ArrayRef<uint32_t> order) {
  wasm::FunctionHints hints;
  for (auto [rank, function] : enumerate(order))
    hints[function] = wasm::hintNumber(rank);
  return wasm::encodeFunctionHints(hints);
}

static ArrayRef<uint8_t> codeOf(const wasm::Module &module) {
  for (const wasm::Section &section : module.sections)
    if (section.id == wasm::SectionId::code)
      return section.contents.bytes;
  return {};
}

// If only hints are added, code does not move, and debug information stays valid.
static Expected<wasm::EditStatistics> writeModule(wasm::ModuleEditor &editor,
                                                  const wasm::Module &module,
                                                  wasm::CustomSectionPolicy policy,
                                                  SmallVectorImpl<uint8_t> &bytes,
                                                  wasm::CodeMovements *movements) {
  auto write = [&] {
    bytes.clear();
    editor.setPolicy(policy);
    return editor.write([](uint32_t, wasm::FunctionEdit &) {}, bytes, movements);
  };
  auto statistics = write();
  if (!statistics || statistics->droppedSections.empty())
    return statistics;
  auto rewritten = wasm::readModule(bytes, module.fileName);
  if (!rewritten)
    return rewritten.takeError();
  if (codeOf(*rewritten) != codeOf(module))
    return statistics;
  policy.keepDebug = true;
  statistics = write();
  if (statistics)
    statistics->keptDebugSections.clear();
  return statistics;
}

Expected<ReorderedModule> warpo::reorderModule(const wasm::Module &module, ArrayRef<uint32_t> order,
                                               const ReorderOptions &options) {
  auto permutation = wasm::FunctionPermutation::create(module, order);
  if (!permutation)
    return permutation.takeError();
  wasm::ModuleEditor editor(module, *permutation);
  bool addsHints = options.hints && !order.empty();
  if (addsHints)
    editor.addHints(wasm::prioritySection, encodePriorities(order));
  for (const auto &[section, contents] : options.codeHints)
    editor.addHints(section, contents);
  addsHints |= !options.codeHints.empty();
  bool wantsMap = options.sourceMap && !options.newSourceMapUrl.empty();
  if (wantsMap)
    editor.replaceCustomSection(sourceMapSection, encodeSourceMapUrl(options.newSourceMapUrl));

  ReorderedModule result;
  wasm::CodeMovements movements;
  auto statistics = writeModule(editor, module, options.customSections, result.bytes,
                                wantsMap ? &movements : nullptr);
  if (!statistics)
    return statistics.takeError();
  // Writing has verified that the module can be reordered.
  if (permutation->isIdentity() && !addsHints && !wantsMap) {
    result.bytes.assign(module.bytes.begin(), module.bytes.end());
  } else {
    result.statistics = std::move(*statistics);
    if (Error error = wasm::renewBuildId(result.bytes, module.fileName))
      return error;
  }
  auto rewritten = wasm::readModule(result.bytes, module.fileName);
  if (!rewritten)
    return rewritten.takeError();
  if (wantsMap) {
    auto mappings =
        wasm::permuteMappings(*options.sourceMap, module, *rewritten, *permutation, movements);
    if (!mappings)
      return mappings.takeError();
    result.sourceMappings = std::move(*mappings);
  }
  for (uint32_t i = 0; i != permutation->size(); ++i)
    result.movedFunctions += permutation->newIndex(i) != i;
  if (!options.measure)
    return result;
  ArrayRef<uint32_t> startup = options.startup.value_or(order);
  std::vector<uint32_t> newStartup = newIndices(startup, *permutation);
  // Compressing takes longer than all of the above.
  Error error = workInParallel(2, [&](size_t number) {
    if (number == 0)
      result.before = measureLayout(module, startup);
    else
      result.after = measureLayout(*rewritten, newStartup);
    return Error::success();
  });
  if (error)
    return error;
  return result;
}
