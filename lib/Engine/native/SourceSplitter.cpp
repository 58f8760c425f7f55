//===- SourceSplitter.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The source begins with a head (includes, macros, small functions), which every part gets. It is
// followed by items that begin in the first column: one line that ends in `;`, or lines up to one
// that begins with `}`. Items shared between parts lose their `static`; hidden visibility replaces
// it.
//
//===----------------------------------------------------------------------===//

#include "SourceSplitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace warpo;

namespace {

constexpr size_t maxParts = 64;

/// An item at file level.
struct Item {
  enum Kind : uint8_t {
    /// The declaration and the definition of a function that other functions use.
    declaration,
    function,
    /// An array that functions use.
    array,
    /// Items that only the first part uses.
    rest,
  };
  Kind kind;
  StringRef text;
};

class Splitter {
public:
  Splitter(StringRef source, size_t partSize) : source_(source), partSize_(partSize) {}

  std::vector<std::string> split();

private:
  bool readItems();
  std::optional<Item> readItem(StringRef &text);
  Item::Kind classify(StringRef text);
  void write(const Item &item);
  void writeShared(const Item &item, StringRef others);

  StringRef source_;
  size_t partSize_;
  StringRef head_;
  std::vector<Item> items_;
  StringSet<> declared_;
  size_t functionBytes_ = 0;
  std::vector<std::string> parts_;
  /// The bytes of functions written so far.
  size_t written_ = 0;
};

} // namespace

StringRef warpo::functionName(StringRef text) {
  return text.take_until([](char c) { return c == '('; }).rsplit(' ').second;
}

Item::Kind Splitter::classify(StringRef text) {
  if (!text.consume_front("static "))
    return Item::rest;
  // The text before a body or a list, for a long function possibly several lines.
  StringRef heading = text.take_until([](char c) { return c == '{'; }).rtrim();
  if (heading.ends_with(");")) {
    declared_.insert(functionName(heading));
    return Item::declaration;
  }
  if (heading.ends_with(")"))
    return declared_.contains(functionName(heading)) ? Item::function : Item::rest;
  bool isArray = heading.starts_with("u32 func_types[") ||
                 ((heading.starts_with("const u8 data_segment_data_") ||
                   heading.starts_with("const wasm_elem_segment_expr_t elem_segment_exprs_")) &&
                  heading.ends_with("[] ="));
  return isArray ? Item::array : Item::rest;
}

/// Takes the next item off the text; nothing if its form is unknown.
std::optional<Item> Splitter::readItem(StringRef &text) {
  StringRef line = text.split('\n').first;
  size_t size = line.size() + 1;
  bool isWhole = line.ends_with(";") || line.empty() || line.starts_with("/* ");
  if (!isWhole) {
    size_t end = text.find("\n}", line.size());
    bool opens = line.ends_with("{") || line.ends_with(", ");
    if (!opens || end == StringRef::npos)
      return std::nullopt;
    end = text.find('\n', end + 1);
    if (end == StringRef::npos)
      return std::nullopt;
    size = end + 1;
  }
  Item item{Item::rest, text.take_front(size)};
  text = text.drop_front(item.text.size());
  item.kind = classify(item.text);
  return item;
}

bool Splitter::readItems() {
  size_t head = source_.find(headEnd);
  if (head == StringRef::npos || !source_.ends_with("\n"))
    return false;
  head_ = source_.take_front(head);
  for (StringRef text = source_.drop_front(head); !text.empty();) {
    auto item = readItem(text);
    if (!item)
      return false;
    if (item->kind == Item::function)
      functionBytes_ += item->text.size();
    items_.push_back(*item);
  }
  return true;
}

/// Writes the item without `static` to the first part, and `others` to all other parts.
void Splitter::writeShared(const Item &item, StringRef others) {
  StringRef text = item.text;
  text.consume_front("static ");
  parts_[0] += text;
  for (std::string &part : drop_begin(parts_))
    part += others;
}

void Splitter::write(const Item &item) {
  StringRef text = item.text;
  switch (item.kind) {
  case Item::declaration:
    text.consume_front("static ");
    return writeShared(item, text);
  case Item::array: {
    // `T name[n];` or `T name[] = {`: the declaration is the text up to `]`.
    text.consume_front("static ");
    StringRef type = text.take_front(text.find(']') + 1);
    return writeShared(item, "extern " + type.str() + ";\n");
  }
  case Item::function: {
    text.consume_front("static ");
    size_t part = written_ * parts_.size() / functionBytes_;
    parts_[part] += text;
    written_ += item.text.size();
    return;
  }
  case Item::rest:
    parts_[0] += item.text;
    return;
  }
}

std::vector<std::string> Splitter::split() {
  if (source_.size() <= partSize_ || !readItems() || functionBytes_ == 0)
    return {source_.str()};
  parts_.assign(std::min<size_t>(divideCeil(source_.size(), partSize_), maxParts), head_.str());
  for (const Item &item : items_)
    write(item);
  return std::move(parts_);
}

std::vector<std::string> warpo::splitSource(StringRef source, size_t partSize) {
  return Splitter(source, partSize).split();
}
