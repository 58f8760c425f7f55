//===- SourceMapFile.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/SourceMapFile.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/ResolvedPath.h"
#include "warpo/Wasm/ByteWriter.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

// `%41` and the like become characters; what is no such escape stays.
static std::string unescape(StringRef url) {
  std::string text;
  for (size_t i = 0; i < url.size(); ++i) {
    uint8_t byte;
    if (url[i] == '%' && i + 2 < url.size() && tryGetHexFromNibbles(url[i + 1], url[i + 2], byte)) {
      text += char(byte);
      i += 2;
    } else {
      text += url[i];
    }
  }
  return text;
}

static std::string escape(StringRef path) {
  std::string url;
  for (char c : path) {
    if (isAlnum(c) || StringRef("/._-~+@,=").contains(c))
      url += c;
    else
      url += '%' + toHex(StringRef(&c, 1));
  }
  return url;
}

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
  std::string path = unescape(url);
  // Another host's file, or one of this machine that a module has no business naming.
  if (url.find("://") != std::string::npos || sys::path::is_absolute(path))
    return fileError(moduleFile, "its source map is at " + url +
                                     ", which is not looked up: give the file with --source-map");
  SmallString<128> file(moduleFile == "-" ? "" : sys::path::parent_path(moduleFile));
  sys::path::append(file, path);
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(file, status))
    return fileError(file, code);
  if (!sys::fs::is_regular_file(status))
    return fileError(file, "not a regular file");
  return loadSourceMap(file);
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
    return escape(sys::path::filename(file));
  return escape(relativePath(file, sys::path::parent_path(from)));
}

SmallVector<uint8_t, 0> warpo::encodeSourceMapUrl(StringRef url) {
  SmallVector<uint8_t, 0> contents;
  wasm::ByteWriter(contents).name(url);
  return contents;
}
