//===- TraceParent.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TraceParent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo::otlp;

static constexpr StringLiteral label = "traceparent=";
static constexpr size_t parentSize = 55;

/// Takes this many hexadecimal digits from the front of `text`, as bytes, and the dash behind them
/// unless `text` ends there.
static std::optional<std::string> takeBytes(StringRef &text, size_t digits) {
  StringRef taken = text.take_front(digits);
  text = text.drop_front(taken.size());
  bool isLower = all_of(taken, [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); });
  if (taken.size() != digits || !isLower || (!text.empty() && !text.consume_front("-")))
    return std::nullopt;
  return fromHex(taken);
}

static bool isZero(StringRef bytes) {
  return all_of(bytes, [](char c) { return c == 0; });
}

std::optional<TraceParent> TraceParent::of(StringRef name) {
  StringRef parent = name, section;
  if (size_t at = name.find(label); at != StringRef::npos) {
    if (at > 0 && name[at - 1] != ' ')
      return std::nullopt;
    section = name.take_front(at).rtrim(' ');
    parent = name.drop_front(at + label.size());
  }
  if (parent.size() != parentSize)
    return std::nullopt;
  std::optional<std::string> version = takeBytes(parent, 2);
  std::optional<std::string> trace = takeBytes(parent, 32);
  std::optional<std::string> span = takeBytes(parent, 16);
  std::optional<std::string> flags = takeBytes(parent, 2);
  if (!version || *version == "\xff" || !trace || isZero(*trace) || !span || isZero(*span) ||
      !flags)
    return std::nullopt;
  return TraceParent{std::move(*trace), std::move(*span), section};
}
