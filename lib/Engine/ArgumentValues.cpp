//===- ArgumentValues.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ArgumentValues.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <charconv>

using namespace llvm;
using namespace warpo;

static StringRef typeName(ValueType type) {
  switch (type) {
  case ValueType::i32:
    return "i32";
  case ValueType::i64:
    return "i64";
  case ValueType::f32:
    return "f32";
  case ValueType::f64:
    return "f64";
  case ValueType::other:
    return "reference";
  }
  llvm_unreachable("a type is one of these");
}

/// From -2^(bits-1) to 2^bits-1, so that addresses and masks can be given as unsigned numbers.
static std::optional<uint64_t> parseInteger(StringRef text, unsigned bits) {
  bool negative = text.consume_front("-");
  if (!negative)
    text.consume_front("+");
  bool hexadecimal = text.consume_front("0x") || text.consume_front("0X");
  uint64_t magnitude;
  if (text.getAsInteger(hexadecimal ? 16 : 10, magnitude))
    return std::nullopt;
  uint64_t mask = bits == 64 ? UINT64_MAX : (uint64_t(1) << bits) - 1;
  if (magnitude > (negative ? uint64_t(1) << (bits - 1) : mask))
    return std::nullopt;
  return (negative ? -magnitude : magnitude) & mask;
}

/// Parses all of `text`; overflow and underflow are errors.
template <typename Float> static std::optional<Float> parseFloat(StringRef text) {
  text.consume_front("+");
  Float value;
  auto end = std::from_chars(text.begin(), text.end(), value);
  return end.ec == std::errc() && end.ptr == text.end() ? std::optional(value) : std::nullopt;
}

static std::optional<uint64_t> parseValue(ValueType type, StringRef text) {
  switch (type) {
  case ValueType::i32:
    return parseInteger(text, 32);
  case ValueType::i64:
    return parseInteger(text, 64);
  case ValueType::f32:
    if (auto value = parseFloat<float>(text))
      return bit_cast<uint32_t>(*value);
    return std::nullopt;
  case ValueType::f64:
    if (auto value = parseFloat<double>(text))
      return bit_cast<uint64_t>(*value);
    return std::nullopt;
  case ValueType::other:
    return std::nullopt;
  }
  llvm_unreachable("a type is one of these");
}

Expected<std::vector<uint64_t>> warpo::parseArguments(StringRef function,
                                                      ArrayRef<ValueType> parameters,
                                                      ArrayRef<std::string> texts) {
  if (parameters.size() != texts.size())
    return makeError(function + " takes " + countOf(parameters.size(), "argument") + " (" +
                     join(map_range(parameters, typeName), ", ") + "), --arg gives " +
                     Twine(texts.size()));
  std::vector<uint64_t> values;
  for (size_t i = 0; i < texts.size(); ++i) {
    auto value = parseValue(parameters[i], texts[i]);
    if (!value)
      return makeError("argument " + Twine(i + 1) + " of " + function + ": '" + texts[i] +
                       "' is not a value of type " + typeName(parameters[i]));
    values.push_back(*value);
  }
  return values;
}
