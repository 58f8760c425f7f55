//===- JsonDocument.h - Foreign JSON in little memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A file may be hostile, and is read into memory as a whole: every value takes eight bytes and its
// text.
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

/// A JSON document.
class JsonDocument {
public:
  /// Parses a document of at most 256 MiB, which must be an object. Invalid UTF-8 in strings
  /// becomes U+FFFD. Errors begin with `file`.
  static llvm::Expected<JsonDocument> parse(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file);

  JsonValue root() const;

private:
  friend class JsonValue;
  friend class JsonColumn;

  enum class Kind : uint32_t { string, number, null, other, array, object };
  /// The items of an array or object follow it; in an object, each key precedes its value.
  struct Item {
    uint32_t kind : 3;
    /// The begin of its text; for an array or object, the number of elements or members.
    uint32_t place : 29;
    /// The size of its text; for an array or object, the number of items in it.
    uint32_t size;

    Kind is() const { return Kind(kind); }
  };

  void read(JsonCursor &json);
  void readContainer(JsonCursor &json, Kind kind);
  void add(Kind kind, size_t place, size_t size);
  void addText(Kind kind, llvm::StringRef text);

  /// The item after this one and everything in it.
  uint32_t next(uint32_t index) const {
    const Item &item = items_[index];
    return index + 1 + (item.is() >= Kind::array ? item.size : 0);
  }
  llvm::StringRef textOf(const Item &item) const {
    return llvm::StringRef(text_).substr(item.place, item.size);
  }

  std::vector<Item> items_;
  /// The texts of strings, with escapes resolved, and of numbers.
  std::string text_;
};

/// A value of a document, which must outlive it, or no value. Accessors for another type, or
/// without a value, return nothing.
class JsonValue {
public:
  JsonValue() = default;

  explicit operator bool() const { return document_; }
  bool isNull() const;
  bool isObject() const;
  bool isArray() const;
  /// A 64-bit integer; may have a point with zeros after it.
  std::optional<int64_t> integer() const;
  /// A non-negative integer, without a point.
  std::optional<uint64_t> natural() const;
  /// Infinite if too large.
  std::optional<double> number() const;
  /// A string.
  std::optional<llvm::StringRef> string() const;
  /// The same; empty if not a string.
  llvm::StringRef text() const { return string().value_or(""); }
  /// A member of an object. Linear in the number of members before it.
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

/// Access to the elements of an array; a missing array is empty.
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
  /// Nothing if the element is null or not a number.
  std::optional<uint64_t> number(size_t index) const { return (*this)[index].natural(); }
  /// Empty if the element is not a string.
  llvm::StringRef text(size_t index) const { return (*this)[index].text(); }

private:
  const JsonDocument *document_ = nullptr;
  size_t size_ = 0;
  uint32_t first_ = 0;
  /// The items of the elements, unless they are consecutive.
  std::vector<uint32_t> places_;
};

/// The text without leading white space if it begins an object, otherwise empty. For searching keys
/// at the begin of a document.
llvm::StringRef startOfObject(llvm::ArrayRef<uint8_t> start);

} // namespace warpo

#endif
