//===- FieldCursor.h - Reads fields of protobuf without its classes -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_FIELDCURSOR_H
#define WARPO_LIB_IMPORT_FIELDCURSOR_H

#include "warpo/Support/ByteCursor.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <optional>

namespace warpo {

/// Reads the fields of a protobuf message, or of its first bytes.
class FieldCursor {
public:
  explicit FieldCursor(llvm::ArrayRef<uint8_t> bytes) : cursor_(bytes) {}

  enum Type : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };
  struct Field {
    uint64_t number;
    Type type;
    /// The size for `bytes`, otherwise the value.
    uint64_t value;
    /// The available contents of `bytes`.
    llvm::ArrayRef<uint8_t> content;

    bool isCut() const { return type == bytes && content.size() < value; }
    llvm::StringRef text() const { return llvm::toStringRef(content); }
    int64_t number64() const { return type == varint ? int64_t(value) : 0; }
  };
  /// Nothing at the end or for an invalid field, in which case ok() is false.
  std::optional<Field> next() {
    if (cursor_.atEnd())
      return std::nullopt;
    uint64_t key = cursor_.uleb64();
    Field field{key >> 3, Type(key & 7), 0, {}};
    if (field.type == varint || field.type == bytes)
      field.value = cursor_.uleb64();
    else if (field.type == fixed64)
      field.value = cursor_.u64();
    else if (field.type == fixed32)
      field.value = cursor_.u32();
    else
      cursor_.fail("no field of a profile");
    if (cursor_.ok() && field.type == bytes)
      field.content = cursor_.bytes(std::min<uint64_t>(field.value, cursor_.remaining()));
    return cursor_.ok() ? std::optional(field) : std::nullopt;
  }
  bool ok() const { return cursor_.ok(); }

private:
  ByteCursor cursor_;
};

} // namespace warpo

#endif
