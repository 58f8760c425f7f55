//===- LineCursor.h - Parses a line of a record in YAML -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_LINECURSOR_H
#define WARPO_LIB_RECORD_YAML_LINECURSOR_H

#include "llvm/ADT/StringRef.h"
#include <charconv>
#include <string>

namespace warpo {

/// Functions return false if the line does not continue with the requested item.
class LineCursor {
public:
  explicit LineCursor(llvm::StringRef line) : line_(line), rest_(line) { skipSpace(); }

  /// The indentation of the first word.
  size_t indent() const { return line_.size() - line_.ltrim(' ').size(); }
  bool atEnd() const { return rest_.empty() || isComment(); }

  bool take(llvm::StringRef token) {
    if (!rest_.consume_front(token))
      return false;
    skipSpace();
    return true;
  }
  bool takeKey(llvm::StringRef key) {
    llvm::StringRef before = rest_;
    if (take(key) && take(":"))
      return true;
    rest_ = before;
    return false;
  }
  /// A list item that begins with this key.
  bool takeItem(llvm::StringRef key) { return take("-") && takeKey(key); }
  template <typename T> bool takeNumber(T &value) {
    rest_.consume_front("+");
    auto [end, error] = std::from_chars(rest_.begin(), rest_.end(), value);
    isOutOfRange_ = error == std::errc::result_out_of_range;
    if (error != std::errc())
      return false;
    rest_ = rest_.drop_front(size_t(end - rest_.begin()));
    // `12abc` is not a number.
    if (!rest_.empty() && !llvm::StringRef(" \t,]}").contains(rest_.front()))
      return false;
    skipSpace();
    return true;
  }
  /// Whether the last call of takeNumber() found a number that does not fit its type.
  bool isOutOfRange() const { return isOutOfRange_; }
  /// Reads a quoted text, or a plain one that ends before one of `stops`.
  bool takeText(std::string &text, llvm::StringRef stops);

private:
  // A `#` begins a comment only after a space.
  bool isComment() const {
    return rest_.starts_with("#") && (rest_.begin() == line_.begin() || rest_.begin()[-1] == ' ');
  }
  void skipSpace() { rest_ = rest_.ltrim(" \t"); }

  llvm::StringRef line_;
  llvm::StringRef rest_;
  bool isOutOfRange_ = false;
};

} // namespace warpo

#endif
