//===- JsonDocument.h - JSON of other programs in little memory -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A file may be hostile, and is all in memory while it is read: a value takes eight bytes and its
// text, whatever it is.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_IMPORT_JSONDOCUMENT_H
#define WARPO_LIB_IMPORT_JSONDOCUMENT_H

#include "warpo/Support/JsonCursor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo {

class JsonValue;

/// A document of JSON.
class JsonDocument {
public:
  /// The document that `bytes` are, of at most 256 MiB, with an object outside. What is no UTF-8 in
  /// strings becomes U+FFFD. Errors begin with `file`.
  static llvm::Expected<JsonDocument> parse(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file);

  JsonValue root() const;

private:
  friend class JsonValue;
  friend class JsonColumn;

  enum class Kind : uint32_t { string, number, null, other, array, object };
  /// Those of an array or object stand behind it, of an object each key in front of its value.
  struct Item {
    uint32_t kind : 3;
    /// Where its text begins; of an array or object how many elements or members it has.
    uint32_t place : 29;
    /// Bytes of its text; of an array or object the items in it.
    uint32_t size;

    Kind is() const { return Kind(kind); }
  };

  void read(JsonCursor &json);
  void readContainer(JsonCursor &json, Kind kind);
  void add(Kind kind, size_t place, size_t size);
  void addText(Kind kind, llvm::StringRef text);

  /// The item behind this one and all that is in it.
  uint32_t next(uint32_t index) const {
    const Item &item = items_[index];
    return index + 1 + (item.is() >= Kind::array ? item.size : 0);
  }
  llvm::StringRef textOf(const Item &item) const {
    return llvm::StringRef(text_).substr(item.place, item.size);
  }

  std::vector<Item> items_;
  /// Of strings, with their escapes resolved, and numbers.
  std::string text_;
};

/// A value of a document, which outlives it; or none. What is asked of a value of another sort, or
/// of none, is not there.
class JsonValue {
public:
  JsonValue() = default;

  explicit operator bool() const { return document_; }
  bool isNull() const;
  bool isObject() const;
  bool isArray() const;
  /// A whole number in 64 bits; one with a point too if nothing follows it.
  std::optional<int64_t> integer() const;
  /// A whole number from 0 on, without a point.
  std::optional<uint64_t> natural() const;
  /// Infinite if it is too large.
  std::optional<double> number() const;
  /// A string.
  std::optional<llvm::StringRef> string() const;
  /// The same; empty if it is none.
  llvm::StringRef text() const { return string().value_or(""); }
  /// A member of an object. Looks at all that are in front of it.
  JsonValue operator[](llvm::StringRef key) const;

private:
  friend class JsonDocument;
  friend class JsonColumn;
  JsonValue(const JsonDocument *document, uint32_t index) : document_(document), index_(index) {}
  bool is(JsonDocument::Kind kind) const;
  llvm::StringRef ownText() const;

  const JsonDocument *document_ = nullptr;
  uint32_t index_ = 0;
};

inline JsonValue JsonDocument::root() const { return {this, 0}; }

/// An array that is to be read: one that is missing is empty.
class JsonColumn {
public:
  JsonColumn() = default;
  explicit JsonColumn(JsonValue array);
  JsonColumn(JsonValue table, llvm::StringRef name) : JsonColumn(table[name]) {}

  size_t size() const { return size_; }
  JsonValue operator[](size_t index) const {
    if (index >= size_)
      return {};
    return {document_, places_.empty() ? first_ + uint32_t(index) : places_[index]};
  }
  /// A null or anything else where a number is wanted is nothing.
  std::optional<uint64_t> number(size_t index) const { return (*this)[index].natural(); }
  /// Empty where there is none.
  llvm::StringRef text(size_t index) const { return (*this)[index].text(); }

private:
  const JsonDocument *document_ = nullptr;
  size_t size_ = 0;
  uint32_t first_ = 0;
  /// Of each element, unless one follows directly after the other.
  std::vector<uint32_t> places_;
};

/// The text without white space in front, if it is that of an object: for those who look for keys
/// in the beginning of a document; else nothing.
llvm::StringRef startOfObject(llvm::ArrayRef<uint8_t> start);

} // namespace warpo

#endif
