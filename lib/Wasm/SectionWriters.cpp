//===- SectionWriters.cpp - Contents of sections, patched -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ModuleWriter.h"
#include "References.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// Reads the count of a list and writes the new count; returns the old one.
uint32_t ModuleWriter::beginList(ByteCursor &cursor, Copier &copier, size_t added) {
  uint32_t count = readCount(cursor);
  copier.leaveOutPassed();
  writer_.uleb(uint64_t(count) + added);
  return count;
}

// The reader has checked these sections; additions go to their ends.

void ModuleWriter::writeTypes(ByteCursor &cursor, Copier &copier) {
  beginList(cursor, copier, additions_.types.size());
  cursor.skip(cursor.remaining());
  copier.copyPassed();
  for (StringRef type : additions_.types)
    writer_.bytes(type.bytes_begin(), type.bytes_end());
}

void ModuleWriter::writeImports(ByteCursor &cursor, Copier &copier) {
  beginList(cursor, copier, additions_.imports.size() + additions_.importedMemories.size());
  cursor.skip(cursor.remaining());
  copier.copyPassed();
  for (const ModuleEditor::Additions::ImportedMemory &import : additions_.importedMemories) {
    writer_.name(import.module);
    writer_.name(import.name);
    writer_.u8(uint8_t(ExternalKind::memory));
    writer_.bytes(import.type);
  }
  for (const ModuleEditor::Additions::ImportedFunction &import : additions_.imports) {
    writer_.name(import.module);
    writer_.name(import.name);
    writer_.u8(uint8_t(ExternalKind::function));
    writer_.uleb(import.type);
  }
}

void ModuleWriter::writeFunctions(ByteCursor &cursor, Copier &copier) {
  uint32_t count = beginList(cursor, copier, additions_.addedFunctions());
  cursor.skip(cursor.remaining());
  if (additions_.permutation) {
    copier.leaveOutPassed();
    for (uint32_t i = 0; i != count; ++i)
      writer_.uleb(module_.functionTypes[functionAt(i)]);
  }
  copier.copyPassed();
  for (uint32_t importedFunction : additions_.thunks)
    writer_.uleb(module_.functionTypes[importedFunction]);
  for (uint32_t function : additions_.referenced)
    writer_.uleb(module_.functionTypes[function]);
  for (const ModuleEditor::Additions::Function &function : additions_.functions)
    writer_.uleb(function.type);
  for (uint32_t left = additions_.emptyFunctions; left > 0; --left)
    writer_.uleb(additions_.emptyType);
}

void ModuleWriter::writeTables(ByteCursor &cursor, Copier &copier) {
  uint32_t count = beginList(cursor, copier, additions_.tableSize != 0);
  walkTables(cursor, count, [&] { code_.patchExpression(cursor, copier); });
  copier.copyPassed();
  if (additions_.tableSize == 0)
    return;
  enum : uint8_t { externalReference = 0x6f, withMaximum = 1 };
  writer_.u8(externalReference);
  writer_.u8(withMaximum);
  writer_.uleb(additions_.tableSize);
  writer_.uleb(additions_.tableSize);
}

void ModuleWriter::writeGlobals(const ModuleEditor::Additions::Global &global, uint32_t count) {
  // Each in one piece, since there may be a million.
  SmallVector<uint8_t, 16> encoded{uint8_t(global.type), global.isMutable,
                                   global.type == ValueType::i32 ? "i32.const"_op : "i64.const"_op};
  ByteWriter(encoded).sleb(global.value);
  encoded.push_back("end"_op);
  for (uint32_t i = 0; i != count; ++i)
    writer_.bytes(encoded);
}

void ModuleWriter::writeMemories(ByteCursor &cursor, Copier &copier) {
  if (!additions_.importedMemories.empty()) {
    cursor.skip(cursor.remaining());
    copier.leaveOutPassed();
    return writer_.uleb(0);
  }
  beginList(cursor, copier, additions_.memory ? 1 : 0);
  cursor.skip(cursor.remaining());
  copier.copyPassed();
  if (!additions_.memory)
    return;
  enum : uint8_t { unshared = 0, sharedWithMaximum = 3 };
  writer_.u8(module_.hasSharedMemory ? sharedWithMaximum : unshared);
  writer_.uleb(additions_.memory->pages);
  if (module_.hasSharedMemory)
    writer_.uleb(additions_.memory->pages);
}

void ModuleWriter::writeGlobals(ByteCursor &cursor, Copier &copier) {
  uint32_t count =
      beginList(cursor, copier, size_t(additions_.globalCount) + additions_.lastGlobal.has_value());
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    skipGlobalType(cursor);
    code_.patchExpression(cursor, copier);
  }
  copier.copyPassed();
  for (const ModuleEditor::Additions::Globals &globals : additions_.globals)
    writeGlobals(globals.each, globals.count);
  if (additions_.lastGlobal)
    writeGlobals(*additions_.lastGlobal, 1);
}

void ModuleWriter::writeExports(ByteCursor &cursor, Copier &copier) {
  size_t exportedFunctions = size_t(
      llvm::count_if(additions_.functions, [](const ModuleEditor::Additions::Function &each) {
        return each.isExported;
      }));
  uint32_t count = beginList(cursor, copier,
                             additions_.exportedGlobals.size() + exportedFunctions +
                                 (additions_.memory ? 1 : 0));
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    cursor.sizedString();
    bool isFunction = cursor.u8() == uint8_t(ExternalKind::function);
    const uint8_t *begin = cursor.position();
    uint32_t index = cursor.uleb32();
    if (isFunction)
      copier.replace(begin, cursor.position(), index, indices_.exported(index));
  }
  copier.copyPassed();
  for (const ModuleEditor::Additions::ExportedGlobal &entry : additions_.exportedGlobals) {
    writer_.name(entry.name);
    writer_.u8(uint8_t(ExternalKind::global));
    writer_.uleb(indices_.global(entry.global));
  }
  for (uint32_t i = 0; i != additions_.functions.size(); ++i) {
    if (!additions_.functions[i].isExported)
      continue;
    writer_.name(additions_.functions[i].name);
    writer_.u8(uint8_t(ExternalKind::function));
    writer_.uleb(indices_.addedFunction(i));
  }
  if (additions_.memory) {
    writer_.name(additions_.memory->exportName);
    writer_.u8(uint8_t(ExternalKind::memory));
    writer_.uleb(module_.memoryCount);
  }
}

void ModuleWriter::writeStart(ByteCursor &cursor, Copier &copier) {
  code_.patchStart(cursor, copier);
  copier.copyPassed();
}

void ModuleWriter::writeElements(ByteCursor &cursor, Copier &copier) {
  uint32_t count = beginList(cursor, copier, undeclared_.empty() ? 0 : 1);
  for (uint32_t i = 0; i < count && cursor.ok(); ++i)
    walkElement(
        cursor, [&] { code_.patchExpression(cursor, copier); },
        [&] { code_.patchReference(cursor, copier); });
  copier.copyPassed();
  if (undeclared_.empty())
    return;
  writer_.u8(3); // declarative, of functions
  writer_.u8(0);
  writer_.uleb(undeclared_.size());
  for (uint32_t function : undeclared_)
    writer_.uleb(indices_.reference(function));
}

void ModuleWriter::writeDataCount(ByteCursor &cursor, Copier &copier) {
  const uint8_t *begin = cursor.position();
  uint32_t count = cursor.uleb32();
  copier.replace(begin, cursor.position(), count, additions_.memory ? count + 1 : count);
  copier.copyPassed();
}

// data := flags memory? offset? bytes. It has no functions, so it is only checked.
void ModuleWriter::writeData(ByteCursor &cursor, Copier &copier) {
  enum : uint32_t { passive = 1, explicitMemory = 2 };
  uint32_t count = beginList(cursor, copier, additions_.memory ? 1 : 0);
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    const uint8_t *begin = cursor.position();
    uint32_t flags = cursor.uleb32();
    if (flags > explicitMemory)
      return cursor.failAt(begin, "unknown kind of data segment 0x" + utohexstr(flags, true));
    if (flags == explicitMemory)
      cursor.uleb32();
    if (flags != passive)
      countInstructions(cursor);
    cursor.sizedString();
  }
  copier.copyPassed();
  if (!additions_.memory)
    return;
  writer_.uleb(explicitMemory);
  writer_.uleb(module_.memoryCount);
  const uint8_t offset[] = {0x41, 0, 0x0b}; // i32.const 0, end
  writer_.bytes(offset);
  writer_.name(toStringRef(additions_.memory->contents));
}

// A function in a `ref.func` of code has to occur outside of code too. The export of an imported
// function still exports the import itself, not the thunk of its references. Only in this rare case
// the code is walked over before it is rewritten.
Error ModuleWriter::findUndeclared() {
  std::vector<bool> exportedOnly(module_.importedFunctionCount());
  bool any = false;
  for (const Export &entry : module_.exports) {
    if (entry.kind != ExternalKind::function || !module_.isImported(entry.index) ||
        indices_.reference(entry.index) == indices_.function(entry.index))
      continue;
    exportedOnly[entry.index] = true;
    any = true;
  }
  if (!any)
    return Error::success();
  for (const ByteRange &body : module_.bodies) {
    ByteCursor cursor = body.cursor();
    skipLocals(cursor);
    CodeWalker walker(cursor);
    for (Instruction instruction; walker.next(instruction);) {
      if (!isReference(instruction) || instruction.index() >= exportedOnly.size() ||
          !exportedOnly[instruction.index()])
        continue;
      exportedOnly[instruction.index()] = false;
      undeclared_.push_back(instruction.index());
    }
    if (Error error = cursor.takeError(module_.fileName))
      return error;
  }
  return Error::success();
}
