//===- CodeMetadata.cpp ---------------------------------------------------===//

#include "CodeMetadata.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

void CodeMovements::requestAll(ByteCursor &cursor) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    uint32_t function = cursor.uleb32();
    // The two highest numbers are the map's own; no function has them.
    if (cursor.ok() && function < UINT32_MAX - 1)
      runs_.try_emplace(function);
    for (uint32_t j = 0, hints = readCount(cursor); j < hints && cursor.ok(); ++j) {
      cursor.uleb32();
      cursor.sizedString();
    }
  }
}

uint32_t CodeMovements::newOffset(uint32_t function, uint32_t offset) const {
  auto found = runs_.find(function);
  if (found == runs_.end())
    return offset;
  const std::vector<CopiedRun> &runs = found->second;
  auto next = llvm::upper_bound(
      runs, offset, [](uint32_t place, const CopiedRun &run) { return place < run.oldOffset; });
  if (next == runs.begin())
    return offset;
  const CopiedRun &run = *std::prev(next);
  return uint32_t(run.newOffset + (offset - run.oldOffset));
}

// A call that has several targets goes through a reference, so a target is what references of the
// function have become.
static void rewriteTargets(ByteCursor &cursor, const Module &module, const IndexMap &indices,
                           ByteWriter &writer) {
  uint32_t size = cursor.uleb32();
  uint64_t offset = cursor.offset();
  ByteCursor targets(cursor.bytes(size), offset);
  ByteWriter::Part part = writer.beginPart(size);
  while (targets.ok() && !targets.atEnd()) {
    const uint8_t *begin = targets.position();
    uint32_t function = targets.uleb32();
    if (targets.ok() && function >= module.functionCount()) {
      targets.failAt(begin, "function " + Twine(function) + ", of which there are " +
                                Twine(module.functionCount()));
      break;
    }
    if (targets.ok())
      writer.uleb(indices.reference(function));
    writer.uleb(targets.uleb32());
  }
  writer.endPart(part);
  cursor.adoptFailure(targets);
}

void wasm::rewriteCodeMetadata(ByteCursor &cursor, bool namesFunctions, const Module &module,
                               const IndexMap &indices, const CodeMovements &movements,
                               ByteWriter &writer) {
  Copier copier(cursor, writer);
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    const uint8_t *begin = cursor.position();
    uint32_t function = cursor.uleb32();
    if (cursor.ok() && (module.isImported(function) || function >= module.functionCount()))
      return cursor.failAt(begin, "hints for function " + Twine(function) + ", which has no code");
    copier.replace(begin, cursor.position(), function, indices.function(function));
    for (uint32_t j = 0, hints = readCount(cursor); j < hints && cursor.ok(); ++j) {
      begin = cursor.position();
      uint32_t offset = cursor.uleb32();
      copier.replace(begin, cursor.position(), offset, movements.newOffset(function, offset));
      if (!namesFunctions) {
        cursor.sizedString();
        continue;
      }
      copier.copyPassed();
      rewriteTargets(cursor, module, indices, writer);
      copier.leaveOutPassed();
    }
  }
  copier.copyPassed();
}
