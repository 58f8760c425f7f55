//===- CompactThrift.h - The used part of Thrift's compact protocol -------===//
// SPDX-License-Identifier: Apache-2.0
//
//   struct := field* 00
//   field  := (difference to the field before << 4 | type) value
//   list   := (size << 4 | type of elements) element*, from 15 elements on (15 << 4 | type) size
//
// Integers are zigzag varints, sizes plain varints.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_PARQUET_COMPACTTHRIFT_H
#define WARPO_LIB_PARQUET_COMPACTTHRIFT_H

#include "warpo/Support/ByteWriter.h"

namespace warpo {

inline uint64_t zigzag(int64_t value) { return uint64_t(value) << 1 ^ uint64_t(value >> 63); }

/// Appends structs to a buffer. Fields must be written in the order of their numbers.
class CompactThrift {
public:
  explicit CompactThrift(llvm::SmallVectorImpl<uint8_t> &out) : out_(out) {}

  void integer(unsigned field, int32_t value) { number(field, typeI32, value); }
  void wide(unsigned field, int64_t value) { number(field, typeI64, value); }
  void byte(unsigned field, uint8_t value) {
    head(field, typeByte);
    out_.u8(value);
  }
  void flag(unsigned field, bool value) { head(field, value ? typeTrue : typeFalse); }
  void text(unsigned field, llvm::StringRef value) {
    head(field, typeBinary);
    out_.name(value);
  }

  void beginStruct(unsigned field) {
    head(field, typeStruct);
    beginElement();
  }
  /// Begins an element of a list of structs.
  void beginElement() {
    outer_.push_back(last_);
    last_ = 0;
  }
  /// Ends a struct, an element, or the outermost struct.
  void end() {
    out_.u8(0);
    if (!outer_.empty())
      last_ = outer_.pop_back_val();
  }
  void emptyStruct(unsigned field) {
    beginStruct(field);
    end();
  }

  void beginStructs(unsigned field, size_t size) { list(field, typeStruct, size); }
  void texts(unsigned field, llvm::ArrayRef<llvm::StringRef> values) {
    list(field, typeBinary, values.size());
    for (llvm::StringRef value : values)
      out_.name(value);
  }
  void integers(unsigned field, llvm::ArrayRef<int32_t> values) {
    list(field, typeI32, values.size());
    for (int32_t value : values)
      out_.uleb(zigzag(value));
  }
  /// Appends encoded structs.
  void append(llvm::ArrayRef<uint8_t> structs) { out_.bytes(structs); }

private:
  enum Type : uint8_t {
    typeTrue = 1,
    typeFalse = 2,
    typeByte = 3,
    typeI32 = 5,
    typeI64 = 6,
    typeBinary = 8,
    typeList = 9,
    typeStruct = 12,
  };

  /// In Parquet, numbers of consecutive fields differ by at most 15.
  void head(unsigned field, Type type) {
    out_.u8(uint8_t((field - last_) << 4 | type));
    last_ = field;
  }
  void number(unsigned field, Type type, int64_t value) {
    head(field, type);
    out_.uleb(zigzag(value));
  }
  void list(unsigned field, Type element, size_t size) {
    head(field, typeList);
    if (size < 15) {
      out_.u8(uint8_t(size << 4 | element));
      return;
    }
    out_.u8(uint8_t(0xf0 | element));
    out_.uleb(size);
  }

  ByteWriter out_;
  unsigned last_ = 0;
  llvm::SmallVector<unsigned, 8> outer_;
};

} // namespace warpo

#endif
