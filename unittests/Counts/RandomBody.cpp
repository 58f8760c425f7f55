//===- RandomBody.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomBody.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

RandomBody::RandomBody(uint32_t seed) : random_(seed) {
  addBlock(/*depth=*/1, 24);
  add("end"_op);
  encode();
}

void RandomBody::addBlock(uint32_t depth, int budget) {
  for (uint32_t count = below(5) + 1; count && budget > 0; --count, budget -= 3) {
    switch (uint32_t kind = below(depth > 7 ? 8 : 16)) {
    case 0:
      add("nop"_op); // costs nothing
      break;
    case 1:
      add("drop"_op);
      break;
    case 2:
      add("br_if"_op, {below(depth)});
      break;
    case 3:
      add("br_table"_op, labels(below(4) + 1, depth));
      break;
    case 4:
      below(2) ? add("br"_op, {below(depth)}) : add(below(4) ? "return"_op : "unreachable"_op);
      break;
    case 5:
      add(below(4) ? "call"_op : "suspend"_op);
      break;
    case 6:
      below(2) ? add("throw"_op) : add("resume"_op, labels(below(3), depth));
      break;
    case 7:
      add("drop"_op);
      break;
    case 8:
      addTry(depth, budget / 2);
      break;
    default: {
      bool isIf = kind > 12;
      add(isIf ? "if"_op : kind > 10 ? "loop"_op : "block"_op);
      addBlock(depth + 1, budget / 2);
      if (isIf && below(2)) {
        add("else"_op);
        addBlock(depth + 1, budget / 2);
      }
      add("end"_op);
    }
    }
  }
}

void RandomBody::addTry(uint32_t depth, int budget) {
  bool isTable = below(2);
  add(isTable ? "try_table"_op : "try"_op,
      isTable ? labels(below(3), depth) : std::vector<uint32_t>());
  addBlock(depth + 1, budget);
  if (!isTable && !below(3))
    return add("delegate"_op, {below(depth)});
  for (uint32_t parts = isTable ? 0 : below(3); parts; --parts) {
    add(parts == 1 && below(2) ? "catch_all"_op : "catch"_op);
    addBlock(depth + 1, budget / 2);
  }
  add("end"_op);
}

void RandomBody::encode() {
  bytes_ = {0}; // no variables
  std::vector<size_t> open;
  for (size_t i = 0; i != steps_.size(); ++i) {
    Step &step = steps_[i];
    step.offset = uint32_t(bytes_.size());
    bytes_.push_back(step.opcode);
    switch (step.opcode) {
    case "try_table"_op:
      bytes_.insert(bytes_.end(), {wasm::emptyBlockType, uint8_t(step.labels.size())});
      for (uint32_t label : step.labels)
        bytes_.insert(bytes_.end(), {2, uint8_t(label)}); // catch_all
      open.push_back(i);
      break;
    case "block"_op:
    case "loop"_op:
    case "if"_op:
    case "try"_op:
      bytes_.push_back(wasm::emptyBlockType);
      open.push_back(i);
      break;
    case "else"_op:
    case "catch"_op:
    case "catch_all"_op:
      if (step.opcode == "catch"_op)
        bytes_.push_back(0);
      steps_[open.back()].next = i;
      open.back() = i;
      break;
    case "delegate"_op:
      bytes_.push_back(uint8_t(step.labels.front()));
      [[fallthrough]];
    case "end"_op:
      if (!open.empty()) {
        steps_[open.back()].next = i;
        open.pop_back();
      }
      break;
    case "call"_op:
    case "suspend"_op:
    case "throw"_op:
      bytes_.push_back(0);
      break;
    case "resume"_op:
      bytes_.insert(bytes_.end(), {0, uint8_t(step.labels.size())});
      for (uint32_t label : step.labels)
        bytes_.insert(bytes_.end(), {0, 0, uint8_t(label)});
      break;
    case "br_table"_op:
      bytes_.push_back(uint8_t(step.labels.size() - 1));
      [[fallthrough]];
    default:
      bytes_.insert(bytes_.end(), step.labels.begin(), step.labels.end());
    }
  }
}
