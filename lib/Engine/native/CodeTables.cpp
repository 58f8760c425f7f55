//===- CodeTables.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The encoded form is a Header and the three tables, as in memory: they are written and read on the
// same machine.
//
//===----------------------------------------------------------------------===//

#include "CodeTables.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;
using namespace warpo;

namespace {

struct Header {
  static constexpr uint64_t known = 0x31'4e55'6f70'7277; // "wrpoUN1"
  uint64_t magic = known;
  uint64_t rules, places, functions;
};

template <typename T> StringRef bytesOf(const std::vector<T> &table) {
  return StringRef(reinterpret_cast<const char *>(table.data()), table.size() * sizeof(T));
}

/// Returns false if the rest of the file is too short.
template <typename T> bool take(StringRef &rest, uint64_t count, std::vector<T> &table) {
  if (count > rest.size() / sizeof(T))
    return false;
  table.resize(count);
  if (count != 0)
    std::memcpy(table.data(), rest.data(), count * sizeof(T));
  rest = rest.drop_front(count * sizeof(T));
  return true;
}

/// The last entry that begins at or before the address; null if there is none.
template <typename T> const T *lastAt(const std::vector<T> &table, uint64_t address) {
  auto behind = llvm::upper_bound(
      table, address, [](uint64_t wanted, const T &each) { return wanted < each.begin; });
  return behind == table.begin() ? nullptr : &*std::prev(behind);
}

} // namespace

std::string CodeTables::encode() const {
  Header header = {
      .rules = rules_.size(), .places = places_.size(), .functions = functions_.size()};
  StringRef head(reinterpret_cast<const char *>(&header), sizeof(header));
  return (head + bytesOf(rules_) + bytesOf(places_) + bytesOf(functions_)).str();
}

Expected<CodeTables> CodeTables::decode(StringRef rest, uint32_t functionCount) {
  CodeTables tables;
  std::vector<Header> header;
  bool isWhole = take(rest, 1, header) && header[0].magic == Header::known &&
                 take(rest, header[0].rules, tables.rules_) &&
                 take(rest, header[0].places, tables.places_) &&
                 take(rest, header[0].functions, tables.functions_) && rest.empty() &&
                 !tables.functions_.empty();
  auto isInside = [&](const Place &place) { return place.innermost < tables.functions_.size(); };
  isWhole = isWhole && all_of(tables.places_, isInside);
  for (size_t i = 1; isWhole && i < tables.functions_.size(); ++i)
    isWhole = tables.functions_[i].parent < i && tables.functions_[i].function < functionCount;
  if (!isWhole)
    return makeError("damaged code tables; remove the file to have it made again");
  return tables;
}

UnwindRule CodeTables::ruleAt(uint64_t address) const {
  const UnwindRule *rule = lastAt(rules_, address);
  return rule ? *rule : UnwindRule{0, UnwindRule::unknown, 0, 0};
}

uint32_t CodeTables::innermostAt(uint64_t address) const {
  const Place *place = lastAt(places_, address);
  return place ? place->innermost : 0;
}
