//===- MappingFiles.cpp - Writes a mapping, and its entry in a JSON file --===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/JsonInput.h"
#include "warpo/Support/ResolvedPath.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

void warpo::writeMapping(raw_ostream &os, ArrayRef<FunctionReport> functions) {
  for (const FunctionReport &function : functions) {
    if (!function.id)
      continue;
    std::string name = function.name.str();
    // The name is the rest of the line.
    for (char &c : name)
      if (c == '\n' || c == '\r')
        c = ' ';
    os << function.id << ' ' << name << '\n';
  }
}

// A module id in mapping files: a number, or a string with a decimal or hexadecimal number.
static std::optional<uint64_t> parseModuleId(const json::Value &value) {
  if (std::optional<uint64_t> number = value.getAsUINT64())
    return number;
  std::optional<StringRef> text = value.getAsString();
  if (!text)
    return std::nullopt;
  uint64_t number = 0;
  bool isHex = text->consume_front("0x");
  if (text->getAsInteger(isHex ? 16 : 10, number))
    return std::nullopt;
  return number;
}

static std::optional<uint64_t> moduleIdOf(const json::Value &value) {
  const json::Object *entry = value.getAsObject();
  const json::Value *id = entry ? entry->get("moduleId") : nullptr;
  if (!id || !entry->getString("mappingFile"))
    return std::nullopt;
  return parseModuleId(*id);
}

// Whether `path`, if relative then to `folder`, leads to `file`.
static bool isFileIn(StringRef folder, StringRef path, StringRef file) {
  SmallString<128> whole(path);
  if (sys::path::is_relative(path)) {
    whole = folder;
    sys::path::append(whole, path);
  }
  return resolvedPath(whole) == resolvedPath(file);
}

Expected<std::string> warpo::appendMappingJson(StringRef existing, StringRef jsonFile,
                                               const MappingJsonEntry &entry) {
  json::Array entries;
  if (!existing.trim().empty()) {
    Expected<json::Value> parsed = parseJson(existing, jsonFile);
    if (!parsed)
      return parsed.takeError();
    json::Array *array = parsed->getAsArray();
    if (!array)
      return fileError(jsonFile, "is not an array of mappings");
    entries = std::move(*array);
  }
  StringRef folder = sys::path::parent_path(jsonFile);
  std::string path = relativePath(entry.mappingFile, folder);
  json::Object added{
      {"moduleId", "0x" + utohexstr(entry.moduleId, true, 16)},
      {"mappingFile", json::fixUTF8(path)},
  };
  // Readers make up a name if it is missing, but not if it is empty.
  if (!entry.moduleName.empty())
    added["moduleName"] = json::fixUTF8(entry.moduleName);
  bool replaced = false;
  for (size_t i = 0; i != entries.size(); ++i) {
    std::optional<uint64_t> id = moduleIdOf(entries[i]);
    if (!id)
      return fileError(jsonFile, "entry " + Twine(i) + " has no moduleId and mappingFile");
    if (*id != entry.moduleId)
      continue;
    if (StringRef other = *entries[i].getAsObject()->getString("mappingFile");
        !isFileIn(folder, other, entry.mappingFile))
      return fileError(jsonFile, "entry " + Twine(i) + " has the mapping " + other +
                                     " for the module id 0x" + utohexstr(entry.moduleId, true, 16) +
                                     ", which cannot have another: give the module an id of its "
                                     "own (--module-id), or remove that entry");
    entries[i] = json::Object(added);
    replaced = true;
  }
  if (!replaced)
    entries.push_back(std::move(added));

  std::string text;
  raw_string_ostream os(text);
  json::OStream(os, /*IndentSize=*/1).value(std::move(entries));
  os << '\n';
  return text;
}
