//===- JsonCursor.h - Reads JSON of any size ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_JSONCURSOR_H
#define WARPO_SUPPORT_JSONCURSOR_H

#include "warpo/Support/InputStream.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace warpo {

/// Reads a document from beginning to end without keeping it in memory. The first failure is kept;
/// everything read afterwards is empty.
class JsonCursor {
public:
  /// Maximum depth of nesting; more is an error.
  static constexpr unsigned deepest = 100;
  /// Maximum bytes of a string or number; more is an error.
  static constexpr size_t longestText = size_t(1) << 20;

  explicit JsonCursor(InputStream &input) : input_(&input) {}
  /// Reads from memory; `name` is for messages.
  JsonCursor(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name) : name_(name), window_(bytes) {}

  /// The next byte that is not white space; `end` if there is none, or after a failure.
  int peek();
  static constexpr int end = -1;
  /// Consumes the next byte if it is `c`.
  bool take(char c);
  /// Consumes the byte order mark that some programs write.
  void takeMark();

  /// Reads an object and calls `member` with each key; it has to read the value.
  void object(llvm::function_ref<void(llvm::StringRef key)> member);
  /// Reads an array and calls `element` before each element; it has to read the element.
  void array(llvm::function_ref<void()> element);
  /// A string with its escapes resolved, as bytes: unpaired surrogates become U+FFFD, invalid UTF-8
  /// stays. For any other value its text: `12`, `null`; skips an object or array and returns
  /// nothing.
  std::string text();
  /// Skips a value of any length. Does not check the contents of strings.
  void skip();

  bool failed() const { return !message_.empty(); }
  /// Whether the failure is an early end of the input.
  bool isCut() const { return isCut_; }
  /// The offset of the failure, or of the next byte.
  uint64_t offset() const { return failed() ? failedAt_ : (input_ ? input_->offset() : 0) + at_; }
  /// Includes the position. Only after a failure.
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

  /// Null if the window has the whole text.
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
