//===- Artifact.cpp - The section that lists what hosts fetch -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Artifact.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/OrderArtifacts.h"
#include "warpo/Wasm/OwnGlobals.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <array>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static constexpr uint8_t knownVersion = 1;
static constexpr size_t longestName = 64, longestDescription = 256;

static bool isName(StringRef text) {
  return !text.empty() && text.size() <= longestName &&
         all_of(text, [](char c) { return isAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

/// What is wrong with an artifact by itself; empty if nothing is.
static std::string findFault(const Artifact &artifact) {
  if (!isName(artifact.format))
    return "its format is not a name of letters, digits and '-', '_', '.'";
  StringRef extension = artifact.extension;
  if (!extension.empty() && (!extension.consume_front(".") || !isName(extension)))
    return "its extension is not '.' and a name of letters, digits and '-', '_', '.'";
  if (artifact.description.empty() || artifact.description.size() > longestDescription)
    return "its description has " + std::to_string(artifact.description.size()) +
           " bytes, not 1 to " + std::to_string(longestDescription);
  bool isList = artifact.access == Artifact::Access::globals;
  if (isList ? artifact.exports.size() > Artifact::mostExports : artifact.exports.size() != 1)
    return "it has " + std::to_string(artifact.exports.size()) + " exports";
  if (artifact.count > Artifact::mostNumbers)
    return "it has " + std::to_string(artifact.count) + " numbers, more than " +
           std::to_string(Artifact::mostNumbers);
  if (artifact.type != ValueType::i32 && artifact.type != ValueType::i64)
    return "its numbers are neither i32 nor i64";
  return "";
}

Error wasm::checkArtifact(const Artifact &artifact) {
  std::string fault = findFault(artifact);
  if (fault.empty())
    return Error::success();
  return makeError("artifact '" + artifact.format + "': " + fault);
}

SmallVector<uint8_t, 0> wasm::encodeArtifacts(ArrayRef<Artifact> artifacts) {
  SmallVector<uint8_t, 0> contents;
  ByteWriter writer(contents);
  writer.u8(knownVersion);
  writer.uleb(artifacts.size());
  for (const Artifact &artifact : artifacts) {
    writer.name(artifact.format);
    writer.name(artifact.extension);
    writer.name(artifact.description);
    writer.name(toStringRef(artifact.head));
    writer.u8(uint8_t(artifact.access));
    switch (artifact.access) {
    case Artifact::Access::memory:
      writer.name(artifact.exports.front());
      writer.uleb(artifact.offset);
      writer.uleb(artifact.size);
      break;
    case Artifact::Access::function:
      writer.name(artifact.exports.front());
      writer.u8(uint8_t(artifact.type));
      writer.uleb(artifact.count);
      break;
    case Artifact::Access::globals:
      writer.u8(uint8_t(artifact.type));
      writer.uleb(artifact.exports.size());
      for (const std::string &name : artifact.exports)
        writer.name(name);
      break;
    }
  }
  return contents;
}

static Artifact readArtifact(ByteCursor &cursor) {
  Artifact artifact;
  artifact.format = cursor.sizedString().str();
  artifact.extension = cursor.sizedString().str();
  artifact.description = cursor.sizedString().str();
  StringRef head = cursor.sizedString();
  artifact.head.assign(head.bytes_begin(), head.bytes_end());
  uint8_t access = cursor.u8();
  switch (access) {
  case uint8_t(Artifact::Access::memory):
    artifact.exports = {cursor.sizedString().str()};
    artifact.offset = cursor.uleb64();
    artifact.size = cursor.uleb64();
    break;
  case uint8_t(Artifact::Access::function):
    artifact.exports = {cursor.sizedString().str()};
    artifact.type = ValueType(cursor.u8());
    artifact.count = cursor.uleb32();
    break;
  case uint8_t(Artifact::Access::globals):
    artifact.type = ValueType(cursor.u8());
    // Each takes at least one byte.
    for (uint32_t count = cursor.uleb32(); count > 0 && cursor.ok(); --count)
      artifact.exports.push_back(cursor.sizedString().str());
    break;
  default:
    cursor.fail("an artifact that is reached in way " + Twine(unsigned(access)) +
                ", known are 0 to 2");
  }
  artifact.access = Artifact::Access(access);
  return artifact;
}

static bool returns(const FunctionType &type, ValueType result) {
  return type.params.bytes == ArrayRef<uint8_t>(uint8_t(ValueType::i32)) &&
         type.results.bytes == ArrayRef<uint8_t>(uint8_t(result));
}

namespace {

/// The exports of a module by their names, which are unique.
class Exports {
public:
  explicit Exports(const Module &module)
      : module_(module), importedGlobals_(importedGlobalCount(module)) {
    for (const Export &entry : module.exports)
      byName_.try_emplace(entry.name, &entry);
  }

  /// The first missing export of an artifact; empty if none is missing.
  std::string findMissing(const Artifact &artifact);

private:
  const Export *find(ExternalKind kind, StringRef name) const {
    auto found = byName_.find(name);
    return found != byName_.end() && found->second->kind == kind ? found->second : nullptr;
  }
  bool hasType(uint32_t global, ValueType type);

  const Module &module_;
  const uint32_t importedGlobals_;
  StringMap<const Export *> byName_;
  /// Fetched on demand.
  std::optional<std::vector<OwnGlobal>> globals_;
};

} // namespace

// Known only for the module's own globals, not for imported ones.
bool Exports::hasType(uint32_t global, ValueType type) {
  if (!globals_)
    globals_ = readOwnGlobals(module_);
  return global >= importedGlobals_ && global - importedGlobals_ < globals_->size() &&
         (*globals_)[global - importedGlobals_].type == type;
}

std::string Exports::findMissing(const Artifact &artifact) {
  const char *type = artifact.type == ValueType::i64 ? "i64" : "i32";
  for (const std::string &name : artifact.exports) {
    switch (artifact.access) {
    case Artifact::Access::memory:
      if (!find(ExternalKind::memory, name))
        return "memory '" + name + "'";
      break;
    case Artifact::Access::function: {
      const Export *entry = find(ExternalKind::function, name);
      if (!entry || !returns(module_.typeOf(entry->index), artifact.type))
        return "function '" + name + "' of type (i32) -> " + type;
      break;
    }
    case Artifact::Access::globals: {
      const Export *entry = find(ExternalKind::global, name);
      if (!entry || !hasType(entry->index, artifact.type))
        return "global '" + name + "' of type " + type;
      break;
    }
    }
  }
  return "";
}

static Expected<std::vector<Artifact>> readSection(const Module &module, const Section &section) {
  std::vector<Artifact> artifacts;
  ByteCursor cursor = section.contents.cursor();
  uint8_t version = cursor.u8();
  if (cursor.ok() && version != knownVersion)
    cursor.fail("version " + Twine(unsigned(version)) + " of section '" + artifactSection +
                "', known is " + Twine(unsigned(knownVersion)));
  Exports exports(module);
  for (uint32_t count = cursor.uleb32(); count > 0 && cursor.ok(); --count) {
    Artifact artifact = readArtifact(cursor);
    if (!cursor.ok())
      break;
    if (std::string fault = findFault(artifact); !fault.empty())
      cursor.fail("artifact '" + artifact.format + "': " + fault);
    else if (std::string missing = exports.findMissing(artifact); !missing.empty())
      cursor.fail("artifact '" + artifact.format + "': the module exports no " + missing);
    artifacts.push_back(std::move(artifact));
  }
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail("the section '" + artifactSection + "' has bytes after its artifacts");
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return artifacts;
}

static Artifact firstExecutions() {
  Artifact artifact;
  artifact.format = orderDumpFormat.str();
  artifact.description = "what ran first";
  return artifact;
}

Artifact wasm::orderDumpArtifact(std::optional<uint64_t> size) {
  Artifact artifact = firstExecutions();
  artifact.access = Artifact::Access::memory;
  artifact.exports = {orderDumpExport.str()};
  artifact.size = size.value_or(Artifact::toItsEnd);
  return artifact;
}

Artifact wasm::orderRanksArtifact(uint32_t functions) {
  Artifact artifact = firstExecutions();
  artifact.access = Artifact::Access::function;
  artifact.exports = {orderRankExport.str()};
  artifact.count = functions;
  return artifact;
}

Expected<std::vector<Artifact>> wasm::findArtifacts(const Module &module) {
  if (const Section *section = module.findCustomSection(artifactSection))
    return readSection(module, *section);
  if (!keepsOrder(module))
    return std::vector<Artifact>();
  Exports exports(module);
  // There is at most one rank for each function.
  for (Artifact &artifact :
       std::array{orderDumpArtifact(std::nullopt), orderRanksArtifact(module.functionCount())})
    if (exports.findMissing(artifact).empty())
      return std::vector{std::move(artifact)};
  return std::vector<Artifact>();
}
