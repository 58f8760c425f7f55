//===- CodeSequence.cpp ---------------------------------------------------===//

#include "warpo/Wasm/CodeSequence.h"
#include "warpo/Wasm/ByteWriter.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace warpo::wasm;

CodeSequence &CodeSequence::i32Const(int32_t value) {
  ByteWriter writer(bytes_);
  writer.u8(0x41);
  writer.sleb(value);
  return *this;
}

CodeSequence &CodeSequence::i64Const(int64_t value) {
  ByteWriter writer(bytes_);
  writer.u8(0x42);
  writer.sleb(value);
  return *this;
}

CodeSequence &CodeSequence::localGet(uint32_t index) {
  ByteWriter writer(bytes_);
  writer.u8(0x20);
  writer.uleb(index);
  return *this;
}

CodeSequence &CodeSequence::withHole(uint8_t opcode, Hole::Kind kind, FunctionRef function,
                                     GlobalRef global) {
  bytes_.push_back(opcode);
  holes_.push_back({uint32_t(bytes_.size()), kind, function, global});
  return *this;
}

CodeSequence &CodeSequence::addedLocalGet() { return withHole(0x20, Hole::ofAddedLocal, {}, {}); }
CodeSequence &CodeSequence::addedLocalSet() { return withHole(0x21, Hole::ofAddedLocal, {}, {}); }
CodeSequence &CodeSequence::globalGet(GlobalRef global) {
  return withHole(0x23, Hole::ofGlobal, {}, global);
}
CodeSequence &CodeSequence::globalSet(GlobalRef global) {
  return withHole(0x24, Hole::ofGlobal, {}, global);
}
CodeSequence &CodeSequence::call(FunctionRef function) {
  return withHole(0x10, Hole::ofFunction, function, {});
}

CodeSequence &CodeSequence::raw(ArrayRef<uint8_t> bytes) {
  bytes_.append(bytes.begin(), bytes.end());
  return *this;
}

CodeSequence &CodeSequence::append(const CodeSequence &other) {
  uint32_t shift = uint32_t(bytes_.size());
  bytes_.append(other.bytes_.begin(), other.bytes_.end());
  for (Hole hole : other.holes_) {
    hole.offset += shift;
    holes_.push_back(hole);
  }
  return *this;
}

void CodeSequence::clear() {
  bytes_.clear();
  holes_.clear();
}

void CodeSequence::resolve(function_ref<uint32_t(FunctionRef)> functionIndex,
                           function_ref<uint32_t(GlobalRef)> globalIndex, uint32_t addedLocal,
                           SmallVectorImpl<uint8_t> &out) const {
  auto indexOf = [&](const Hole &hole) {
    switch (hole.kind) {
    case Hole::ofFunction:
      return functionIndex(hole.function);
    case Hole::ofGlobal:
      return globalIndex(hole.global);
    case Hole::ofAddedLocal:
      return addedLocal;
    }
    llvm_unreachable("a hole is one of these");
  };
  ByteWriter writer(out);
  const uint8_t *copied = bytes_.begin();
  for (const Hole &hole : holes_) {
    writer.bytes(copied, bytes_.begin() + hole.offset);
    writer.uleb(indexOf(hole));
    copied = bytes_.begin() + hole.offset;
  }
  writer.bytes(copied, bytes_.end());
}
