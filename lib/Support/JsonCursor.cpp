//===- JsonCursor.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/JsonCursor.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t blockSize = size_t(1) << 16;
static constexpr uint32_t replacement = 0xFFFD;

/// For numbers and `true`, `false`, `null`; invalid ones are not detected.
static bool isWordByte(uint8_t c) { return isAlnum(char(c)) || c == '+' || c == '-' || c == '.'; }

bool JsonCursor::fill() {
  if (LLVM_LIKELY(at_ < window_.size()))
    return true;
  if (failed() || !input_)
    return false;
  input_->consume(at_);
  at_ = 0;
  auto window = input_->window(blockSize);
  if (!window) {
    systemError_ = toString(window.takeError());
    window_ = {};
    fail("cannot be read");
    return false;
  }
  window_ = *window;
  return !window_.empty();
}

void JsonCursor::fail(const Twine &message) {
  if (failed())
    return;
  failedAt_ = offset();
  message_ = message.str();
  window_ = {};
  at_ = 0;
}

void JsonCursor::failAtEnd() {
  if (failed())
    return;
  fail("the text ends too early");
  isCut_ = systemError_.empty();
}

Error JsonCursor::takeError() const {
  // An error of the operating system includes the file.
  if (!systemError_.empty())
    return makeError(systemError_);
  return offsetError(input_ ? input_->name() : name_, failedAt_, message_);
}

int JsonCursor::peek() {
  while (fill()) {
    uint8_t c = window_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
      return c;
    ++at_;
  }
  return end;
}

bool JsonCursor::take(char c) {
  if (peek() != uint8_t(c))
    return false;
  ++at_;
  return true;
}

void JsonCursor::takeMark() {
  if (fill() && toStringRef(window_).starts_with("\xEF\xBB\xBF"))
    at_ += 3;
}

void JsonCursor::expect(char c) {
  if (take(c))
    return;
  if (peek() == end)
    failAtEnd();
  else
    fail("expected '" + Twine(c) + "'");
}

void JsonCursor::items(char open, char close, function_ref<void()> item) {
  expect(open);
  if (++depth_ > deepest)
    fail("JSON that is nested more than " + Twine(deepest) + " deep");
  if (!take(close)) {
    do {
      if (!failed())
        item();
    } while (take(','));
    expect(close);
  }
  --depth_;
}

void JsonCursor::object(function_ref<void(StringRef)> member) {
  items('{', '}', [&] {
    if (peek() != '"')
      return expect('"');
    std::string key = text();
    expect(':');
    if (!failed())
      member(key);
  });
}

void JsonCursor::array(function_ref<void()> element) { items('[', ']', element); }

void JsonCursor::skip() {
  switch (int next = peek()) {
  case end:
    return failAtEnd();
  case '"':
    return skipString();
  case '{':
    return items('{', '}', [&] {
      if (peek() != '"')
        return expect('"');
      skipString();
      expect(':');
      if (!failed())
        skip();
    });
  case '[':
    return array([&] { skip(); });
  default:
    if (!isWordByte(uint8_t(next)))
      return fail("expected a value");
    while (fill() && isWordByte(window_[at_]))
      ++at_;
  }
}

void JsonCursor::skipString() {
  for (++at_; fill(); ++at_) {
    if (window_[at_] == '"') {
      ++at_;
      return;
    }
    // The escaped character may be a quote.
    if (window_[at_] == '\\') {
      ++at_;
      if (!fill())
        break;
    }
  }
  failAtEnd();
}

std::string JsonCursor::text() {
  std::string text;
  switch (int next = peek()) {
  case end:
    failAtEnd();
    break;
  case '"':
    appendString(text);
    break;
  case '{':
  case '[':
    skip();
    break;
  default:
    if (!isWordByte(uint8_t(next))) {
      fail("expected a value");
      break;
    }
    for (; fill() && isWordByte(window_[at_]); ++at_) {
      if (text.size() == longestText)
        fail("a number of more than " + Twine(longestText) + " bytes");
      else
        text += char(window_[at_]);
    }
  }
  return failed() ? std::string() : text;
}

void JsonCursor::appendString(std::string &text) {
  for (++at_; fill(); ++at_) {
    auto c = char(window_[at_]);
    if (c == '"') {
      ++at_;
      return;
    }
    if (text.size() > longestText)
      return fail("a string of more than " + Twine(longestText) + " bytes");
    if (c == '\\')
      appendEscape(text);
    else
      text += c;
    if (failed())
      return;
  }
  failAtEnd();
}

/// Reads four digits after at_ and sets at_ to the last one; 0 if they are not hexadecimal.
uint32_t JsonCursor::hexDigits() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    ++at_;
    if (!fill()) {
      failAtEnd();
      return 0;
    }
    unsigned digit = hexDigitValue(char(window_[at_]));
    if (digit > 15) {
      fail("expected a hexadecimal digit");
      return 0;
    }
    value = value << 4 | digit;
  }
  return value;
}

static void appendCodePoint(std::string &text, uint32_t point) {
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *behind = bytes;
  ConvertCodePointToUTF8(point, behind);
  text.append(bytes, behind);
}

void JsonCursor::appendEscape(std::string &text) {
  ++at_;
  if (!fill())
    return failAtEnd();
  auto c = char(window_[at_]);
  static constexpr StringLiteral letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (size_t letter = letters.find(c); letter != StringRef::npos) {
    text += meanings[letter];
    return;
  }
  if (c != 'u')
    return fail("an escape that JSON does not have");
  uint32_t point = hexDigits();
  auto isHigh = [](uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; };
  auto isLow = [](uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; };
  // A high surrogate must be followed by a low one; otherwise each is invalid.
  while (isHigh(point)) {
    ++at_;
    bool escapes = fill() && window_[at_] == '\\';
    if (escapes) {
      ++at_;
      escapes = fill() && window_[at_] == 'u';
      if (!escapes) {
        // Another escape, which is read separately.
        appendCodePoint(text, replacement);
        --at_;
        return appendEscape(text);
      }
    }
    if (!escapes) {
      --at_;
      break;
    }
    uint32_t low = hexDigits();
    if (isLow(low))
      return appendCodePoint(text, 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00));
    appendCodePoint(text, replacement);
    point = low;
  }
  appendCodePoint(text, isHigh(point) || isLow(point) ? replacement : point);
}
