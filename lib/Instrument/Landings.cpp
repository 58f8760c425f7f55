//===- Landings.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Landings.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

void Landings::follow(const wasm::Instruction &instruction, ArrayRef<uint32_t> labels,
                      uint32_t offset, function_ref<void(uint32_t)> add) {
  uint8_t opcode = *instruction.begin;
  bool leaves = leaves_ && leaves_(opcode);
  if (landsHere_)
    add(offset);
  landsHere_ = leaves || opcode == "catch"_op || opcode == "catch_all"_op;
  if (leaves || opcode == "try_table"_op)
    for (uint32_t label : labels)
      aim(label);
  if (instruction.info->role == wasm::OpcodeRole::opens) {
    uint32_t end = offset + uint32_t(instruction.end - instruction.begin);
    blocks_.push_back({opcode == "loop"_op, false, end});
  } else if (instruction.info->role == wasm::OpcodeRole::closes && !blocks_.empty()) {
    Block block = blocks_.pop_back_val();
    landsHere_ |= block.isTarget && !block.isLoop;
    if (block.isTarget && block.isLoop)
      add(block.begin);
  }
}
