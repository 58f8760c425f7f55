//===- Artifacts.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Artifacts.h"
#include "OrderDump.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Wasm/OrderArtifacts.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using wasm::Artifact;

namespace {

class Fetcher {
public:
  Fetcher(const Artifact &artifact, uint64_t moduleId, StoppedInstance &instance)
      : artifact_(artifact), moduleId_(moduleId), instance_(instance) {}

  /// Returns the bytes of the file.
  Expected<std::string> fetch();

private:
  bool isOrder() const { return artifact_.format == wasm::orderDumpFormat; }
  Error fetchMemory();
  Error fetchNumbers();
  Error fetchGlobals();
  void append(uint64_t number);

  const Artifact &artifact_;
  uint64_t moduleId_;
  StoppedInstance &instance_;
  std::string bytes_;
};

} // namespace

void Fetcher::append(uint64_t number) {
  char encoded[8];
  support::endian::write64le(encoded, number);
  bytes_.append(encoded, artifact_.type == wasm::ValueType::i64 ? 8 : 4);
}

Error Fetcher::fetchMemory() {
  ArrayRef<uint8_t> memory = instance_.exportedMemory(artifact_.exports.front());
  uint64_t size = artifact_.size;
  if (artifact_.offset <= memory.size() && size == Artifact::toItsEnd)
    size = memory.size() - artifact_.offset;
  if (artifact_.offset > memory.size() || size > memory.size() - artifact_.offset)
    return makeError(Twine(size) + " bytes at " + Twine(artifact_.offset) + " of '" +
                     artifact_.exports.front() + "' do not lie in its " + Twine(memory.size()) +
                     " bytes");
  memory = memory.slice(size_t(artifact_.offset), size_t(size));
  bytes_ += toStringRef(isOrder() ? findOrderDump(memory) : memory);
  return Error::success();
}

Error Fetcher::fetchNumbers() {
  const std::string &name = artifact_.exports.front();
  std::vector<int32_t> ranks;
  for (uint32_t i = 0; i != artifact_.count; ++i) {
    auto number = instance_.call(name, uint64_t(i));
    if (!number)
      return makeError("'" + name + "' of " + Twine(i) + ": " + toString(number.takeError()));
    if (isOrder())
      ranks.push_back(int32_t(*number));
    else
      append(*number);
  }
  if (isOrder())
    bytes_ += makeOrderDump(moduleId_, ranks);
  return Error::success();
}

Error Fetcher::fetchGlobals() {
  for (const std::string &name : artifact_.exports) {
    auto number = instance_.global(name);
    if (!number)
      return makeError("there is no global '" + name + "'");
    append(*number);
  }
  return Error::success();
}

Expected<std::string> Fetcher::fetch() {
  bytes_ = toStringRef(artifact_.head).str();
  Error error = artifact_.access == Artifact::Access::memory     ? fetchMemory()
                : artifact_.access == Artifact::Access::function ? fetchNumbers()
                                                                 : fetchGlobals();
  if (error)
    return error;
  return std::move(bytes_);
}

void OpenFrames::add(std::optional<ArrayRef<TrapFrame>> stack, size_t place) {
  if (!stack)
    ++unknown;
  for (const TrapFrame &frame : stack.value_or(ArrayRef<TrapFrame>()))
    if (frame.unit == place)
      ++calls[{frame.function, frame.offset.value_or(0)}];
}

// Encodes `left` or `begun` of docs/counts.md; empty if no call was open.
static std::string encodeOpenFrames(const wasm::Module &module, const OpenFrames &open,
                                    StringRef signature) {
  const wasm::Section *map = module.findCustomSection(wasm::codeSection);
  // Without the map, code cannot be mapped to the original.
  bool leadBack = map || open.calls.empty();
  uint64_t unknown = open.unknown + !leadBack;
  if (!unknown && open.calls.empty())
    return {};
  SmallVector<uint8_t, 0> bytes;
  ByteWriter writer(bytes);
  writer.bytes(arrayRefFromStringRef(signature));
  writer.u8(wasm::leftCallsVersion);
  writer.uleb(unknown);
  if (!leadBack || open.calls.empty()) {
    writer.name("");
    writer.uleb(0);
    return toStringRef(bytes).str();
  }
  writer.name(toStringRef(map->contents.bytes));
  writer.uleb(open.calls.size());
  for (auto [place, count] : open.calls) {
    writer.uleb(place.first);
    writer.uleb(place.second);
    writer.uleb(count);
  }
  return toStringRef(bytes).str();
}

Expected<std::optional<Artifact>> warpo::findCounts(const wasm::Module &module) {
  auto artifacts = wasm::findArtifacts(module);
  if (!artifacts)
    return artifacts.takeError();
  for (Artifact &artifact : *artifacts)
    if (artifact.format == wasm::countFileFormat)
      return std::move(artifact);
  return std::nullopt;
}

Expected<std::vector<uint64_t>> warpo::fetchCounters(const Artifact &counts,
                                                     StoppedInstance &instance) {
  auto bytes = Fetcher(counts, 0, instance).fetch();
  if (!bytes)
    return bytes.takeError();
  StringRef numbers = StringRef(*bytes).drop_front(counts.head.size());
  std::vector<uint64_t> counters;
  for (; numbers.size() >= 8; numbers = numbers.drop_front(8))
    counters.push_back(support::endian::read64le(numbers.data()));
  return counters;
}

// Replaces the counters of the whole run by those of a part of it, which may never have begun.
static void replaceCounters(std::string &bytes, size_t head, ArrayRef<uint64_t> counters) {
  for (size_t i = 0; head + 8 * i + 8 <= bytes.size(); ++i)
    support::endian::write64le(&bytes[head + 8 * i], i < counters.size() ? counters[i] : 0);
}

void warpo::fetchArtifacts(const wasm::Module &module, uint64_t moduleId, StoppedInstance &instance,
                           const OpenFrames &left, const PartCounts *part, RunResult &result) {
  auto artifacts = wasm::findArtifacts(module);
  if (!artifacts) {
    result.artifactProblems.push_back(toString(artifacts.takeError()));
    return;
  }
  for (const Artifact &artifact : *artifacts) {
    if (artifact.isRecord() && result.instrumented)
      continue;
    auto bytes = Fetcher(artifact, moduleId, instance).fetch();
    if (!bytes) {
      result.artifactProblems.push_back(module.fileName + ": " + artifact.description +
                                        " cannot be fetched: " + toString(bytes.takeError()));
      continue;
    }
    bool counts = artifact.format == wasm::countFileFormat;
    if (counts && part)
      replaceCounters(*bytes, artifact.head.size(), part->counters);
    if (counts)
      *bytes += encodeOpenFrames(module, part ? part->left : left, wasm::leftCallsSignature);
    if (counts && part)
      *bytes += encodeOpenFrames(module, part->begun, wasm::begunCallsSignature);
    if (!bytes->empty())
      result.artifacts.push_back(
          {artifact.format, artifact.extension, artifact.description, std::move(*bytes)});
  }
}
