//===- JsonCursor.h - Walks through JSON of any size ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_JSONCURSOR_H
#define WARPO_SUPPORT_JSONCURSOR_H

#include "warpo/Support/InputStream.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace warpo {

/// Reads a document from its beginning to its end, without keeping any of it. The first failure
/// sticks: what is read after it is empty.
class JsonCursor {
public:
  /// What is nested deeper is an error.
  static constexpr unsigned deepest = 100;
  /// Bytes; so is a longer string or number.
  static constexpr size_t longestText = size_t(1) << 20;

  explicit JsonCursor(InputStream &input) : input_(&input) {}
  /// Reads what is in memory; `name` is what to call it in messages.
  JsonCursor(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name) : name_(name), window_(bytes) {}

  /// The next byte that is no white space; `end` where there is none, or after a failure.
  int peek();
  static constexpr int end = -1;
  /// Takes it if it is this one.
  bool take(char c);
  /// Takes the byte order mark that some programs begin with.
  void takeMark();

  /// Calls `member` with each key of the object that is next; it has to take the value.
  void object(llvm::function_ref<void(llvm::StringRef key)> member);
  /// Calls `element` in front of each element of the array that is next; it has to take it.
  void array(llvm::function_ref<void()> element);
  /// A string with its escapes resolved, as bytes: what is half a surrogate becomes U+FFFD, and
  /// what is no UTF-8 stays. Of any other value its text: `12`, `null`; of an object or array
  /// nothing, which is skipped.
  std::string text();
  /// Any value, of any length; what stands in its strings is not checked.
  void skip();

  bool failed() const { return !message_.empty(); }
  /// Whether the failure is that the input ends.
  bool isCut() const { return isCut_; }
  /// Of the failure, or of what comes next.
  uint64_t offset() const { return failed() ? failedAt_ : (input_ ? input_->offset() : 0) + at_; }
  /// With the place. Only after a failure.
  llvm::Error takeError() const;

private:
  /// Whether there is a byte at at_.
  bool fill();
  void fail(const llvm::Twine &message);
  void failAtEnd();
  void expect(char c);
  void items(char open, char close, llvm::function_ref<void()> item);
  void skipString();
  void appendString(std::string &text);
  void appendEscape(std::string &text);
  uint32_t hexDigits();

  /// Null if all of the text is in the window.
  InputStream *input_ = nullptr;
  llvm::StringRef name_;
  llvm::ArrayRef<uint8_t> window_;
  size_t at_ = 0;
  unsigned depth_ = 0;
  std::string message_;
  std::string systemError_;
  uint64_t failedAt_ = 0;
  bool isCut_ = false;
};

} // namespace warpo

#endif
