//===- MemoryAccess.h - Loads and stores in an added memory ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_MEMORYACCESS_H
#define WARPO_LIB_INSTRUMENT_MEMORYACCESS_H

#include "warpo/Wasm/CodeSequence.h"
#include "llvm/Support/LEB128.h"

namespace warpo {

/// Appends an access of a memory; the address is on the stack. `alignment` is a binary logarithm.
inline void accessMemory(wasm::CodeSequence &code, llvm::ArrayRef<uint8_t> opcode,
                         uint8_t alignment, uint32_t memory, uint64_t offset) {
  const uint8_t hasMemory = 0x40;
  uint8_t number[10];
  code.raw(opcode);
  code.raw(uint8_t(memory ? alignment | hasMemory : alignment));
  if (memory)
    code.raw({number, llvm::encodeULEB128(memory, number)});
  code.raw({number, llvm::encodeULEB128(offset, number)});
}

} // namespace warpo

#endif
