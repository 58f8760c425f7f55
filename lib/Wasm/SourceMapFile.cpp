//===- SourceMapFile.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/SourceMapFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/PercentEncoding.h"
#include "warpo/Support/ResolvedPath.h"
#include "warpo/Wasm/CompanionFile.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

// Characters that are not escaped in a path.
static constexpr StringLiteral plainInPath = "/._-~+@,=";

// `data:application/json;base64,...`
static Expected<wasm::SourceMap> parseDataUrl(StringRef url, StringRef moduleFile) {
  auto [kind, data] = url.split(',');
  std::vector<char> text;
  if (!kind.ends_with(";base64"))
    return fileError(moduleFile, "the source map in the module is not in base 64");
  if (Error error = decodeBase64(data, text))
    return fileError(moduleFile, "the source map in the module: " + toString(std::move(error)));
  return wasm::SourceMap::parse(StringRef(text.data(), text.size()), moduleFile);
}

Expected<wasm::SourceMap> warpo::loadSourceMap(StringRef file) {
  auto buffer = readWholeInput(file);
  if (!buffer)
    return buffer.takeError();
  return wasm::SourceMap::parse((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier());
}

Expected<std::optional<wasm::SourceMap>> warpo::loadNamedSourceMap(ArrayRef<uint8_t> module,
                                                                   StringRef moduleFile) {
  std::string url;
  if (Error error =
          wasm::readCustomSections(module, moduleFile, sourceMapSection,
                                   [&](ByteCursor &cursor) { url = cursor.sizedString().str(); }))
    return error;
  if (url.empty())
    return std::nullopt;
  if (StringRef(url).starts_with("data:"))
    return parseDataUrl(url, moduleFile);
  auto file = wasm::findBeside(moduleFile, url, "its source map", "--source-map");
  if (!file)
    return file.takeError();
  return loadSourceMap(*file);
}

Expected<std::optional<wasm::SourceMap>>
warpo::findSourceMap(ArrayRef<uint8_t> module, StringRef moduleFile, StringRef given) {
  auto load = [&]() -> Expected<std::optional<wasm::SourceMap>> {
    if (given.empty())
      return loadNamedSourceMap(module, moduleFile);
    return loadSourceMap(given);
  };
  auto map = load();
  if (map && *map)
    if (Error error = (*map)->check())
      return error;
  return map;
}

Error warpo::noSourceMap(StringRef moduleFile) {
  return fileError(moduleFile, "names no source map (section '" + sourceMapSection +
                                   "'): give one with --source-map");
}

std::string warpo::relativeUrl(StringRef file, StringRef from) {
  if (from == "-")
    return percentEncoded(sys::path::filename(file), plainInPath);
  return percentEncoded(relativePath(file, sys::path::parent_path(from)), plainInPath);
}

SmallVector<uint8_t, 0> warpo::encodeSourceMapUrl(StringRef url) {
  SmallVector<uint8_t, 0> contents;
  ByteWriter(contents).name(url);
  return contents;
}
