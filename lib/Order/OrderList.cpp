//===- OrderList.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderList.h"
#include "Names.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/LineReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral directive = "#!";
static constexpr StringLiteral moduleDirective = "#! module ";

// Takes `func[12]`, which the end or a space must follow, from the front of a line.
static std::optional<uint32_t> consumeIndex(StringRef &line) {
  StringRef rest = line;
  uint32_t index;
  if (!rest.consume_front("func[") || rest.empty() || !isDigit(rest.front()) ||
      rest.consumeInteger(10, index) || !rest.consume_front("]"))
    return std::nullopt;
  if (!rest.empty() && !rest.starts_with(" "))
    return std::nullopt;
  line = rest.ltrim();
  return index;
}

// A directive that is damaged must not pass as a comment: the list would fit any module.
static Error readDirective(StringRef line, uint64_t number, OrderList &list) {
  if (!line.consume_front(moduleDirective))
    return lineError(list.fileName, number,
                     "'" + displayName(line) + "' is no '" + moduleDirective + "hash'");
  std::string digits;
  if (line.size() != 2 * 32 || !tryGetFromHex(line, digits))
    return lineError(list.fileName, number,
                     "the module's hash is not one of 64 hexadecimal digits");
  std::array<uint8_t, 32> hash;
  copy(digits, hash.begin());
  if (list.moduleHash && *list.moduleHash != hash)
    return lineError(list.fileName, number,
                     "the module's hash differs from that in an earlier line");
  list.moduleHash = hash;
  return Error::success();
}

Expected<OrderList> warpo::readOrderList(std::unique_ptr<InputStream> input) {
  OrderList list;
  list.fileName = input->name().str();
  LineReader reader(std::move(input));
  while (true) {
    auto next = reader.next();
    if (!next)
      return next.takeError();
    if (!*next)
      return list;
    StringRef line = (*next)->trim();
    if (line.starts_with(directive)) {
      if (Error error = readDirective(line, reader.lineNumber(), list))
        return error;
      continue;
    }
    if (line.empty() || line.starts_with("#"))
      continue;
    OrderList::Line entry{reader.lineNumber(), consumeIndex(line), ""};
    entry.name = line.str();
    list.lines.push_back(std::move(entry));
  }
}

Expected<OrderList> warpo::readOrderList(StringRef path) {
  auto input = InputStream::open(path);
  if (!input)
    return input.takeError();
  return readOrderList(std::move(*input));
}

namespace {

/// The function that a line means, or what is wrong with it.
struct Meaning {
  std::optional<uint32_t> function;
  OrderProblemKind problem = OrderProblemKind::unknown;
  std::string message = {};
};

} // namespace

static Meaning meaningOf(const OrderList::Line &line, const OrderModule &module) {
  auto problem = [](OrderProblemKind kind, const Twine &message) {
    return Meaning{std::nullopt, kind, message.str()};
  };
  if (line.index) {
    uint32_t function = *line.index;
    if (function >= module.size())
      return problem(OrderProblemKind::unknown, "there is no function " + Twine(function) +
                                                    ", the module has " + Twine(module.size()));
    std::string name = displayName(module[function].name);
    if (!line.name.empty() && line.name != name)
      return problem(OrderProblemKind::unknown, "function " + Twine(function) + " is called '" +
                                                    name + "', not '" + line.name + "'");
    return {function};
  }
  ArrayRef<uint32_t> found = module.find(line.name);
  if (found.empty())
    return problem(OrderProblemKind::unknown, "no function is called '" + line.name + "'");
  if (found.size() > 1)
    return problem(OrderProblemKind::ambiguous, Twine(found.size()) + " functions are called '" +
                                                    line.name + "', the first is func[" +
                                                    Twine(found.front()) + "]");
  return {found.front()};
}

Expected<ResolvedOrder> warpo::resolveOrder(const OrderList &list, const OrderModule &module) {
  if (list.moduleHash && *list.moduleHash != module.hash())
    return fileError(list.fileName, "is an order of another module (hash " +
                                        toHex(*list.moduleHash, true) + ") than " +
                                        module.fileName() + " (hash " + toHex(module.hash(), true) +
                                        ")");
  ResolvedOrder order;
  // For each function, its line; lines count from 1.
  std::vector<uint64_t> lineOf(module.size());
  for (const OrderList::Line &line : list.lines) {
    Meaning meaning = meaningOf(line, module);
    if (meaning.function) {
      uint64_t &first = lineOf[*meaning.function];
      if (module.isImported(*meaning.function))
        meaning = {std::nullopt, OrderProblemKind::imported,
                   "'" + module[*meaning.function].name + "' is imported and has no code"};
      else if (first != 0)
        meaning = {std::nullopt, OrderProblemKind::repeated,
                   "'" + module[*meaning.function].name + "' is in line " + std::to_string(first) +
                       " already"};
      else
        first = line.number;
    }
    if (meaning.function)
      order.functions.push_back(*meaning.function);
    else
      order.problems.push_back(
          {meaning.problem,
           (list.fileName + ":" + Twine(line.number) + ": " + meaning.message).str()});
  }
  return order;
}

std::string warpo::orderLine(const OrderModule &module, uint32_t function) {
  StringRef name = module[function].name;
  StringRef rest = name;
  bool looksLikeIndex = consumeIndex(rest).has_value();
  bool isReadBack = fitsTrimmedLine(name) && !name.starts_with("#") && !looksLikeIndex &&
                    name.size() <= LineReader::maxLength;
  if (isReadBack && module.find(name).size() == 1)
    return name.str();
  std::string index = "func[" + std::to_string(function) + "]";
  if (name == index || name.size() > LineReader::maxLength / 8)
    return index;
  return index + " " + displayName(name);
}

void warpo::writeOrderList(raw_ostream &os, const OrderModule &module,
                           ArrayRef<uint32_t> functions) {
  os << moduleDirective << toHex(module.hash(), true) << '\n';
  for (uint32_t function : functions)
    os << orderLine(module, function) << '\n';
}
