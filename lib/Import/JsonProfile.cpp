//===- JsonProfile.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "JsonProfile.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/JsonInput.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t maxSize = size_t(1) << 28;

Expected<json::Object> warpo::parseJsonProfile(ArrayRef<uint8_t> bytes, StringRef file) {
  if (bytes.size() > maxSize)
    return fileError(file, Twine(bytes.size()) + " bytes of JSON, the most that are read are " +
                               Twine(maxSize));
  StringRef text = toStringRef(bytes);
  auto document = json::isUTF8(text) ? parseJson(text, file) : parseJson(json::fixUTF8(text), file);
  if (!document)
    return document.takeError();
  if (json::Object *object = document->getAsObject())
    return std::move(*object);
  return fileError(file, "expected an object");
}

StringRef warpo::startOfObject(ArrayRef<uint8_t> start) {
  StringRef text = toStringRef(start).ltrim(" \t\r\n");
  return text.starts_with("{") ? text : StringRef();
}
