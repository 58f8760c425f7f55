//===- SourceTexts.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SourceTexts.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Wasm/SourceMapFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static Expected<std::optional<wasm::SourceMap>> mapOf(StringRef path) {
  auto input = readModuleFile(path);
  if (!input)
    return input.takeError();
  return loadNamedSourceMap(arrayRefFromStringRef((*input)->getBuffer()), path);
}

void warpo::provideSources(StringRef path, const std::optional<SourcePaths> &paths,
                           SourceFiles &files) {
  auto map = mapOf(path);
  // Errors in a map are reported when its lines are read.
  if (!map)
    return consumeError(map.takeError());
  if (!*map)
    return;
  ArrayRef<std::string> sources = (*map)->sources();
  for (size_t number = 0; number != sources.size(); ++number)
    if (std::optional<StringRef> text = (*map)->text(number))
      files.provide(paths ? (*paths)(sources[number]) : plainPath(sources[number]).str(), *text);
}
