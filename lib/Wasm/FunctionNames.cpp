//===- FunctionNames.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Support/NumberedName.h"
#include "warpo/Wasm/BodyHash.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

FunctionNames::FunctionNames(const Module &module)
    : module_(module), exports_(module.functionCount() - module.importedFunctionCount()) {
  for (const Export &entry : module.exports) {
    if (entry.kind != ExternalKind::function || module.isImported(entry.index) ||
        entry.name.empty())
      continue;
    const Export *&first = exports_[entry.index - module.importedFunctionCount()];
    if (!first)
      first = &entry;
  }
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i)
    if (module.names.function(i).empty())
      ++(exports_[i - module.importedFunctionCount()] ? namedByExport_ : unnamed_);
}

std::string FunctionNames::operator[](uint32_t function) const {
  std::string name = given(function);
  return !name.empty() ? name : numbered(function);
}

std::string FunctionNames::numbered(uint32_t function) { return NumberedName{function}.text(); }

std::string FunctionNames::recorded(uint32_t function) const {
  if (std::string name = given(function); !name.empty())
    return name;
  return NumberedName{function,
                      hashBody(module_.bodies[function - module_.importedFunctionCount()].bytes)}
      .text();
}

std::string FunctionNames::given(uint32_t function) const {
  if (module_.isImported(function))
    return module_.nameOfImport(function);
  if (StringRef name = module_.names.function(function); !name.empty())
    return name.str();
  if (const Export *entry = exports_[function - module_.importedFunctionCount()])
    return entry->name.str();
  return "";
}
