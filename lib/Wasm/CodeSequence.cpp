//===- CodeSequence.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CodeSequence.h"
#include "Additions.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace warpo::wasm;

CodeSequence &CodeSequence::i32Const(int32_t value) {
  ByteWriter writer(bytes_);
  writer.u8("i32.const"_op);
  writer.sleb(value);
  return *this;
}

CodeSequence &CodeSequence::i64Const(int64_t value) {
  ByteWriter writer(bytes_);
  writer.u8("i64.const"_op);
  writer.sleb(value);
  return *this;
}

CodeSequence &CodeSequence::localGet(uint32_t index) {
  ByteWriter writer(bytes_);
  writer.u8("local.get"_op);
  writer.uleb(index);
  return *this;
}

CodeSequence &CodeSequence::addedLocalGet(uint32_t number) {
  return withHole("local.get"_op, Hole::ofAddedLocal, number);
}
CodeSequence &CodeSequence::addedLocalSet(uint32_t number) {
  return withHole("local.set"_op, Hole::ofAddedLocal, number);
}
CodeSequence &CodeSequence::addedLocalTee(uint32_t number) {
  return withHole("local.tee"_op, Hole::ofAddedLocal, number);
}
CodeSequence &CodeSequence::globalGet(GlobalRef global) {
  return withHole("global.get"_op, Hole::ofGlobal, global.index, global.origin);
}
CodeSequence &CodeSequence::globalSet(GlobalRef global) {
  return withHole("global.set"_op, Hole::ofGlobal, global.index, global.origin);
}
CodeSequence &CodeSequence::call(FunctionRef function) {
  return withHole("call"_op, Hole::ofFunction, function.index, function.origin);
}

CodeSequence &CodeSequence::append(const CodeSequence &other, uint32_t shift) {
  auto begin = uint32_t(bytes_.size());
  bytes_.append(other.bytes_.begin(), other.bytes_.end());
  for (Hole hole : other.holes_) {
    hole.offset += begin;
    if (hole.kind == Hole::ofGlobal)
      hole.index += shift;
    holes_.push_back(hole);
  }
  return *this;
}

void CodeSequence::clear() {
  bytes_.clear();
  holes_.clear();
}

uint32_t IndexMap::indexOf(const CodeSequence::Hole &hole, uint32_t addedLocal) const {
  switch (hole.kind) {
  case CodeSequence::Hole::ofFunction:
    return function({FunctionRef::Origin(hole.origin), hole.index});
  case CodeSequence::Hole::ofGlobal:
    return global({GlobalRef::Origin(hole.origin), hole.index});
  case CodeSequence::Hole::ofAddedLocal:
    return addedLocal + hole.index;
  }
  llvm_unreachable("a hole is one of these");
}

void IndexMap::resolve(const CodeSequence &code, const CodeSequence::Range &range,
                       uint32_t addedLocal, ByteWriter &writer, uint32_t shift) const {
  ArrayRef<CodeSequence::Hole> holes =
      ArrayRef(code.holes_).slice(range.begin.holes, range.end.holes - range.begin.holes);
  const uint8_t *bytes = code.bytes_.begin(), *copied = bytes + range.begin.bytes;
  size_t size = range.end.bytes - range.begin.bytes;
  writer.append(size + holes.size() * ByteWriter::longestNumber, [&](uint8_t *begin) {
    uint8_t *at = begin;
    // Only a few bytes, for which a call of memcpy takes longer.
    auto copyUpTo = [&](const uint8_t *end) {
      while (copied != end)
        *at++ = *copied++;
    };
    for (const CodeSequence::Hole &hole : holes) {
      copyUpTo(bytes + hole.offset);
      uint32_t index = indexOf(hole, addedLocal);
      if (hole.kind == CodeSequence::Hole::ofGlobal)
        index += shift;
      at += encodeULEB128(index, at);
    }
    copyUpTo(bytes + range.end.bytes);
    return size_t(at - begin);
  });
}
