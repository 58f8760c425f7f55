//===- JsonDocument.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "JsonDocument.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NumberText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

static constexpr size_t maxSize = size_t(1) << 28;
// The number of positions that fit into an item.
static constexpr size_t maxText = size_t(1) << 29;
static constexpr uint32_t placeMask = maxText - 1;

Expected<JsonDocument> JsonDocument::parse(ArrayRef<uint8_t> bytes, StringRef file) {
  if (bytes.size() > maxSize)
    return fileError(file, Twine(bytes.size()) + " bytes of JSON, the most that are read are " +
                               Twine(maxSize));
  JsonCursor json(bytes, file);
  json.takeMark();
  if (json.peek() != '{')
    return fileError(file, "expected an object");
  JsonDocument document;
  document.read(json);
  if (json.failed())
    return json.takeError();
  // Invalid UTF-8 grows up to three times when replaced by U+FFFD.
  if (document.text_.size() > maxText)
    return fileError(file, "its strings take more than " + Twine(maxText) + " bytes");
  if (json.peek() != JsonCursor::end)
    return offsetError(file, json.offset(), "something follows the object");
  return document;
}

void JsonDocument::add(Kind kind, size_t place, size_t size) {
  Item &item = items_.emplace_back();
  item.kind = uint32_t(kind) & 7;
  item.place = uint32_t(place) & placeMask;
  item.size = uint32_t(size);
}

void JsonDocument::addText(Kind kind, StringRef text) {
  std::string fixed;
  if (!json::isUTF8(text)) {
    fixed = json::fixUTF8(text);
    text = fixed;
  }
  add(kind, text_.size(), text.size());
  text_ += text;
}

void JsonDocument::read(JsonCursor &json) {
  int next = json.peek();
  if (next == '{' || next == '[')
    return readContainer(json, next == '{' ? Kind::object : Kind::array);
  std::string text = json.text();
  if (next == '"')
    addText(Kind::string, text);
  else if (next == '-' || (next >= '0' && next <= '9'))
    addText(Kind::number, text);
  else
    add(text == "null" ? Kind::null : Kind::other, 0, 0);
}

void JsonDocument::readContainer(JsonCursor &json, Kind kind) {
  size_t index = items_.size();
  add(kind, 0, 0);
  uint32_t count = 0;
  if (kind == Kind::object)
    json.object([&](StringRef key) {
      addText(Kind::string, key);
      read(json);
      ++count;
    });
  else
    json.array([&] {
      read(json);
      ++count;
    });
  items_[index].place = count & placeMask;
  items_[index].size = uint32_t(items_.size() - index - 1);
}

bool JsonValue::is(JsonDocument::Kind kind) const {
  return document_ && document_->items_[index_].is() == kind;
}

bool JsonValue::isNull() const { return is(JsonDocument::Kind::null); }
bool JsonValue::isObject() const { return is(JsonDocument::Kind::object); }
bool JsonValue::isArray() const { return is(JsonDocument::Kind::array); }

StringRef JsonValue::ownText() const { return document_->textOf(document_->items_[index_]); }

std::optional<StringRef> JsonValue::string() const {
  return is(JsonDocument::Kind::string) ? std::optional(ownText()) : std::nullopt;
}

std::optional<double> JsonValue::number() const {
  return is(JsonDocument::Kind::number) ? numberInText(ownText()) : std::nullopt;
}

std::optional<uint64_t> JsonValue::natural() const {
  uint64_t number;
  if (!is(JsonDocument::Kind::number) || ownText().getAsInteger(10, number))
    return std::nullopt;
  return number;
}

std::optional<int64_t> JsonValue::integer() const {
  int64_t whole;
  if (is(JsonDocument::Kind::number) && !ownText().getAsInteger(10, whole))
    return whole;
  std::optional<double> value = number();
  if (!value || std::trunc(*value) != *value || std::abs(*value) >= 0x1p63)
    return std::nullopt;
  return int64_t(*value);
}

JsonValue JsonValue::operator[](StringRef key) const {
  if (!isObject())
    return {};
  uint32_t at = index_ + 1;
  for (uint32_t i = 0; i < document_->items_[index_].place; ++i) {
    if (document_->textOf(document_->items_[at]) == key)
      return {document_, at + 1};
    at = document_->next(at + 1);
  }
  return {};
}

JsonColumn::JsonColumn(JsonValue array) : document_(array.document_), first_(array.index_ + 1) {
  if (!array.isArray())
    return;
  const JsonDocument::Item &item = document_->items_[array.index_];
  size_ = item.place;
  if (item.size == item.place)
    return;
  places_.reserve(size_);
  for (uint32_t at = first_; places_.size() < size_; at = document_->next(at))
    places_.push_back(at);
}

StringRef warpo::startOfObject(ArrayRef<uint8_t> start) {
  StringRef text = toStringRef(start).ltrim(" \t\r\n");
  return text.starts_with("{") ? text : StringRef();
}
