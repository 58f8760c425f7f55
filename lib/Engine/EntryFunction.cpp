//===- EntryFunction.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EntryFunction.h"
#include "ArgumentValues.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

Expected<std::optional<EntryCall>> warpo::findEntry(const RunRequest &request,
                                                    ArrayRef<ExportedFunction> functions,
                                                    bool hasStartFunction) {
  const std::string &invoke = request.invoke;
  SmallVector<StringRef, 2> wanted = {invoke};
  if (invoke.empty())
    wanted = {"_start", "main"};
  for (StringRef name : wanted) {
    auto found =
        find_if(functions, [&](const ExportedFunction &each) { return each.name == name; });
    if (found == functions.end())
      continue;
    auto bits = parseArguments(name, found->parameters, request.invokeArguments);
    if (!bits)
      return bits.takeError();
    return EntryCall{size_t(found - functions.begin()), std::move(*bits)};
  }
  if (invoke.empty() && hasStartFunction)
    return std::nullopt;
  std::string names;
  for (const ExportedFunction &function : functions)
    if (!StringRef(function.name).starts_with(wasm::insertedExportPrefix))
      names += (names.empty() ? "" : ", ") + function.name;
  return fileError(request.app,
                   (invoke.empty() ? "exports neither _start nor main and has no start function"
                                   : "exports no function '" + invoke + "'") +
                       "; its functions are: " + (names.empty() ? "none" : names));
}
