//===- BodyHash.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/BodyHash.h"
#include "warpo/Wasm/CodeWalker.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// Whether an immediate is a position in the module.
static bool movesAround(ImmediateKind kind) {
  switch (kind) {
  case ImmediateKind::function:
  case ImmediateKind::type:
  case ImmediateKind::table:
  case ImmediateKind::memory:
  case ImmediateKind::global:
  case ImmediateKind::tag:
  case ImmediateKind::data:
  case ImmediateKind::element:
  // These may name types or tags.
  case ImmediateKind::blockType:
  case ImmediateKind::heapType:
  case ImmediateKind::valueTypes:
  case ImmediateKind::catches:
  case ImmediateKind::handlers:
    return true;
  default:
    return false;
  }
}

static bool hasMovingImmediate(const OpcodeInfo &info) {
  for (uint32_t kinds = info.immediates; kinds; kinds >>= 8)
    if (movesAround(ImmediateKind(kinds & 0xff)))
      return true;
  return false;
}

/// Whether a constant, or the offset of an access, may be an address of data, which moves with the
/// data before it. Linkers leave the first kilobyte free.
static bool mayBeAddress(const Instruction &instruction) {
  constexpr int64_t firstAddress = 1024;
  ByteCursor cursor(ArrayRef(instruction.immediates, instruction.end));
  switch (instruction.firstImmediate()) {
  case ImmediateKind::signed32:
    return std::abs(int64_t(cursor.sleb32())) >= firstAddress;
  case ImmediateKind::signed64: {
    int64_t value = cursor.sleb64();
    return value >= firstAddress || value <= -firstAddress;
  }
  case ImmediateKind::memArg:
    // The number before the offset is smaller.
    while (!cursor.atEnd() && cursor.ok())
      if (cursor.uleb64() >= uint64_t(firstAddress))
        return true;
    return false;
  default:
    return false;
  }
}

// Whether the immediates of an instruction are not part of the hash.
static bool isLeftOut(const Instruction &instruction) {
  if (hasMovingImmediate(*instruction.info))
    return true;
  // Most instructions have none, that of a variable, or numbers too short for an address.
  switch (ptrdiff_t size = instruction.end - instruction.immediates; instruction.firstImmediate()) {
  case ImmediateKind::none:
  case ImmediateKind::local:
    return false;
  case ImmediateKind::signed32:
  case ImmediateKind::signed64:
    return size > 1 && mayBeAddress(instruction);
  case ImmediateKind::memArg:
    return size > 2 && mayBeAddress(instruction);
  default:
    return false;
  }
}

// Of the opcodes whose instructions are part of the hash if they have that form: their numbers have
// one byte, too few for an address.
static const PassedForms keptForms = [] {
  PassedForms kept;
  for (unsigned code = 0; code != kept.size(); ++code)
    if (!hasMovingImmediate(oneByteOpcodes[code]))
      kept[code] = {shortForms[code], /*cost=*/0};
  return kept;
}();

uint64_t wasm::hashBody(ArrayRef<uint8_t> body) {
  ByteCursor cursor(body);
  skipLocals(cursor);
  SmallVector<uint8_t, 512> code;
  const uint8_t *kept = cursor.position();
  CodeWalker walker(cursor);
  auto passShort = [&] { walker.passShort(keptForms, [](uint32_t) {}); };
  passShort();
  for (Instruction instruction; walker.next(instruction); passShort())
    if (isLeftOut(instruction)) {
      code.append(kept, instruction.immediates);
      kept = instruction.end;
    }
  if (!cursor.ok())
    return 0;
  code.append(kept, cursor.position());
  auto hash = BLAKE3::hash<sizeof(uint64_t)>(code);
  return std::max<uint64_t>(1, support::endian::read64le(hash.data()));
}
