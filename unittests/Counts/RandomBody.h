//===- RandomBody.h - Code at random --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_COUNTS_RANDOMBODY_H
#define WARPO_UNITTESTS_COUNTS_RANDOMBODY_H

#include "warpo/Wasm/Module.h"
#include "warpo/Wasm/OpcodeNames.h"
#include <random>
#include <vector>

namespace warpo {

/// One instruction of a body.
struct Step {
  uint8_t opcode;
  std::vector<uint32_t> labels = {};
  uint32_t offset = 0;
  /// Of what begins a block or a part of one: the step of the next part, or of its end.
  size_t next = 0;
};

inline bool beginsPart(uint8_t opcode) {
  using namespace wasm::opcode_names;
  return opcode == "else"_op || opcode == "catch"_op || opcode == "catch_all"_op;
}

/// Code at random, of one function.
class RandomBody {
public:
  explicit RandomBody(uint32_t seed);

  const std::vector<Step> &steps() const { return steps_; }
  wasm::ByteRange range() const { return {bytes_, 0}; }
  uint32_t below(uint32_t bound) {
    return std::uniform_int_distribution<uint32_t>(0, bound - 1)(random_);
  }

private:
  void add(uint8_t opcode, std::vector<uint32_t> labels = {}) {
    steps_.push_back({opcode, std::move(labels)});
  }
  // Code inside of `depth` labels.
  void addBlock(uint32_t depth, int budget);
  void addTry(uint32_t depth, int budget);
  std::vector<uint32_t> labels(uint32_t count, uint32_t depth) {
    std::vector<uint32_t> labels;
    while (count--)
      labels.push_back(below(depth));
    return labels;
  }
  void encode();

  std::mt19937 random_;
  std::vector<Step> steps_;
  std::vector<uint8_t> bytes_;
};

} // namespace warpo

#endif
