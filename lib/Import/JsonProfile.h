//===- JsonProfile.h - What readers of profiles in JSON share -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_JSONPROFILE_H
#define WARPO_LIB_IMPORT_JSONPROFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace warpo {

/// The object that `bytes` are. What is no UTF-8 in strings becomes U+FFFD. A document in memory
/// takes up to twenty times its bytes: one above 256 MiB is an error. Errors begin with `file`.
llvm::Expected<llvm::json::Object> parseJsonProfile(llvm::ArrayRef<uint8_t> bytes,
                                                    llvm::StringRef file);

/// The text without white space in front, if it is that of an object: for those who look for keys
/// in the beginning of a document; else nothing.
llvm::StringRef startOfObject(llvm::ArrayRef<uint8_t> start);

/// An array of a document that is to be read: one that is missing is empty, and a null or anything
/// else where a number is wanted is nothing.
class JsonColumn {
public:
  JsonColumn() = default;
  explicit JsonColumn(const llvm::json::Array *array) : array_(array) {}
  JsonColumn(const llvm::json::Object &table, llvm::StringRef name)
      : array_(table.getArray(name)) {}

  size_t size() const { return array_ ? array_->size() : 0; }
  const llvm::json::Value *operator[](size_t index) const {
    return index < size() ? &(*array_)[index] : nullptr;
  }
  std::optional<uint64_t> number(size_t index) const {
    const llvm::json::Value *value = (*this)[index];
    return value ? value->getAsUINT64() : std::nullopt;
  }
  /// Empty where there is none.
  llvm::StringRef text(size_t index) const {
    const llvm::json::Value *value = (*this)[index];
    std::optional<llvm::StringRef> text = value ? value->getAsString() : std::nullopt;
    return text.value_or("");
  }

private:
  const llvm::json::Array *array_ = nullptr;
};

} // namespace warpo

#endif
