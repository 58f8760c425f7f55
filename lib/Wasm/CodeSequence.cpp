//===- CodeSequence.cpp ---------------------------------------------------===//

#include "warpo/Wasm/CodeSequence.h"
#include "warpo/Wasm/ByteWriter.h"

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

CodeSequence &CodeSequence::withGlobal(uint8_t opcode, GlobalRef global) {
  bytes_.push_back(opcode);
  holes_.push_back({uint32_t(bytes_.size()), false, {}, global});
  return *this;
}

CodeSequence &CodeSequence::globalGet(GlobalRef global) { return withGlobal(0x23, global); }
CodeSequence &CodeSequence::globalSet(GlobalRef global) { return withGlobal(0x24, global); }

CodeSequence &CodeSequence::call(FunctionRef function) {
  bytes_.push_back(0x10);
  holes_.push_back({uint32_t(bytes_.size()), true, function, {}});
  return *this;
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
                           function_ref<uint32_t(GlobalRef)> globalIndex,
                           SmallVectorImpl<uint8_t> &out) const {
  ByteWriter writer(out);
  const uint8_t *copied = bytes_.begin();
  for (const Hole &hole : holes_) {
    writer.bytes(copied, bytes_.begin() + hole.offset);
    writer.uleb(hole.isFunction ? functionIndex(hole.function) : globalIndex(hole.global));
    copied = bytes_.begin() + hole.offset;
  }
  writer.bytes(copied, bytes_.end());
}
