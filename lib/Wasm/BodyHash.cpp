//===- BodyHash.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/BodyHash.h"
#include "warpo/Wasm/CodeWalker.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// Whether an immediate says where something stands in the module.
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

uint64_t wasm::hashBody(ArrayRef<uint8_t> body) {
  ByteCursor cursor(body);
  skipLocals(cursor);
  SmallVector<uint8_t, 512> code;
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);)
    code.append(instruction.begin,
                hasMovingImmediate(*instruction.info) ? instruction.immediates : instruction.end);
  if (!cursor.ok())
    return 0;
  return std::max<uint64_t>(1, xxh3_64bits(code));
}
