//===- CodeWalker.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/Types.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

void CodeWalker::readLabel(Instruction &instruction) {
  const uint8_t *begin = cursor_.position();
  uint32_t label = cursor_.uleb32();
  if (label > depth_)
    cursor_.failAt(begin, "branch over " + Twine(label) + " blocks, of which only " +
                              Twine(depth_) + " are open");
  if (label == depth_)
    instruction.leavesExpression = true;
  if (labels_)
    labels_->push_back(label);
}

// The clauses of try_table (catch, catch_ref: tag and label; catch_all, catch_all_ref: label) and
// of resume (on: tag and label; on switch: tag).
void CodeWalker::readClauses(Instruction &instruction, ImmediateKind kind) {
  bool ofTry = kind == ImmediateKind::catches;
  for (uint32_t i = 0, count = readCount(cursor_); i < count && cursor_.ok(); ++i) {
    const uint8_t *begin = cursor_.position();
    uint8_t form = cursor_.u8();
    if (form > (ofTry ? 3 : 1))
      cursor_.failAt(begin, "unknown form of clause 0x" + utohexstr(form, true));
    if (!ofTry || form < 2)
      cursor_.uleb32();
    if (ofTry || form == 0)
      readLabel(instruction);
  }
}

// Skips a number of one byte, as most are; all of these are valid.
static bool skipByte(ByteCursor &cursor) {
  bool isShort = !cursor.atEnd() && *cursor.position() < 0x80;
  if (isShort)
    cursor.u8();
  return isShort;
}

static void skipMemArg(ByteCursor &cursor) {
  // The low bits are the alignment; the others say what precedes the offset.
  enum : uint32_t { hasOrder = 0x10, hasArrayType = 0x20, hasMemory = 0x40, known = 0x7f };
  const uint8_t *begin = cursor.position();
  uint32_t flags = cursor.uleb32();
  if (flags & ~known)
    return cursor.failAt(begin, "unknown form of memory access 0x" + utohexstr(flags, true));
  if (flags & hasMemory)
    cursor.uleb32();
  if (flags & hasOrder)
    cursor.u8();
  if (flags & hasArrayType)
    cursor.uleb32();
  if (!skipByte(cursor))
    cursor.uleb64();
}

void CodeWalker::readImmediate(ImmediateKind kind, Instruction &instruction) {
  switch (kind) {
  case ImmediateKind::none:
    return;
  case ImmediateKind::function:
  case ImmediateKind::type:
  case ImmediateKind::table:
  case ImmediateKind::memory:
  case ImmediateKind::global:
  case ImmediateKind::local:
  case ImmediateKind::tag:
  case ImmediateKind::data:
  case ImmediateKind::element:
  case ImmediateKind::field:
  case ImmediateKind::count:
    cursor_.uleb32();
    return;
  case ImmediateKind::label:
    return readLabel(instruction);
  case ImmediateKind::signed32:
    if (!skipByte(cursor_))
      cursor_.sleb32();
    return;
  case ImmediateKind::signed64:
    if (!skipByte(cursor_))
      cursor_.sleb64();
    return;
  case ImmediateKind::byte:
    cursor_.u8();
    return;
  case ImmediateKind::bytes4:
    return cursor_.skip(4);
  case ImmediateKind::bytes8:
    return cursor_.skip(8);
  case ImmediateKind::bytes16:
    return cursor_.skip(16);
  case ImmediateKind::blockType:
    return skipBlockType(cursor_);
  case ImmediateKind::heapType:
    return skipHeapType(cursor_);
  case ImmediateKind::valueTypes:
    readTypeList(cursor_);
    return;
  case ImmediateKind::labelTable: {
    uint32_t count = readCount(cursor_);
    for (uint64_t i = 0; i < uint64_t(count) + 1 && cursor_.ok(); ++i)
      readLabel(instruction);
    return;
  }
  case ImmediateKind::memArg:
    return skipMemArg(cursor_);
  case ImmediateKind::catches:
  case ImmediateKind::handlers:
    return readClauses(instruction, kind);
  }
}

// The opcode that begins with `code` at `begin`, which is not a one-byte opcode.
LLVM_ATTRIBUTE_NOINLINE
static const OpcodeInfo &readLongOpcode(ByteCursor &cursor, const uint8_t *begin, uint8_t code) {
  if (!isOpcodePrefix(code)) {
    cursor.failAt(begin, "unknown opcode 0x" + utohexstr(code, true));
    return oneByteOpcodes[code];
  }
  uint32_t second = cursor.uleb32();
  const OpcodeInfo &info = prefixedOpcode(code, second);
  if (cursor.ok() && !info.name)
    cursor.failAt(begin,
                  "unknown opcode 0x" + utohexstr(code, true) + " 0x" + utohexstr(second, true));
  return info;
}

// Whether there is one immediate, which is an index or a count.
static bool isOneNumber(uint32_t kinds) { return kinds - 1 < uint32_t(ImmediateKind::count); }

bool CodeWalker::nextOfLongForm(Instruction &instruction) {
  const uint8_t *begin = cursor_.position();
  // Control flow, in its usual form. There are at least four bytes.
  switch (*begin) {
  case "end"_op:
    if (depth_ == 0)
      break;
    pass(1, instruction);
    --depth_;
    return true;
  case "block"_op:
  case "loop"_op:
  case "if"_op:
    if (begin[1] != emptyBlockType)
      break;
    pass(2, instruction);
    ++depth_;
    return true;
  case "br"_op:
  case "br_if"_op:
    // Not over all blocks, which leaves the expression.
    if (begin[1] >= std::min(depth_, 0x80u))
      break;
    pass(2, instruction);
    if (labels_)
      labels_->push_back(begin[1]);
    return true;
  }
  const LongForm &form = longForms[*begin];
  if (!form.ends || cursor_.remaining() < sizeof(uint64_t))
    return nextOfAnyForm(instruction);
  uint64_t bytes = support::endian::read64le(begin), ends = ~bytes & form.ends;
  if (!ends || (bytes & form.unusual))
    return nextOfAnyForm(instruction);
  return pass(size_t(llvm::countr_zero(ends)) / 8 + 1, instruction);
}

bool CodeWalker::nextOfAnyForm(Instruction &instruction) {
  if (done_)
    return false;
  instruction.begin = cursor_.position();
  instruction.depth = depth_;
  instruction.leavesExpression = false;
  if (labels_)
    labels_->clear();
  uint8_t code = cursor_.u8();
  const OpcodeInfo *info = &oneByteOpcodes[code];
  if (LLVM_UNLIKELY(!info->name))
    info = &readLongOpcode(cursor_, instruction.begin, code);
  instruction.info = info;
  instruction.immediates = cursor_.position();
  uint32_t kinds = info->immediates;
  if (isOneNumber(kinds))
    cursor_.uleb32();
  else
    for (; kinds; kinds >>= 8)
      readImmediate(ImmediateKind(kinds & 0xff), instruction);
  instruction.end = cursor_.position();

  if (info->role == OpcodeRole::opens)
    ++depth_;
  else if (info->role == OpcodeRole::closes && depth_-- == 0) {
    done_ = true;
    if (code != "end"_op)
      cursor_.failAt(instruction.begin, "delegate outside of a block");
  }
  return cursor_.ok();
}

uint32_t wasm::skipLocals(ByteCursor &cursor) {
  uint64_t total = 0;
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    total += cursor.uleb32();
    skipValueType(cursor);
    if (total > UINT32_MAX)
      cursor.fail("more than 2^32 local variables");
  }
  return uint32_t(total);
}

uint64_t wasm::countInstructions(ByteCursor &cursor) {
  uint64_t count = 0;
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);)
    ++count;
  return count;
}
