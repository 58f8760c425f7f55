//===- TableFormat.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/TableFormat.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(TableFormat)

warpo::TableFormat::~TableFormat() = default;

static std::string formatSum(const Column &column, uint64_t sum) {
  return column.unit == "ns" ? formatTime(sum) : groupDigits(sum);
}

static std::string formatPart(double part) {
  constexpr uint64_t whole = uint64_t(1) << 40;
  return formatShare(uint64_t(std::clamp(part, 0.0, 1.0) * double(whole)), whole);
}

static std::string withSign(bool isNegative, const std::string &text) {
  return std::string(1, isNegative ? '-' : '+').append(text);
}

std::string warpo::formatCell(const Column &column, const Cell &cell) {
  if (std::holds_alternative<std::monostate>(cell))
    return "-";
  switch (column.kind) {
  case CellKind::text:
    return std::get<std::string>(cell);
  case CellKind::count:
    return groupDigits(std::get<uint64_t>(cell));
  case CellKind::weight:
    return formatSum(column, std::get<uint64_t>(cell));
  case CellKind::share:
    return formatPart(std::get<double>(cell));
  case CellKind::ratio:
    return formatRatio(std::get<double>(cell), column.unit == "ns" ? column.unit : "");
  case CellKind::change: {
    int64_t change = std::get<int64_t>(cell);
    auto size = uint64_t(change);
    return change == 0 ? "0"
                       : withSign(change < 0, formatSum(column, change < 0 ? 0 - size : size));
  }
  case CellKind::shareChange: {
    double change = std::get<double>(cell);
    // Changes may exceed 100 %.
    auto permille = uint64_t(std::min(std::fabs(change), 1e12) * 1000 + 0.5);
    std::string text = groupDigits(permille / 10);
    if (permille < 10000)
      text.append(1, '.').append(std::to_string(permille % 10));
    return change == 0 ? "0 %" : withSign(change < 0, text.append(" %"));
  }
  }
  return "";
}

unsigned warpo::textWidth(StringRef text) {
  int width = sys::unicode::columnWidthUTF8(text);
  return width < 0 ? unsigned(text.size()) : unsigned(width);
}

/// By position of an opening bracket: that of its closing bracket; 0 if there is none.
static std::vector<size_t> closingPlaces(StringRef name, char open, char close) {
  std::vector<size_t> places(name.size());
  std::vector<size_t> unclosed;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == open) {
      unclosed.push_back(i);
    } else if (name[i] == close && !unclosed.empty()) {
      places[unclosed.back()] = i;
      unclosed.pop_back();
    }
  }
  return places;
}

std::string warpo::withoutArguments(StringRef name) {
  // Names in brackets are kept: losses, cut calls, closures.
  if (name.starts_with("(") || name.starts_with("<"))
    return name.str();
  std::vector<size_t> angles = closingPlaces(name, '<', '>');
  std::vector<size_t> parentheses = closingPlaces(name, '(', ')');
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    result += name[i];
    size_t close = std::max(angles[i], parentheses[i]);
    // Only closed brackets, and only if the name becomes shorter. Operators are not brackets.
    if (close < i + 3 || StringRef(result).drop_back().ends_with("operator"))
      continue;
    result += "\u2026";
    result += name[close];
    i = close;
  }
  return result;
}

/// The longest end of a text that fits in `width` columns.
static StringRef fittingEnd(StringRef text, unsigned width) {
  size_t begin = text.size();
  for (unsigned taken = 0; begin > 0;) {
    size_t character = begin - 1;
    while (character > 0 && (uint8_t(text[character]) & 0xc0) == 0x80)
      --character;
    taken += textWidth(text.slice(character, begin));
    if (taken > width)
      break;
    begin = character;
  }
  return text.drop_front(begin);
}

std::string warpo::fitName(StringRef name, unsigned width) {
  if (textWidth(name) <= width)
    return name.str();
  std::string shorter = withoutArguments(name);
  if (textWidth(shorter) <= width)
    return shorter;
  return ("\u2026" + fittingEnd(shorter, std::max(width, 1u) - 1)).str();
}

/// The width of each name: names that need less than an equal share leave the rest to the others.
static std::vector<unsigned> shareRoom(ArrayRef<StringRef> names, unsigned room) {
  std::vector<std::pair<unsigned, size_t>> order;
  for (const auto &[index, name] : enumerate(names))
    order.push_back({textWidth(name), index});
  llvm::sort(order);
  std::vector<unsigned> widths(names.size());
  for (const auto &[done, entry] : enumerate(order)) {
    auto [width, index] = entry;
    widths[index] = std::min(width, room / unsigned(names.size() - done));
    room -= widths[index];
  }
  return widths;
}

std::string warpo::fitStack(StringRef stack, unsigned width) {
  if (textWidth(stack) <= width)
    return stack.str();
  constexpr StringLiteral separator = " < ", rest = "...";
  constexpr unsigned leastWidth = 12; // of a shortened name
  SmallVector<StringRef> names;
  stack.split(names, separator);
  bool isCut = names.size() > 1 && names.back() == rest;
  if (isCut)
    names.pop_back();
  for (;; names.pop_back(), isCut = true) {
    size_t taken = separator.size() * (names.size() - !isCut) + (isCut ? rest.size() : 0);
    unsigned room = width > taken ? width - unsigned(taken) : 0;
    std::vector<unsigned> widths = shareRoom(names, room);
    auto fits = [&](size_t i) { return widths[i] >= std::min(leastWidth, textWidth(names[i])); };
    if (names.size() > 1 && !all_of(seq(names.size()), fits))
      continue;
    std::string text;
    for (const auto &[name, nameWidth] : zip(names, widths))
      text += (text.empty() ? "" : separator.str()) + fitName(name, nameWidth);
    return text + (isCut ? (separator + rest).str() : "");
  }
}
