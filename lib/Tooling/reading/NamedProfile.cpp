//===- NamedProfile.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NamedProfile.h"
#include "SymbolSet.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NumberedName.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

Error warpo::nameFunctions(Profile &profile, ArrayRef<std::string> files) {
  auto symbols = SymbolSet::read(files);
  if (!symbols)
    return symbols.takeError();
  // Only modules with nameless functions; others are not WebAssembly, or need no names.
  std::vector<RecordedModule> modules;
  std::vector<std::optional<size_t>> places(profile.modules.size());
  for (const ProfileFunction &function : profile.functions) {
    if (places[function.module] || !NumberedName::parse(function.name))
      continue;
    places[function.module] = modules.size();
    modules.emplace_back().id = profile.modules[function.module].id;
    modules.back().name = profile.modules[function.module].name;
  }
  auto unused = symbols->join(modules, profile.title);
  if (!unused)
    return unused.takeError();
  for (const std::string &text : *unused)
    warn(text);
  size_t unknown = 0;
  for (ProfileFunction &function : profile.functions) {
    auto number = NumberedName::parse(function.name);
    const wasm::SymbolFile *file =
        number ? symbols->of(modules[*places[function.module]]) : nullptr;
    if (!file)
      continue;
    StringRef name = file->function(number->index);
    if (name.empty())
      ++unknown;
    else
      function.name = name.str();
  }
  if (unknown > 0)
    note(profile.title + ": " + countOf(unknown, "function") + " without a name in --symbols");
  return Error::success();
}
