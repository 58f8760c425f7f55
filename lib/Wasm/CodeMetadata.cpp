//===- CodeMetadata.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeMetadata.h"
#include "EntrySorter.h"
#include "warpo/Wasm/CodeHints.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// The number of hints of a function. If there is no count, the offset of the hint follows, which is
// 0; a count is not 0.
static uint32_t readHintCount(ByteCursor &cursor, StringRef name) {
  ByteCursor ahead = cursor;
  return name == prioritySection && ahead.uleb32() == 0 && ahead.ok() ? 1 : readCount(cursor);
}

void wasm::requestHinted(ByteCursor &cursor, StringRef name, CodeMovements &movements) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    uint32_t function = cursor.uleb32();
    if (cursor.ok())
      movements.request(function);
    for (uint32_t j = 0, hints = readHintCount(cursor, name); j < hints && cursor.ok(); ++j) {
      cursor.uleb32();
      cursor.sizedString();
    }
  }
}

// A call with several targets goes through a reference, so a target is mapped like a reference to
// the function.
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
      targets.failAt(begin, "function " + Twine(function) + ", but the module has only " +
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

void wasm::rewriteCodeMetadata(ByteCursor &cursor, StringRef name, const Module &module,
                               const IndexMap &indices, const CodeMovements &movements,
                               ByteWriter &writer) {
  Copier copier(cursor, writer);
  EntrySorter sorter(writer);
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    copier.copyPassed();
    const uint8_t *begin = cursor.position();
    uint32_t function = cursor.uleb32();
    if (!cursor.ok())
      return;
    if (module.isImported(function) || function >= module.functionCount())
      return cursor.failAt(begin, "hints for function " + Twine(function) + ", which has no code");
    sorter.begin(indices.function(function));
    copier.replace(begin, cursor.position(), function, indices.function(function));
    for (uint32_t j = 0, hints = readHintCount(cursor, name); j < hints && cursor.ok(); ++j) {
      begin = cursor.position();
      uint32_t offset = cursor.uleb32();
      copier.replace(begin, cursor.position(), offset, movements.newOffset(function, offset));
      if (name != callTargetsSection) {
        cursor.sizedString();
        continue;
      }
      copier.copyPassed();
      rewriteTargets(cursor, module, indices, writer);
      copier.leaveOutPassed();
    }
  }
  copier.copyPassed();
  failAtRest(cursor);
  if (indices.movesOriginals())
    sorter.finish();
}
