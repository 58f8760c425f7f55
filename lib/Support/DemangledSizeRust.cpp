//===- DemangledSizeRust.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The grammar is that of Rust's RFC 2603; rules return false if the name does not match.
//
//===----------------------------------------------------------------------===//

#include "DemangledSize.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <unordered_map>

using namespace llvm;

// Maximum demangled size per byte of a name: `{closure:f#1}`, `unsafe extern`.
static constexpr uint64_t sizeOfByte = 16;
// The limit of LLVM's demangler.
static constexpr unsigned maxDepth = 500;

namespace {

class RustName {
public:
  explicit RustName(StringRef name) : name_(name) {}

  /// Reads the text after `_R`.
  bool read() { return path() && (atEnd() || next() == '.' || path()); }
  uint64_t size() const { return SaturatingAdd(size_, name_.size() * sizeOfByte); }

private:
  bool atEnd() const { return at_ == name_.size(); }
  char next() const { return atEnd() ? 0 : name_[at_]; }
  bool take(char wanted) {
    bool isWanted = next() == wanted && !atEnd();
    at_ += isWanted;
    return isWanted;
  }
  bool takeOneOf(StringRef wanted) {
    bool isWanted = !atEnd() && wanted.contains(next());
    at_ += isWanted;
    return isWanted;
  }

  /// Stores the size of the text matched by `rule`, including everything it refers to.
  template <typename Rule> bool measured(Rule rule) {
    size_t start = at_;
    uint64_t before = size_;
    if (++depth_ > maxDepth || !rule())
      return false;
    --depth_;
    sizes_[start] = SaturatingAdd(size_ - before, (at_ - start) * sizeOfByte);
    return true;
  }
  /// References must be to completed parts.
  bool reference() {
    size_t place;
    if (!number62(place))
      return false;
    auto known = sizes_.find(place);
    if (known == sizes_.end())
      return false;
    size_ = SaturatingAdd(size_, known->second);
    return true;
  }

  bool number62(size_t &value) {
    value = 0;
    if (take('_'))
      return true;
    for (; isAlnum(next()) && value <= name_.size(); ++at_) {
      char digit = next();
      int worth = isDigit(digit)   ? digit - '0'
                  : isLower(digit) ? digit - 'a' + 10
                                   : digit - 'A' + 36;
      value = value * 62 + size_t(worth);
    }
    ++value;
    return take('_');
  }
  /// An irrelevant number.
  bool skipNumber62() {
    while (isAlnum(next()))
      ++at_;
    return take('_');
  }
  bool optionalNumber(char sign) { return !take(sign) || skipNumber62(); }
  bool skipDisambiguator() { return optionalNumber('s'); }

  bool identifier() { return skipDisambiguator() && undisambiguated(); }
  bool undisambiguated() {
    take('u');
    size_t length = 0;
    if (!isDigit(next()))
      return false;
    // 0 is a complete number: the next identifier's may follow.
    if (!take('0'))
      while (isDigit(next()) && length <= name_.size())
        length = length * 10 + size_t(name_[at_++] - '0');
    take('_');
    if (length > name_.size() - at_)
      return false;
    at_ += length;
    return true;
  }

  bool path() {
    return measured([&] {
      if (take('C'))
        return identifier();
      if (take('M'))
        return implementation() && type();
      if (take('X'))
        return implementation() && type() && path();
      if (take('Y'))
        return type() && path();
      if (take('N')) {
        if (!isAlpha(next()))
          return false;
        ++at_;
        return path() && identifier();
      }
      if (take('I')) {
        if (!path())
          return false;
        while (!take('E'))
          if (!genericArgument())
            return false;
        return true;
      }
      return take('B') && reference();
    });
  }
  bool implementation() { return skipDisambiguator() && path(); }
  bool genericArgument() {
    if (take('L'))
      return skipNumber62();
    return take('K') ? constant() : type();
  }

  bool type() {
    return measured([&] {
      if (isLower(next())) {
        ++at_;
        return true;
      }
      if (take('A'))
        return type() && constant();
      if (takeOneOf("SPO"))
        return type();
      if (takeOneOf("RQ"))
        return optionalNumber('L') && type();
      if (take('T')) {
        while (!take('E'))
          if (!type())
            return false;
        return true;
      }
      if (take('F'))
        return function();
      if (take('D'))
        return traits() && take('L') && skipNumber62();
      return take('B') ? reference() : path();
    });
  }
  bool function() {
    if (!optionalNumber('G'))
      return false;
    take('U');
    if (take('K') && !take('C') && !undisambiguated())
      return false;
    while (!take('E'))
      if (!type())
        return false;
    return type();
  }
  bool traits() {
    if (!optionalNumber('G'))
      return false;
    while (!take('E')) {
      if (!path())
        return false;
      while (take('p'))
        if (!undisambiguated() || !type())
          return false;
    }
    return true;
  }
  bool constant() {
    return measured([&] {
      if (take('p'))
        return true;
      if (take('B'))
        return reference();
      if (!isLower(next()))
        return false;
      ++at_;
      take('n');
      while (isHexDigit(next()))
        ++at_;
      return take('_');
    });
  }

  StringRef name_;
  size_t at_ = 0;
  unsigned depth_ = 0;
  /// The size of all referenced parts.
  uint64_t size_ = 0;
  std::unordered_map<size_t, uint64_t> sizes_;
};

} // namespace

uint64_t warpo::demangledSizeOfRust(StringRef name) {
  RustName rust(name.drop_front(2));
  return name.starts_with("_R") && rust.read() ? rust.size() : UINT64_MAX;
}
