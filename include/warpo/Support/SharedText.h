//===- SharedText.h - Text that many things have in common ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SHAREDTEXT_H
#define WARPO_SUPPORT_SHAREDTEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace warpo {

/// An immutable text. A copy costs a pointer; texts are equal if their bytes are.
class SharedText {
public:
  SharedText() = default;
  SharedText(llvm::StringRef text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(text)) {}
  SharedText(const char *text) : SharedText(llvm::StringRef(text)) {}
  SharedText(const std::string &text) : SharedText(llvm::StringRef(text)) {}

  operator llvm::StringRef() const { return text_ ? llvm::StringRef(*text_) : llvm::StringRef(); }
  llvm::StringRef ref() const { return *this; }
  bool empty() const { return !text_; }

  friend bool operator==(const SharedText &a, const SharedText &b) {
    return a.text_ == b.text_ || a.ref() == b.ref();
  }
  friend bool operator<(const SharedText &a, const SharedText &b) {
    return a.text_ != b.text_ && a.ref() < b.ref();
  }

private:
  /// Null if empty.
  std::shared_ptr<const std::string> text_;
};

/// Gives equal texts the same memory.
class SharedTexts {
public:
  SharedText get(llvm::StringRef text) {
    auto [entry, isNew] = known_.try_emplace(text);
    if (isNew)
      entry->second = SharedText(text);
    return entry->second;
  }

private:
  llvm::StringMap<SharedText> known_;
};

} // namespace warpo

#endif
