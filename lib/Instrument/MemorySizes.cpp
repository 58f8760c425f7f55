//===- MemorySizes.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "MemorySizes.h"
#include "SizeReport.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/Types.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// The operation of `builtin.heap`.
static constexpr int32_t reportsSize = 3;

static constexpr int64_t pageShift = 16;

void MemorySizes::add(ByteCursor limits) {
  enum : uint8_t { isShared = 2, is64 = 4 };
  uint8_t flags = limits.u8();
  memories_.push_back({.is64 = (flags & is64) != 0, .isShared = (flags & isShared) != 0});
}

MemorySizes::MemorySizes(const wasm::Module &module) {
  for (const wasm::Import &import : module.imports)
    if (import.kind == wasm::ExternalKind::memory)
      add(ByteCursor(import.typeBytes));
  for (const wasm::Section &section : module.sections) {
    if (section.id != wasm::SectionId::memory)
      continue;
    ByteCursor cursor = section.contents.cursor();
    for (uint32_t left = wasm::readCount(cursor); left > 0 && cursor.ok(); --left) {
      add(cursor);
      wasm::skipLimits(cursor);
    }
  }
}

void MemorySizes::pushSize(uint32_t memory, wasm::CodeSequence &code) const {
  uint8_t number[10];
  code.raw("memory.size"_op).raw({number, encodeULEB128(memory, number)});
  if (!memories_[memory].is64)
    code.raw("i64.extend_i32_u"_op);
}

wasm::FunctionRef MemorySizes::addReport(ModuleDeclarations &declarations, uint32_t memory,
                                         wasm::FunctionRef heap) const {
  wasm::CodeSequence size, operation;
  pushSize(memory, size);
  operation.localGet(0);
  wasm::CodeSequence code;
  if (memory == 0 && memories_.size() > 1) {
    code.globalGet(memories_[memory].last).i64Const(-1);
    code.raw({"i64.eq"_op, "if"_op, wasm::emptyBlockType});
    for (uint32_t other = 1; other < memories_.size(); ++other)
      report(other, /*isFound=*/true, code);
    code.raw("end"_op);
  }
  code.append(reportSize(size, memories_[memory].last, operation, memory, pageShift, heap));
  return declarations.addFunction(("builtin.heap (memory " + Twine(memory) + ")").str(),
                                  wasm::ValueType::i32, {}, code);
}

void MemorySizes::declare(ModuleDeclarations &declarations, wasm::FunctionRef heap) {
  // The first one comes last: with its size, that of the others is reported once.
  for (uint32_t number = uint32_t(memories_.size()); number-- > 0;) {
    memories_[number].last = declarations.addGlobal(wasm::ValueType::i64, true, -1);
    memories_[number].report = addReport(declarations, number, heap);
  }
}

bool MemorySizes::grows(const wasm::Instruction &instruction) const {
  return *instruction.begin == "memory.grow"_op && instruction.index() < memories_.size();
}

void MemorySizes::report(uint32_t memory, bool isFound, wasm::CodeSequence &code) const {
  int32_t flags = (memories_[memory].isShared ? sharedFlag : 0) | (isFound ? foundFlag : 0);
  code.i32Const(reportsSize | flags).call(memories_[memory].report);
}

// Tests first: even calls that report nothing cost time.
void MemorySizes::reportFirst(bool isFound, wasm::CodeSequence &code) const {
  if (memories_.empty())
    return;
  pushSize(0, code);
  code.globalGet(memories_.front().last).raw({"i64.ne"_op, "if"_op, wasm::emptyBlockType});
  report(0, isFound, code);
  code.raw("end"_op);
}
