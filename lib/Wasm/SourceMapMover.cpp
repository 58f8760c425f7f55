//===- SourceMapMover.cpp - Entries of a source map, body by body ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Errors.h"
#include "warpo/Wasm/SourceMap.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

Error wasm::forEachEntry(const SourceMap &map, const Module &module,
                         function_ref<void(const SourceMapEntry &, size_t)> use) {
  MappingsReader reader(map.entries());
  ArrayRef<ByteRange> bodies = module.bodies;
  SourceMapEntry entry;
  for (size_t body = 0;;) {
    auto another = reader.next(entry);
    if (!another)
      return fileError(map.fileName(), toString(another.takeError()));
    if (!*another)
      return Error::success();
    // The place behind a body belongs to it too: an entry there ends the previous one.
    while (body != bodies.size() && entry.offset > bodies[body].offset + bodies[body].bytes.size())
      ++body;
    if (body == bodies.size())
      return Error::success();
    // The size before a body belongs to no function.
    if (entry.offset >= bodies[body].offset)
      use(entry, body);
  }
}

// Entries are sorted, so the last body has the largest offsets.
static Error checkSize(const SourceMap &map, const Module &rewritten) {
  if (!rewritten.bodies.empty() && rewritten.bodies.back().offset > UINT32_MAX)
    return fileError(map.fileName(), "the rewritten module is too large for a source map");
  return Error::success();
}

// The offset of an entry in the function's new body; `offset` is that in the old body.
static uint32_t movedOffset(uint32_t offset, uint32_t function, const ByteRange &before,
                            const ByteRange &after, const CodeMovements &movements) {
  return offset == before.bytes.size() ? uint32_t(after.bytes.size())
                                       : movements.newOffset(function, offset);
}

Expected<std::string> wasm::moveMappings(const SourceMap &map, const Module &original,
                                         const Module &rewritten, const CodeMovements &movements) {
  if (Error error = checkSize(map, rewritten))
    return error;
  MappingsWriter writer;
  std::optional<size_t> last;
  auto move = [&](SourceMapEntry entry, size_t body) {
    const ByteRange &before = original.bodies[body], &after = rewritten.bodies[body];
    uint32_t function = original.importedFunctionCount() + uint32_t(body);
    uint32_t offset = uint32_t(entry.offset - before.offset);
    uint32_t moved = movedOffset(offset, function, before, after, movements);
    // Code inserted before the first entry would otherwise belong to the previous function.
    if (last != body && moved != offset) {
      entry.offset = uint32_t(after.offset);
      writer.add(entry);
    }
    last = body;
    entry.offset = uint32_t(after.offset + moved);
    writer.add(entry);
  };
  if (Error error = forEachEntry(map, original, move))
    return error;
  if (rewritten.bodies.size() > original.bodies.size()) {
    SourceMapEntry nowhere;
    nowhere.offset = uint32_t(rewritten.bodies[original.bodies.size()].offset);
    writer.add(nowhere);
  }
  return writer.take();
}

Expected<std::string> wasm::permuteMappings(const SourceMap &map, const Module &original,
                                            const Module &rewritten,
                                            const FunctionPermutation &permutation,
                                            const CodeMovements &movements) {
  if (Error error = checkSize(map, rewritten))
    return error;
  uint32_t imported = original.importedFunctionCount();
  // The entries of each body, in the map's order, by its index in the new module.
  std::vector<std::vector<SourceMapEntry>> entries(rewritten.bodies.size());
  auto move = [&](SourceMapEntry entry, size_t body) {
    uint32_t function = imported + uint32_t(body);
    uint32_t newBody = permutation.newIndex(function) - imported;
    const ByteRange &before = original.bodies[body], &after = rewritten.bodies[newBody];
    entry.offset = uint32_t(after.offset) + movedOffset(uint32_t(entry.offset - before.offset),
                                                        function, before, after, movements);
    entries[newBody].push_back(entry);
  };
  if (Error error = forEachEntry(map, original, move))
    return error;
  MappingsWriter writer;
  for (auto [body, own] : zip_equal(rewritten.bodies, entries)) {
    SourceMapEntry nowhere;
    nowhere.offset = uint32_t(body.offset);
    if (own.empty() || own.front().offset != nowhere.offset)
      writer.add(nowhere);
    for (const SourceMapEntry &entry : own)
      writer.add(entry);
  }
  return writer.take();
}
