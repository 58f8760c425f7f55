//===- RunPlaces.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/RunPlaces.h"

using namespace llvm;
using namespace warpo;

ModulePlaces warpo::placesOfRuns(const ModuleCounts &counts) {
  static constexpr uint32_t moduleFile = 1;
  const wasm::Module &module = counts.module();
  ModulePlaces places;
  places.files.push_back(module.fileName);
  counts.forEach([&](const FunctionCounts &function) {
    const wasm::ByteRange &body = module.bodies[function.index - module.importedFunctionCount()];
    FunctionPlaces &added = places.functions.emplace_back();
    added.index = function.index;
    added.start = uint32_t(body.offset);
    added.size = uint32_t(body.bytes.size());
    added.file = moduleFile;
    for (const FlowRun &run : function.graph.runs)
      if (run.cost)
        added.rows.push_back({added.start + run.begin, moduleFile, added.start + run.begin});
    if (!added.rows.empty())
      added.line = added.rows.front().line;
  });
  return places;
}
