//===- InfoFile.cpp - The report on each function, as JSON ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/InstrumentJob.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

static StringRef reasonName(Selection selection) {
  switch (selection) {
  case Selection::taken:
    return "";
  case Selection::builtin:
    return "builtin";
  case Selection::library:
    return "library";
  case Selection::notIncluded:
    return "notIncluded";
  case Selection::excluded:
    return "excluded";
  case Selection::small:
    return "small";
  case Selection::budget:
    return "budget";
  }
  return "";
}

static void writeFunction(json::OStream &json, const InstrumentedModule &result,
                          const FunctionReport &function) {
  json.attribute("name", json::fixUTF8(function.name));
  if (function.id)
    json.attribute("id", function.id);
  else
    json.attribute("leftOut", reasonName(function.selection));
  json.attribute("kind", function.isImported ? "import" : "defined");
  json.attribute("index", function.index);
  if (function.newIndex)
    json.attribute("newIndex", *function.newIndex);
  if (function.thunkIndex)
    json.attribute("thunkIndex", *function.thunkIndex);
  if (function.line) {
    json.attribute("source", json::fixUTF8(result.sources[function.source]));
    json.attribute("line", function.line);
  }
  if (function.isImported)
    return;
  json.attribute("codeOffset", int64_t(function.codeOffset));
  json.attribute("codeSize", int64_t(function.codeSize));
  if (function.bodyHash)
    json.attribute("bodyHash", "0x" + utohexstr(function.bodyHash, true, 16));
}

static void writeCosts(json::OStream &json, const wasm::FuelCosts &costs) {
  json.attribute("fuelCosts", costs.name());
  if (costs.changes().empty())
    return;
  json.attributeObject("changedCosts", [&] {
    for (const auto &[mnemonic, cost] : costs.changes())
      json.attribute(mnemonic, cost);
  });
}

void warpo::writeInfo(raw_ostream &os, const InstrumentedModule &result, StringRef moduleName) {
  json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("moduleId", "0x" + utohexstr(result.identity.moduleId, true, 16));
    json.attribute("moduleName", json::fixUTF8(moduleName));
    json.attribute("originalHash", toHex(result.identity.originalHash, true));
    if (!result.identity.originalBuildId.empty())
      json.attribute("originalBuildId", toHex(result.identity.originalBuildId, true));
    if (result.fuelCosts)
      writeCosts(json, *result.fuelCosts);
    json.attributeArray("functions", [&] {
      for (const FunctionReport &function : result.functions)
        json.object([&] { writeFunction(json, result, function); });
    });
  });
  os << '\n';
}
